// Part of the binding: which tokens mean something only as they are written.
//
// The readable twin is mondegreen.text.verbatim.verbatim_spans, which still looks at unknown tokens and at
// quotations.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <string_view>
#include <utility>
#include <vector>

#include "stable.hpp"

namespace mondegreen {

namespace nb = nanobind;

using Spans = std::vector<std::pair<Py_ssize_t, Py_ssize_t>>;

// What tokens look like, as in mondegreen.text.verbatim.
struct Looks {
    static constexpr int DIGITS = 1, CODE = 2, HALF_OF_DAY = 4, OPENS = 8;

    static constexpr bool is_letter(unsigned char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

    // Whether a word of nothing but letters of ASCII is plain: it is, unless it may be a half of the day.
    static constexpr bool plain(std::string_view letters) { return letters.size() != 2 || (letters[1] | 0x20) != 'm'; }

    // The tokens to protect, where no quotation begins.
    static void spans(const std::vector<int> &looks, Spans &out) {
        for (std::size_t at = 0; at < looks.size(); ++at) {
            const auto after_digits = at > 0 && (looks[at - 1] & DIGITS);
            const auto place = static_cast<Py_ssize_t>(at);
            if ((looks[at] & (DIGITS | CODE)) || ((looks[at] & HALF_OF_DAY) && after_digits)) out.emplace_back(place, place + 1);
        }
    }
};

// Finds the codes of tokens. ``look`` says what a token looks like, ``spans`` finds the codes where a quotation may begin.
class Codes {
public:
    Codes(nb::object look, nb::object spans) : look_(std::move(look)), spans_(std::move(spans)) {}

    nb::object find(nb::handle tokens) {
        if (!PyTuple_Check(tokens.ptr())) return spans_(tokens);
        const auto n = PyTuple_GET_SIZE(tokens.ptr());
        Py_ssize_t at = 0;
        while (at < n && is_plain(PyTuple_GET_ITEM(tokens.ptr(), at))) ++at;
        if (at == n) return nb::list();
        std::vector<int> looks(static_cast<std::size_t>(at), 0);
        int seen = 0;
        for (; at < n; ++at) {
            auto *token = PyTuple_GET_ITEM(tokens.ptr(), at);
            looks.push_back(is_plain(token) ? 0 : look_of(token));
            seen |= looks.back();
        }
        if (seen & Looks::OPENS) return spans_(tokens);
        Spans found;
        Looks::spans(looks, found);
        return nb::cast(found);
    }

private:
    static constexpr Py_ssize_t MOST = 1 << 16;  // tokens that are remembered

    static bool is_plain(PyObject *token) {
        if (!PyUnicode_Check(token)) return false;
        const auto letters = ascii(token);
        if (letters.data() == nullptr) return false;
        for (const auto c : letters) {
            if (!Looks::is_letter(static_cast<unsigned char>(c))) return false;
        }
        return Looks::plain(letters);
    }

    int look_of(PyObject *token) {
        if (auto *known = PyDict_GetItemWithError(known_.ptr(), token)) return static_cast<int>(PyLong_AsLong(known));
        if (PyErr_Occurred()) throw nb::python_error();
        const nb::object look = look_(nb::handle(token));
        const auto bits = nb::cast<int>(look);
        if (PyDict_GET_SIZE(known_.ptr()) >= MOST) known_.clear();
        known_[nb::handle(token)] = look;
        return bits;
    }

    nb::object look_, spans_;
    nb::dict known_;
};

}  // namespace mondegreen
