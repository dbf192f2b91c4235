// Part of the binding: trees of options (mondegreen.operators.options), taken over once per word type.
//
// Growing a tree calls Python, which may run other threads that walk the same trees. So a node is made in full
// before it takes its place, a tree never moves, and trees are forgotten only while nobody walks them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "draw.hpp"
#include "stable.hpp"
#include "words.hpp"

namespace mondegreen {

namespace nb = nanobind;

struct Node {
    enum class Type { none, swap, others, letters, choice, later } type = Type::none;
    nb::object kind;
    nb::object source;                                      // Others: the word; Letters and Later: the token
    std::vector<std::uint64_t> weights;                     // of the options or the words
    std::vector<Node> options;                              // Choice
    nb::object grow;                                        // Later
    nb::object words;                                       // Others
    std::vector<std::pair<Py_ssize_t, nb::object>> places;  // Letters
    std::vector<nb::object> tokens;                         // Swap: one; Others: as they are needed
};

struct Picked {
    nb::object kind, tokens;
};

// Whether words were written: none were drawn; some; or the twin has to write them.
enum class Wrote { none, some, odd };

// The types of Python that options have.
struct OptionTypes {
    nb::object swap, others, letters, choice;
};

inline nb::tuple tuple_of(nb::handle object, const char *what) {
    if (!PyTuple_Check(object.ptr())) throw nb::type_error(what);
    return nb::borrow<nb::tuple>(object);
}

class OptionTrees {
public:
    OptionTrees(OptionTypes types, nb::object options) : types_(std::move(types)), options_(std::move(options)) {}

    // Somebody who walks trees; while there is one, no tree is forgotten.
    class Walker {
    public:
        explicit Walker(OptionTrees &trees) : trees_(trees) {
            if (trees_.walkers_ == 0 && trees_.nodes_.size() > MOST) trees_.forget();
            ++trees_.walkers_;
        }
        ~Walker() { --trees_.walkers_; }
        Walker(const Walker &) = delete;
        Walker &operator=(const Walker &) = delete;

        Picked pick(nb::handle token, Lanes lanes) { return trees_.pick(trees_.tree_of(token), lanes); }

        // The options of a token; they stay where they are until the trees have another age.
        Node *tree_of(nb::handle token) { return trees_.tree_of(token); }

        // How often all trees were forgotten.
        std::size_t age() const { return trees_.age_; }

        // Appends the words that are drawn from a tree, the place where each of them ends, and gives their kind.
        Wrote write(Node *tree, Lanes lanes, std::string &out, std::vector<std::size_t> &ends, PyObject *&kind) {
            return trees_.write(tree, lanes, out, ends, kind);
        }

    private:
        OptionTrees &trees_;
    };

private:
    static constexpr std::size_t MOST = std::size_t{1} << 18;

    void forget() {
        nb::dict places;
        std::deque<Node> nodes;
        std::swap(places, places_);
        ++age_;
        nodes.swap(nodes_);  // what they hold is released when nothing here refers to it any more
    }

    Node *tree_of(nb::handle token) {
        if (auto *place = find(token)) return place;
        auto made = node_of(options_(token));
        if (auto *place = find(token)) return place;  // another thread was faster
        const auto at = nodes_.size();
        nodes_.push_back(std::move(made));
        places_[token] = at;
        return &nodes_[at];
    }

    Node *find(nb::handle token) {
        auto *place = PyDict_GetItemWithError(places_.ptr(), token.ptr());
        if (place == nullptr && PyErr_Occurred()) throw nb::python_error();
        return place == nullptr ? nullptr : &nodes_[PyLong_AsSize_t(place)];
    }

    // The leaf that is drawn.
    Node *leaf(Node *node, Lanes &lanes) const {
        while (node->type == Node::Type::choice || node->type == Node::Type::later) {
            if (node->type == Node::Type::later) unfold(*node);
            else node = &node->options[drawn(lanes, node->options.size(), node->weights)];
        }
        return node;
    }

    Wrote write(Node *node, Lanes lanes, std::string &out, std::vector<std::size_t> &ends, PyObject *&kind) const {
        node = leaf(node, lanes);
        if (node->type == Node::Type::none) return Wrote::none;
        kind = node->kind.ptr();
        if (node->type == Node::Type::letters && write_letter(*node, lanes, out)) {
            ends.push_back(out.size());
            return Wrote::some;
        }
        const auto tokens = pick(node, lanes).tokens;
        const auto size = PyTuple_GET_SIZE(tokens.ptr());
        if (size == 0) return Wrote::odd;  // a deletion
        for (Py_ssize_t i = 0; i < size; ++i) {
            auto *token = PyTuple_GET_ITEM(tokens.ptr(), i);
            if (!PyUnicode_Check(token)) return Wrote::odd;
            Py_ssize_t length = 0;
            const char *text = PyUnicode_AsUTF8AndSize(token, &length);
            if (text == nullptr) throw nb::python_error();
            const std::string_view word{text, static_cast<std::size_t>(length)};
            if (!is_ordinary(word)) return Wrote::odd;
            if (i > 0) out += ' ';
            out += word;
            ends.push_back(out.size());
        }
        return Wrote::some;
    }

    // Writes a word of ASCII with another letter; false, and nothing drawn, where it is not of ASCII.
    static bool write_letter(const Node &node, Lanes lanes, std::string &out) {
        const auto word = ascii(node.source.ptr());
        if (word.data() == nullptr) return false;
        const auto &[at, others] = node.places[lanes.below(node.places.size())];
        const auto letters = ascii(others.ptr());
        if (letters.data() == nullptr) return false;
        const auto letter = lanes.below(letters.size());
        const auto start = out.size();
        out.append(word);
        out[start + static_cast<std::size_t>(at)] = letters[letter];
        return true;
    }

    Picked pick(Node *node, Lanes lanes) const {
        node = leaf(node, lanes);
        if (node->type == Node::Type::none) return {};
        if (node->type == Node::Type::swap) return {node->kind, node->tokens[0]};
        if (node->type == Node::Type::letters) return {node->kind, nb::make_tuple(with_letter(*node, lanes))};
        const auto at = drawn(lanes, node->tokens.size(), node->weights);
        if (!node->tokens[at].is_valid()) {
            const auto words = nb::object(nb::handle(node->words)[at]).attr("split")();
            auto dressed = nb::object(tuple_of(node->source.attr("dressed")(nb::tuple(words)), "the tokens of an option are not a tuple"));
            std::swap(node->tokens[at], dressed);
        }
        return {node->kind, node->tokens[at]};
    }

    // Takes over the options of a node that were left for later.
    void unfold(Node &node) const {
        const auto grow = node.grow, source = node.source;
        auto made = node_of(grow(source));
        if (node.type == Node::Type::later) std::swap(node, made);  // else another thread was faster
    }

    static std::size_t drawn(Lanes &lanes, std::size_t n, const std::vector<std::uint64_t> &weights) {
        return weights.empty() ? lanes.below(n) : lanes.weighted(weights);
    }

    static nb::object with_letter(const Node &node, Lanes &lanes) {
        const auto &[at, others] = node.places[lanes.below(node.places.size())];
        const auto letter = static_cast<Py_ssize_t>(lanes.below(nb::len(others)));
        const auto text = [](PyObject *made) {
            if (made == nullptr) throw nb::python_error();
            return nb::steal(made);
        };
        const auto piece = [&](nb::handle from, Py_ssize_t start, Py_ssize_t end) { return text(PyUnicode_Substring(from.ptr(), start, end)); };
        const auto size = PyUnicode_GetLength(node.source.ptr());
        const auto head = text(PyUnicode_Concat(piece(node.source, 0, at).ptr(), piece(others, letter, letter + 1).ptr()));
        return text(PyUnicode_Concat(head.ptr(), piece(node.source, at + 1, size).ptr()));
    }

    Node node_of(nb::handle option) const {
        const nb::handle type = reinterpret_cast<PyObject *>(Py_TYPE(option.ptr()));
        Node node{};
        if (option.is_none()) return node;
        if (type.is(types_.choice)) {
            node.type = Node::Type::choice;
            for (auto child : tuple_of(option.attr("options"), "the options of a choice are not a tuple")) node.options.push_back(node_of(child));
            node.weights = weights_of(option, node.options.size());
            return node;
        }
        if (!type.is(types_.swap) && !type.is(types_.others) && !type.is(types_.letters)) {
            node.type = Node::Type::later;
            node.grow = option.attr("options");
            node.source = option.attr("token");
            return node;
        }
        node.kind = option.attr("kind");
        if (type.is(types_.swap)) {
            node.type = Node::Type::swap;
            node.tokens = {nb::object(tuple_of(option.attr("tokens"), "the tokens of an option are not a tuple"))};
        } else if (type.is(types_.others)) {
            node.type = Node::Type::others;
            node.source = option.attr("word");
            node.words = tuple_of(option.attr("words"), "the words of an option are not a tuple");
            node.tokens.resize(nb::len(node.words));
            node.weights = weights_of(option, node.tokens.size());
        } else {
            take_letters(option, node);
        }
        return node;
    }

    static void take_letters(nb::handle option, Node &node) {
        node.type = Node::Type::letters;
        node.source = nb::cast<nb::str>(nb::object(option.attr("token")));
        const auto size = PyUnicode_GetLength(node.source.ptr());
        for (auto place : tuple_of(option.attr("places"), "the places of letters are not a tuple")) {
            const auto at = nb::cast<Py_ssize_t>(nb::object(place[0]));
            auto others = nb::cast<nb::str>(nb::object(place[1]));
            if (at < 0 || at >= size || nb::len(others) == 0) throw nb::value_error("a place of letters is outside its token, or has no letters");
            node.places.emplace_back(at, std::move(others));
        }
        if (node.places.empty()) throw nb::value_error("an option has no places for letters");
    }

    static std::vector<std::uint64_t> weights_of(nb::handle option, std::size_t n) {
        auto weights = nb::cast<std::vector<std::uint64_t>>(nb::object(option.attr("weights")));
        if (n == 0) throw nb::value_error("an option offers nothing to choose from");
        if (!weights.empty() && weights.size() != n) throw nb::value_error("an option has more or fewer weights than choices");
        return weights;
    }

    OptionTypes types_;
    nb::object options_;
    nb::dict places_;         // where the tree of each token is
    std::deque<Node> nodes_;  // does not move what it holds
    std::size_t walkers_ = 0;
    std::size_t age_ = 0;
};

}  // namespace mondegreen
