// Python's texts and tuples read in place, or by functions of the stable ABI, which has no view of their memory.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

#ifdef Py_LIMITED_API
#define PyTuple_GET_SIZE PyTuple_Size
#define PyTuple_GET_ITEM PyTuple_GetItem
#define PyTuple_SET_ITEM PyTuple_SetItem  // of a tuple that nobody else has yet
#define PyList_GET_SIZE PyList_Size
#define PyList_GET_ITEM PyList_GetItem
#define PyList_SET_ITEM PyList_SetItem
#define PyDict_GET_SIZE PyDict_Size
#endif

namespace mondegreen {

// The letters of a text of ASCII; no data where it is another text.
inline std::string_view ascii(PyObject *text) {
#ifdef Py_LIMITED_API
    Py_ssize_t size = 0;
    const char *letters = PyUnicode_AsUTF8AndSize(text, &size);
    if (letters == nullptr) PyErr_Clear();  // a lone surrogate
    if (letters == nullptr || size != PyUnicode_GetLength(text)) return {};
    return {letters, static_cast<std::size_t>(size)};
#else
    if (!PyUnicode_IS_ASCII(text)) return {};
    return {reinterpret_cast<const char *>(PyUnicode_1BYTE_DATA(text)), static_cast<std::size_t>(PyUnicode_GET_LENGTH(text))};
#endif
}

// The characters of a text that has one byte for each; no data where it has more. By the stable ABI: of ASCII.
inline std::string_view bytes(PyObject *text) {
#ifdef Py_LIMITED_API
    return ascii(text);
#else
    if (PyUnicode_KIND(text) != PyUnicode_1BYTE_KIND) return {};
    return {reinterpret_cast<const char *>(PyUnicode_1BYTE_DATA(text)), static_cast<std::size_t>(PyUnicode_GET_LENGTH(text))};
#endif
}

inline bool one_byte(PyObject *text) { return bytes(text).data() != nullptr; }

}  // namespace mondegreen
