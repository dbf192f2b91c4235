// What the parts of the binding share: Python's texts and arrays, in both directions.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "blake2b.hpp"
#include "stable.hpp"

namespace mondegreen {

namespace nb = nanobind;

// Each adds the functions and classes of its file to the module.
void bind_draws(nb::module_ &m);
void bind_rewriting(nb::module_ &m);
void bind_alignment(nb::module_ &m);
void bind_counting(nb::module_ &m);
void bind_search(nb::module_ &m);
void bind_tagging(nb::module_ &m);
void bind_values(nb::module_ &m);

inline std::string_view utf8(nb::handle text) {
    Py_ssize_t size = 0;
    const char *bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (bytes == nullptr) throw nb::python_error();  // a lone surrogate: UnicodeEncodeError
    return {bytes, static_cast<std::size_t>(size)};
}

inline std::u32string code_points(nb::handle text) {
    if (!PyUnicode_Check(text.ptr())) throw nb::type_error("a word is not a str");
    const auto size = PyUnicode_GetLength(text.ptr());
    std::u32string points(static_cast<std::size_t>(size), U'\0');
    if (size > 0 && PyUnicode_AsUCS4(text.ptr(), reinterpret_cast<Py_UCS4 *>(points.data()), size, 0) == nullptr) {
        throw nb::python_error();
    }
    return points;
}

inline std::uint64_t hash(std::string_view prefix, std::string_view text) {
    Blake2b64 hash;
    hash.add(prefix);
    hash.add(text);
    return hash.finish();
}

template <typename T>
nb::object array_of(std::vector<T> &&values, std::vector<std::size_t> shape) {
    auto *kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner));
}

}  // namespace mondegreen
