// Part of the binding: edits chosen and made on Python's utterances without a Python step an edit.
//
// The readable twin is mondegreen.perturbation.engine (choosing) and mondegreen.edits (making). What is out of
// the ordinary is left to them: a rewrite that cannot be done here returns None.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "blake2b.hpp"
#include "draw.hpp"
#include "options.hpp"
#include "verbatim.hpp"
#include "words.hpp"

namespace mondegreen {

struct Change {
    Py_ssize_t start, end;
    nb::object tokens;
    Py_ssize_t size() const { return PyTuple_GET_SIZE(tokens.ptr()); }
    bool inserts() const { return start == end; }
    bool deletes() const { return size() == 0; }
};

struct Chosen {
    Change change;
    nb::object kind;
};

// What the attributes of Python's types are called, looked up without making strings.
struct Names {
    nb::object id = nb::steal(PyUnicode_InternFromString("id"));
    nb::object tokens = nb::steal(PyUnicode_InternFromString("tokens"));
    nb::object slots = nb::steal(PyUnicode_InternFromString("slots"));
    nb::object raw = nb::steal(PyUnicode_InternFromString("raw"));
    nb::object label = nb::steal(PyUnicode_InternFromString("label"));
    nb::object start = nb::steal(PyUnicode_InternFromString("start"));
    nb::object end = nb::steal(PyUnicode_InternFromString("end"));
    nb::object value = nb::steal(PyUnicode_InternFromString("value"));
};

inline nb::object get(nb::handle object, const nb::object &name) {
    auto *found = PyObject_GetAttr(object.ptr(), name.ptr());
    if (found == nullptr) throw nb::python_error();
    return nb::steal(found);
}

// A position; -1, which no token has, for what is not a whole number or a huge one.
inline Py_ssize_t get_number(nb::handle object, const nb::object &name) {
    const auto number = PyLong_AsSsize_t(get(object, name).ptr());
    if (number == -1) PyErr_Clear();
    return number;
}

// Whether it is a tuple of str: anything else is left to the twin.
inline bool is_words(nb::handle object) {
    if (!PyTuple_Check(object.ptr())) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(object.ptr()); ++i) {
        if (!PyUnicode_Check(PyTuple_GET_ITEM(object.ptr(), i))) return false;
    }
    return true;
}

inline nb::object call(const nb::object &type, std::initializer_list<PyObject *> arguments) {
    auto *made = PyObject_Vectorcall(type.ptr(), arguments.begin(), arguments.size(), nullptr);
    if (made == nullptr) throw nb::python_error();
    return nb::steal(made);
}

// A copy of a frozen struct with other values. It is not validated anew: what the kernel makes of
// a valid utterance is valid, which the tests prove against the twin.
inline nb::object copy_with(nb::handle object, std::initializer_list<std::pair<const nb::object *, PyObject *>> values) {
    static const auto &copy = *new nb::object(nb::steal(PyUnicode_InternFromString("__copy__")));
    PyObject *const self[] = {object.ptr()};
    auto *made = PyObject_VectorcallMethod(copy.ptr(), self, 1, nullptr);
    if (made == nullptr) throw nb::python_error();
    auto copied = nb::steal(made);
    for (const auto &[name, value] : values) {
        if (PyObject_GenericSetAttr(made, name->ptr(), value) < 0) throw nb::python_error();
    }
    return copied;
}

class Rewriting {
public:
    Rewriting(const Names &names, const nb::object &slot_type, nb::handle said, std::vector<Change> changes)
        : slot_type_(slot_type), changes_(std::move(changes)), names_(names) {
        source_ = get(said, names.tokens);
        raw_ = get(said, names.raw);
        slots_ = get(said, names.slots);
    }

    // Makes tokens, slots and raw text of the result; false where the twin has to look at it.
    bool make() {
        if (!typed() || !in_order() || !plain() || !find_words()) return false;
        make_tokens();
        if (!move_slots()) return false;
        text_ = text();
        return true;
    }

    nb::object heard(nb::handle said, nb::handle id) const {
        return copy_with(said, {{&names_.id, id.ptr()},
                                {&names_.tokens, tokens_.ptr()},
                                {&names_.slots, moved_.ptr()},
                                {&names_.raw, text_.ptr()}});
    }

private:
    Py_ssize_t count() const { return PyTuple_GET_SIZE(source_.ptr()); }
    PyObject *word(Py_ssize_t i) const { return PyTuple_GET_ITEM(source_.ptr(), i); }

    // What is read below without further checks; an empty token is an error of the twin.
    bool typed() const {
        const auto words = [](const Change &change) {
            if (!is_words(change.tokens)) return false;
            for (Py_ssize_t i = 0; i < change.size(); ++i) {
                if (PyUnicode_GetLength(PyTuple_GET_ITEM(change.tokens.ptr(), i)) == 0) return false;
            }
            return true;
        };
        return is_words(source_) && PyTuple_Check(slots_.ptr()) && (raw_.is_none() || PyUnicode_Check(raw_.ptr())) &&
               std::all_of(changes_.begin(), changes_.end(), words);
    }

    bool in_order() const {
        Py_ssize_t free = 0, touched = -1;
        for (const auto &change : changes_) {
            if (!(free <= change.start && change.start <= change.end && change.end <= count())) return false;
            if (change.inserts() && change.deletes()) return false;
            if (change.start == touched && (change.inserts() || change.deletes())) return false;
            free = change.end;
            touched = change.inserts() || change.deletes() ? free : -1;
        }
        return true;
    }

    // Only letters of one byte: no script without spaces is among them.
    bool plain() const {
        for (const auto &change : changes_) {
            for (Py_ssize_t i = 0; i < change.size(); ++i) {
                if (!one_byte(PyTuple_GET_ITEM(change.tokens.ptr(), i))) return false;
            }
        }
        return raw_.is_none() || (one_byte(raw_.ptr()) && count() > 0);
    }

    void make_tokens() {
        auto size = count();
        for (const auto &change : changes_) size += change.size() - (change.end - change.start);
        tokens_ = nb::steal(PyTuple_New(size));
        Py_ssize_t at = 0, to = 0;
        const auto copy = [&](PyObject *from, Py_ssize_t start, Py_ssize_t end) {
            for (auto i = start; i < end; ++i) {
                auto *item = PyTuple_GET_ITEM(from, i);
                Py_INCREF(item);
                PyTuple_SET_ITEM(tokens_.ptr(), to++, item);
            }
        };
        for (const auto &change : changes_) {
            copy(source_.ptr(), at, change.start);
            copy(change.tokens.ptr(), 0, change.size());
            at = change.end;
        }
        copy(source_.ptr(), at, count());
    }

    bool move_slots() {
        const auto n = PyTuple_GET_SIZE(slots_.ptr());
        moved_ = nb::steal(PyTuple_New(n));
        for (Py_ssize_t i = 0; i < n; ++i) {
            nb::handle slot = PyTuple_GET_ITEM(slots_.ptr(), i);
            const auto from = get_number(slot, names_.start), to = get_number(slot, names_.end);
            if (from < 0 || from >= to || to > count()) return false;
            auto start = from, end = to;
            bool inside = false;
            for (const auto &change : changes_) {
                const auto grows = change.size() - (change.end - change.start);
                if (change.end <= from) {
                    start += grows;
                    end += grows;
                } else if (change.start < to) {
                    if (!change.inserts() && (change.start < from || change.end > to)) return false;
                    end += grows;
                    inside = true;
                } else {
                    break;
                }
            }
            if (start == end) return false;
            auto kept = nb::borrow(slot);
            if (start != from || end != to || inside) {
                const auto a = nb::int_(start), b = nb::int_(end);
                const auto label = get(slot, names_.label);
                auto value = get(slot, names_.value);
                if (inside && value.is_none() && !same_words(from, to, start, end)) value = words(from, to);
                kept = call(slot_type_, {label.ptr(), a.ptr(), b.ptr(), value.ptr()});
            }
            PyTuple_SET_ITEM(moved_.ptr(), i, kept.release().ptr());
        }
        return true;
    }

    // Whether the words of a slot are those of the source.
    bool same_words(Py_ssize_t from, Py_ssize_t to, Py_ssize_t start, Py_ssize_t end) const {
        if (to - from != end - start) return false;
        for (Py_ssize_t i = 0; i < to - from; ++i) {
            const auto same = PyObject_RichCompareBool(word(from + i), PyTuple_GET_ITEM(tokens_.ptr(), start + i), Py_EQ);
            if (same < 0) throw nb::python_error();
            if (same == 0) return false;
        }
        return true;
    }

    // The words of the source as they are written: what a slot meant before the edits.
    nb::object words(Py_ssize_t from, Py_ssize_t to) const {
        if (!raw_.is_none()) {
            const auto first = offsets_[static_cast<std::size_t>(from)], last = ends_[static_cast<std::size_t>(to) - 1];
            const auto text = bytes(raw_.ptr()).substr(first, last - first);
            return nb::steal(PyUnicode_DecodeLatin1(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr));
        }
        static const auto &space = *new nb::object(nb::steal(PyUnicode_InternFromString(" ")));
        const auto part = nb::steal(PyTuple_GetSlice(source_.ptr(), from, to));
        return nb::steal(PyUnicode_Join(space.ptr(), part.ptr()));
    }

    // Where the words stand in the raw text; false where one is not there.
    bool find_words() {
        if (raw_.is_none()) return true;
        const auto source = bytes(raw_.ptr());
        std::size_t free = 0;
        for (Py_ssize_t i = 0; i < count(); ++i) {
            if (!one_byte(word(i))) return false;
            const auto token = bytes(word(i));
            const auto at = source.find(token, free);
            if (at == std::string_view::npos) return false;
            offsets_.push_back(at);
            ends_.push_back(free = at + token.size());
        }
        return true;
    }

    // The new text; None where it is the tokens joined by single spaces.
    nb::object text() const {
        if (raw_.is_none()) return nb::none();
        const auto source = bytes(raw_.ptr());
        const auto &offsets = offsets_, &ends = ends_;
        std::string result;
        result.reserve(source.size() + 16 * changes_.size());
        std::size_t at = 0;
        for (const auto &change : changes_) {
            const auto start = static_cast<std::size_t>(change.start), end = static_cast<std::size_t>(change.end);
            const auto splice = [&](std::size_t from, std::size_t to) {
                result += source.substr(at, from - at);
                at = to;
            };
            if (change.inserts()) {
                const bool last = start == offsets.size();
                splice(last ? ends.back() : offsets[start], last ? ends.back() : offsets[start]);
                if (last || (start > 0 && ends[start - 1] == offsets[start])) result += ' ';
                join(result, change, {});
                if (!last) result += ' ';
            } else if (change.deletes()) {
                if (start > 0 && ends[start - 1] == offsets[start]) splice(offsets[start], ends[end - 1]);
                else if (end < offsets.size()) splice(offsets[start], offsets[end]);
                else splice(start > 0 ? ends[start - 1] : offsets[0], ends[end - 1]);
            } else {
                splice(offsets[start], ends[end - 1]);
                std::vector<std::string_view> gaps;
                if (change.size() == change.end - change.start) {
                    for (auto i = start; i + 1 < end; ++i) gaps.push_back(source.substr(ends[i], offsets[i + 1] - ends[i]));
                }
                join(result, change, gaps);
            }
        }
        result += source.substr(at);
        if (is_joined(result)) return nb::none();
        return nb::steal(PyUnicode_DecodeLatin1(result.data(), static_cast<Py_ssize_t>(result.size()), nullptr));
    }

    static void join(std::string &result, const Change &change, const std::vector<std::string_view> &gaps) {
        for (Py_ssize_t i = 0; i < change.size(); ++i) {
            if (i > 0) result += gaps.empty() ? std::string_view(" ") : gaps[static_cast<std::size_t>(i) - 1];
            result += bytes(PyTuple_GET_ITEM(change.tokens.ptr(), i));
        }
    }

    bool is_joined(std::string_view text) const {
        const auto n = PyTuple_GET_SIZE(tokens_.ptr());
        for (Py_ssize_t i = 0; i < n; ++i) {
            const auto token = bytes(PyTuple_GET_ITEM(tokens_.ptr(), i));
            if (i > 0) {
                if (text.empty() || text[0] != ' ') return false;
                text.remove_prefix(1);
            }
            if (text.substr(0, token.size()) != token) return false;
            text.remove_prefix(token.size());
        }
        return text.empty();
    }

    const nb::object &slot_type_;
    std::vector<Change> changes_;
    const Names &names_;
    nb::object source_, raw_, slots_, tokens_, moved_, text_;
    std::vector<std::size_t> offsets_, ends_;
};

// The types of Python that the kernel makes.
struct PythonTypes {
    nb::object edit, slot, variant;
};

class Rewriter {
public:
    Rewriter(PythonTypes types, OptionTypes options, nb::object name, bool inserts, nb::object grow)
        : types_(std::move(types)), name_(std::move(name)), inserts_(inserts), trees_(std::move(options), std::move(grow)) {}

    // The variant; None where the twin has to make it.
    nb::object rewrite(nb::handle said, nb::str id, nb::bytes prefix, std::uint64_t threshold, double share,
                       const Spans &barred) {
        const auto tokens = get(said, names_.tokens), raw = get(said, names_.raw);
        if (!is_words(tokens) || !(raw.is_none() || PyUnicode_Check(raw.ptr()))) return nb::none();
        if (!(share >= 0 && share <= 1)) throw nb::value_error("a share must be within [0, 1]");
        const auto n = PyTuple_GET_SIZE(tokens.ptr());
        if (inserts_ && n < 2) return nb::none();
        OptionTrees::Walker walker(trees_);
        const auto key = key_of({prefix.c_str(), prefix.size()}, tokens, raw);
        const auto least = std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(n) + 0.5));
        const Py_ssize_t first = inserts_ ? 1 : 0;
        const auto sites = static_cast<std::size_t>(n - first);
        std::vector<Chosen> chosen;
        std::size_t taken = 0;
        auto found = walk(key, first, n, threshold, least + least / 8 + 4);
        for (;;) {
            while (taken < found.sites.size()) {
                if (chosen.size() >= least && taken >= found.below) break;
                const auto site = static_cast<Py_ssize_t>(found.sites[taken++]);
                const auto end = inserts_ ? site : site + 1;
                if (is_barred(barred, site, end)) continue;
                if (inserts_ && is_mark(utf8(PyTuple_GET_ITEM(tokens.ptr(), site)))) continue;
                const nb::handle token = inserts_ ? nb::handle(nothing_) : nb::handle(PyTuple_GET_ITEM(tokens.ptr(), site));
                auto picked = walker.pick(token, Lanes(key, static_cast<std::uint64_t>(site)));
                if (picked.tokens.is_valid()) chosen.push_back({{site, end, std::move(picked.tokens)}, std::move(picked.kind)});
            }
            if (taken < found.sites.size() || taken == sites) break;
            if (chosen.size() >= least && taken >= found.below) break;
            found = walk(key, first, n, threshold, sites);
        }
        return finish(said, id, chosen);
    }

protected:
    static bool is_barred(const Spans &barred, Py_ssize_t start, Py_ssize_t end) {
        for (const auto &[from, to] : barred) {
            if (start < to && end > from) return true;
        }
        return false;
    }

    std::uint64_t key_of(std::string_view prefix, const nb::object &tokens, const nb::object &raw) const {
        Blake2b64 hash;
        hash.add(prefix);
        if (!raw.is_none()) {
            hash.add(utf8(raw));
            return hash.finish();
        }
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tokens.ptr()); ++i) {
            if (i > 0) hash.add(" ");
            hash.add(utf8(PyTuple_GET_ITEM(tokens.ptr(), i)));
        }
        return hash.finish();
    }

    nb::object finish(nb::handle said, nb::handle id, std::vector<Chosen> &chosen) {
        std::sort(chosen.begin(), chosen.end(),
                  [](const auto &a, const auto &b) { return a.change.start < b.change.start; });
        auto edits = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(chosen.size())));
        std::vector<Change> changes;
        changes.reserve(chosen.size());
        Py_ssize_t at = 0;
        for (auto &[change, kind] : chosen) {
            const auto start = number(change.start), end = number(change.end);
            auto edit = call(types_.edit, {start.ptr(), end.ptr(), change.tokens.ptr(), name_.ptr(), kind.ptr()});
            PyTuple_SET_ITEM(edits.ptr(), at++, edit.release().ptr());
            changes.push_back(std::move(change));
        }
        Rewriting rewriting(names_, types_.slot, said, std::move(changes));
        if (!rewriting.make()) return nb::none();
        const auto heard = rewriting.heard(said, id);
        return call(types_.variant, {heard.ptr(), said.ptr(), edits.ptr()});
    }

    // Positions as Python numbers, made once.
    nb::object number(Py_ssize_t n) {
        if (n >= 65536) return nb::int_(n);
        for (auto i = static_cast<Py_ssize_t>(numbers_.size()); i <= n; ++i) numbers_.push_back(nb::int_(i));
        return numbers_[static_cast<std::size_t>(n)];
    }

    Names names_;
    PythonTypes types_;
    nb::object name_;
    bool inserts_;
    OptionTrees trees_;
    nb::str nothing_{""};  // the token of an insertion
    std::vector<nb::object> numbers_;
};

}  // namespace mondegreen
