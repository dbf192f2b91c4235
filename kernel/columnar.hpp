// Part of the binding: variants of plain lines of text, without a Python object per utterance.
//
// The readable twin is Engine.variant (mondegreen.perturbation.engine). Lines that are out of the
// ordinary are left to it: other spacing than single spaces, letters beyond Latin-1, single words.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rewriter.hpp"

namespace mondegreen {

class LineRewriter : public Rewriter {
public:
    using Rewriter::Rewriter;

    // The block with each line rewritten; the lines to leave to the twin as (number, place in the
    // result); the number of lines; of those that changed; and of edits.
    nb::tuple rewrite_lines(nb::bytes block, nb::bytes prefix, std::uint64_t threshold, double share) {
        const std::string_view text{block.c_str(), block.size()}, start{prefix.c_str(), prefix.size()};
        std::string result;
        result.reserve(text.size() + text.size() / 4);
        nb::list left;
        std::size_t lines = 0, changed = 0, edits = 0;
        for (std::size_t at = 0; at < text.size(); ++lines) {
            const auto end = std::min(text.find('\n', at), text.size());
            const auto line = text.substr(at, end - at);
            const auto before = result.size();
            const auto made = split(line) ? rewrite_line(line, start, threshold, share, result) : LEFT;
            if (made == LEFT) {
                result.resize(before);
                left.append(nb::make_tuple(lines, before));
            } else {
                changed += made > 0;
                edits += made;
            }
            result += '\n';
            at = end + 1;
        }
        return nb::make_tuple(nb::bytes(result.data(), result.size()), left, lines, changed, edits);
    }

private:
    static constexpr std::size_t LEFT = ~std::size_t{0};

    struct Piece {
        std::size_t site, start, end;  // the place of the new words in ``fresh_``
    };

    // Finds the words; false where the line is out of the ordinary.
    bool split(std::string_view line) {
        words_.clear();
        std::size_t start = 0;
        for (std::size_t at = 0; at < line.size(); ++at) {
            const auto c = static_cast<unsigned char>(line[at]);
            if (c == ' ') {
                if (at == start) return false;
                words_.push_back(line.substr(start, at - start));
                start = at + 1;
            } else if (c < 0x20) {
                return false;
            } else if (c >= 0x80) {
                if (c != 0xc2 && c != 0xc3) return false;
                const auto next = at + 1 < line.size() ? static_cast<unsigned char>(line[at + 1]) : 0;
                if (c == 0xc2 && (next == 0x85 || next == 0xa0)) return false;
                ++at;
            }
        }
        if (start >= line.size()) return false;
        words_.push_back(line.substr(start));
        return words_.size() > 1;
    }

    // Appends the variant of a line; returns the number of edits, or LEFT.
    std::size_t rewrite_line(std::string_view line, std::string_view prefix, std::uint64_t threshold, double share,
                             std::string &result) {
        Blake2b64 hash;
        hash.add(prefix);
        hash.add(line);
        const auto key = hash.finish();
        const auto n = static_cast<std::int64_t>(words_.size());
        const auto least = std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(n) + 0.5));
        const std::int64_t first = inserts_ ? 1 : 0;
        const auto sites = static_cast<std::size_t>(n - first);
        pieces_.clear();
        fresh_.clear();
        std::size_t taken = 0;
        auto found = walk(key, first, n, threshold, least + least / 8 + 4);
        for (;;) {
            while (taken < found.sites.size()) {
                if (pieces_.size() >= least && taken >= found.below) break;
                const auto site = static_cast<std::size_t>(found.sites[taken++]);
                auto *tree = inserts_ ? &tree_ : line_tree(words_[site]);
                const auto start = fresh_.size();
                const auto picked = append(tree, Lanes(key, site));
                if (picked == Picked::odd) return LEFT;
                if (picked == Picked::some) pieces_.push_back({site, start, fresh_.size()});
            }
            if (taken < found.sites.size() || taken == sites) break;
            if (pieces_.size() >= least && taken >= found.below) break;
            found = walk(key, first, n, threshold, sites);
        }
        write(result);
        return pieces_.size();
    }

    void write(std::string &result) {
        std::sort(pieces_.begin(), pieces_.end(), [](const auto &a, const auto &b) { return a.site < b.site; });
        auto piece = pieces_.begin();
        for (std::size_t at = 0; at < words_.size(); ++at) {
            if (at > 0) result += ' ';
            if (piece != pieces_.end() && piece->site == at) {
                result.append(fresh_, piece->start, piece->end - piece->start);
                ++piece;
                if (!inserts_) continue;
                result += ' ';
            }
            result += words_[at];
        }
    }

    enum class Picked { none, some, odd };

    // Appends the words that are drawn from a tree to ``fresh_``.
    Picked append(Node *node, Lanes lanes) {
        while (node->type == Node::Type::choice || node->type == Node::Type::later) {
            if (node->type == Node::Type::later) *node = node_of(node->grow(node->source));
            else node = &node->options[drawn(lanes, node->options.size(), node->weights)];
        }
        if (node->type == Node::Type::none) return Picked::none;
        if (node->type == Node::Type::letters && append_letter(*node, lanes)) return Picked::some;
        const auto tokens = pick(node, lanes).tokens;
        const auto size = PyTuple_GET_SIZE(tokens.ptr());
        if (size == 0) return Picked::odd;  // a deletion
        for (Py_ssize_t i = 0; i < size; ++i) {
            auto *token = PyTuple_GET_ITEM(tokens.ptr(), i);
            if (!one_byte(token)) return Picked::odd;
            if (i > 0) fresh_ += ' ';
            fresh_ += utf8(token);
        }
        return Picked::some;
    }

    // A letter of an ASCII word; false where the word has others, before anything is drawn.
    bool append_letter(const Node &node, Lanes lanes) {
        const auto ascii = [](PyObject *text) { return PyUnicode_IS_ASCII(text) != 0; };
        if (!ascii(node.source.ptr())) return false;
        const auto &[at, others] = node.places[lanes.below(node.places.size())];
        if (!ascii(others.ptr())) return false;
        const auto letter = lanes.below(static_cast<std::uint64_t>(PyUnicode_GET_LENGTH(others.ptr())));
        const auto start = fresh_.size();
        fresh_ += bytes(node.source.ptr());
        fresh_[start + static_cast<std::size_t>(at)] = bytes(others.ptr())[letter];
        return true;
    }

    Node *line_tree(std::string_view word) {
        const auto found = by_word_.find(word);
        if (found != by_word_.end()) return found->second;
        nodes_.push_back(node_of(options_(nb::str(word.data(), word.size()))));
        kept_.emplace_back(word);
        return by_word_[kept_.back()] = &nodes_.back();
    }

    std::vector<std::string_view> words_;
    std::vector<Piece> pieces_;
    std::string fresh_;
    std::deque<std::string> kept_;
    std::unordered_map<std::string_view, Node *> by_word_;
};

}  // namespace mondegreen
