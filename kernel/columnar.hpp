// Part of the binding: variants of plain lines of text, without a Python object per utterance.
//
// The readable twin is Engine.variant (mondegreen.perturbation.engine). Lines that are out of the
// ordinary are left to it: other spacing than spaces, scripts without spaces, nowhere to insert.
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
    // result, start and end in the block); the number of lines; of those that changed; and of edits.
    // ``look`` says what a word looks like (mondegreen.text.verbatim.look_of), and ``spans`` which
    // words of a line are protected. Both are None where nothing is protected.
    nb::tuple rewrite_lines(nb::bytes block, nb::bytes prefix, std::uint64_t threshold, double share, nb::object look, nb::object spans) {
        if (!(share >= 0 && share <= 1)) throw nb::value_error("a share must be within [0, 1]");
        const auto busy = begin();
        const std::string_view text{block.c_str(), block.size()};
        auto line = started({prefix.c_str(), prefix.size()}, threshold, share, look, spans);
        std::string result;
        result.reserve(text.size() + text.size() / 4);
        nb::list left;
        std::size_t lines = 0, changed = 0, edits = 0;
        for (std::size_t at = 0; at < text.size(); ++lines) {
            const auto end = std::min(text.find('\n', at), text.size());
            line.text = text.substr(at, end - at);
            if (split(line) && rewrite_line(line, result)) {
                changed += !line.pieces.empty();
                edits += line.pieces.size();
            } else {
                left.append(nb::make_tuple(lines, result.size(), at, end));
            }
            result += '\n';
            at = end + 1;
        }
        return nb::make_tuple(nb::bytes(result.data(), result.size()), left, lines, changed, edits);
    }

protected:
    static constexpr std::size_t MOST = std::size_t{1} << 18;  // words that are remembered
    static constexpr std::size_t LONGEST = std::size_t{1} << 30;  // bytes of a line

    struct Piece {
        std::size_t site, start, end;  // the place of the new words in ``fresh``
        std::size_t first, last;       // their ends in ``ends``
        PyObject *kind;
    };

    // A word as Python knows it, how it looks, and its options.
    struct Word {
        nb::object token;
        int look;
        Node *tree = nullptr;
        std::size_t age = 0;  // of the trees when it was found
    };

    struct Place {
        std::uint32_t start, end;
        bool letters;  // nothing but letters of ASCII
    };

    // A line at work, and what holds for all lines.
    struct Line {
        std::string_view prefix;
        std::uint64_t threshold;
        double share;
        nb::object look, spans;
        OptionTrees::Walker walker;
        Node *inserted = nullptr;  // the options of an insertion
        std::string_view text{};
        std::vector<Place> words{};
        std::vector<int> looks{};
        Spans barred{};
        std::vector<Piece> pieces{};
        std::string fresh{};
        std::vector<std::size_t> ends{};
        Walk walk{};

        std::string_view word(std::size_t at) const { return text.substr(words[at].start, words[at].end - words[at].start); }
    };

    // Counts the calls at work: while Python runs, another thread may make one.
    struct Busy {
        explicit Busy(std::size_t &n) : n_(n) { ++n_; }
        ~Busy() { --n_; }
        Busy(const Busy &) = delete;
        Busy &operator=(const Busy &) = delete;
        std::size_t &n_;
    };

    Busy begin() {
        if (at_work_ == 0 && known_.size() > MOST) forget();
        return Busy(at_work_);
    }

    Line started(std::string_view prefix, std::uint64_t threshold, double share, nb::object look, nb::object spans) {
        return Line{prefix, threshold, share, std::move(look), std::move(spans), OptionTrees::Walker(trees_),
                    inserts_ ? OptionTrees::Walker(trees_).tree_of(nothing_) : nullptr};
    }

    // Finds the words; false where the line is out of the ordinary.
    bool split(Line &line) const {
        const auto text = line.text;
        line.words.clear();
        if (text.size() > LONGEST) return false;
        const auto size = static_cast<std::uint32_t>(text.size());
        for (std::uint32_t at = 0; at < size;) {
            if (text[at] == ' ') {
                ++at;
                continue;
            }
            const auto start = at;
            bool letters = true;
            for (; at < size && text[at] != ' '; ++at) {
                const auto c = static_cast<unsigned char>(text[at]);
                if (Looks::is_letter(c)) continue;
                letters = false;
                const auto width = static_cast<std::uint32_t>(ordinary_width(text, at));
                if (width == 0) return false;
                at += width - 1;
            }
            line.words.push_back({start, at, letters});
        }
        return line.words.size() > (inserts_ ? 1 : 0);
    }

    // Appends the variant of a line; false, and nothing is appended, where the twin has to make it.
    bool rewrite_line(Line &line, std::string &result) {
        bar(line);
        if (!choose(line)) return false;
        sort(line);
        write(line, result);
        return true;
    }

    // Chooses the edits of a line whose protected words are known; false where the twin has to.
    bool choose(Line &line) {
        Blake2b64 hash;
        hash.add(line.prefix);
        hash.add(line.text);
        const auto key = hash.finish();
        const auto n = static_cast<std::int64_t>(line.words.size());
        const auto least = std::max<std::size_t>(1, static_cast<std::size_t>(line.share * static_cast<double>(n) + 0.5));
        const std::int64_t first = inserts_ ? 1 : 0;
        const auto sites = static_cast<std::size_t>(n - first);
        line.pieces.clear();
        line.fresh.clear();
        line.ends.clear();
        std::size_t taken = 0;
        auto &found = line.walk;
        walk(key, first, n, line.threshold, least + least / 8 + 4, found);
        for (;;) {
            while (taken < found.sites.size()) {
                if (line.pieces.size() >= least && taken >= found.below) break;
                const auto site = static_cast<std::size_t>(found.sites[taken++]);
                const auto place = static_cast<Py_ssize_t>(site);
                if (is_barred(line.barred, place, inserts_ ? place : place + 1)) continue;
                if (inserts_ && !line.words[site].letters && is_mark(line.word(site))) continue;
                const auto start = line.fresh.size(), first_end = line.ends.size();
                auto *tree = inserts_ ? line.inserted : tree_of(line, site);
                PyObject *kind = nullptr;
                const auto wrote = line.walker.write(tree, Lanes(key, site), line.fresh, line.ends, kind);
                if (wrote == Wrote::odd) return false;
                if (wrote == Wrote::some) line.pieces.push_back({site, start, line.fresh.size(), first_end, line.ends.size(), kind});
            }
            if (taken < found.sites.size() || taken == sites) break;
            if (line.pieces.size() >= least && taken >= found.below) break;
            walk(key, first, n, line.threshold, sites, found);
        }
        return true;
    }

    // Finds out which words are protected.
    void bar(Line &line) {
        line.barred.clear();
        if (line.look.is_none()) return;
        line.looks.clear();
        int seen = 0;
        for (std::size_t at = 0; at < line.words.size(); ++at) {
            const auto look = look_of(line, at);
            line.looks.push_back(look);
            seen |= look;
        }
        if (seen & Looks::OPENS) {
            nb::list tokens;
            for (std::size_t at = 0; at < line.words.size(); ++at) {
                const auto word = line.word(at);
                tokens.append(nb::str(word.data(), word.size()));
            }
            line.barred = nb::cast<Spans>(line.spans(tokens));
        } else if (seen) {
            Looks::spans(line.looks, line.barred);
        }
    }

    int look_of(Line &line, std::size_t at) {
        const auto word = line.word(at);
        if (line.words[at].letters && Looks::plain(word)) return 0;
        return word_of(word, line.look)->look;
    }

    Node *tree_of(Line &line, std::size_t site) {
        auto *word = word_of(line.word(site), line.look);
        if (word->tree == nullptr || word->age != line.walker.age()) {
            auto *tree = line.walker.tree_of(word->token);
            word->age = line.walker.age();
            word->tree = tree;
        }
        return word->tree;
    }

    // A word, looked up once; its place in the table never changes.
    Word *word_of(std::string_view word, const nb::object &look) {
        const auto found = known_.find(word);
        if (found != known_.end()) return &found->second;
        const auto token = nb::str(word.data(), word.size());
        const auto looks = look.is_none() ? 0 : nb::cast<int>(look(token));
        kept_.emplace_back(word);
        return &known_.try_emplace(kept_.back(), Word{token, looks}).first->second;
    }

    static void sort(Line &line) {
        std::sort(line.pieces.begin(), line.pieces.end(), [](const auto &a, const auto &b) { return a.site < b.site; });
    }

    void write(const Line &line, std::string &result) const {
        std::size_t done = 0;
        for (const auto &piece : line.pieces) {
            const auto &word = line.words[piece.site];
            result.append(line.text, done, word.start - done);
            result.append(line.fresh, piece.start, piece.end - piece.start);
            if (inserts_) result += ' ';
            done = inserts_ ? word.start : word.end;
        }
        result.append(line.text, done, line.text.size() - done);
    }

    void forget() {
        known_.clear();
        kept_.clear();
    }

    std::size_t at_work_ = 0;
    std::deque<std::string> kept_;
    std::unordered_map<std::string_view, Word> known_;
};

}  // namespace mondegreen
