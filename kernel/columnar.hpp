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
    // result); the number of lines; of those that changed; and of edits. ``look`` says of a word
    // whether it is plain (0), protected (1), or asks to look at the whole line (2); ``spans`` looks
    // at it. Both are None where nothing is protected.
    nb::tuple rewrite_lines(nb::bytes block, nb::bytes prefix, std::uint64_t threshold, double share, nb::object look, nb::object spans) {
        if (!(share >= 0 && share <= 1)) throw nb::value_error("a share must be within [0, 1]");
        if (at_work_ == 0 && known_.size() > MOST) forget();
        const Busy busy(at_work_);
        const std::string_view text{block.c_str(), block.size()};
        Line line{{prefix.c_str(), prefix.size()}, threshold, share, look, spans, OptionTrees::Walker(trees_)};
        std::string result;
        result.reserve(text.size() + text.size() / 4);
        nb::list left;
        std::size_t lines = 0, changed = 0, edits = 0;
        for (std::size_t at = 0; at < text.size(); ++lines) {
            const auto end = std::min(text.find('\n', at), text.size());
            line.text = text.substr(at, end - at);
            const auto made = split(line) ? rewrite_line(line, result) : LEFT;
            if (made == LEFT) {
                left.append(nb::make_tuple(lines, result.size()));
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
    static constexpr int PLAIN = 0, PROTECTED = 1;
    static constexpr std::size_t LEFT = ~std::size_t{0};
    static constexpr std::size_t MOST = std::size_t{1} << 18;  // words that are remembered

    struct Piece {
        std::size_t site, start, end;  // the place of the new words in ``fresh``
    };

    // A word as Python knows it, and how it looks.
    struct Word {
        nb::object token;
        int look;
    };

    // A line at work, and what holds for all lines.
    struct Line {
        std::string_view prefix;
        std::uint64_t threshold;
        double share;
        nb::object look, spans;
        OptionTrees::Walker walker;
        std::string_view text{};
        std::vector<std::string_view> words{};
        std::vector<const Word *> known{};
        std::vector<std::pair<Py_ssize_t, Py_ssize_t>> barred{};
        std::vector<Piece> pieces{};
        std::string fresh{};
    };

    // Finds the words; false where the line is out of the ordinary.
    static bool split(Line &line) {
        const auto text = line.text;
        line.words.clear();
        std::size_t start = 0;
        for (std::size_t at = 0; at < text.size(); ++at) {
            const auto c = static_cast<unsigned char>(text[at]);
            if (c == ' ') {
                if (at == start) return false;
                line.words.push_back(text.substr(start, at - start));
                start = at + 1;
            } else if (c < 0x20) {
                return false;
            } else if (c >= 0x80) {
                if (c != 0xc2 && c != 0xc3) return false;
                const auto next = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : 0;
                if (c == 0xc2 && (next == 0x85 || next == 0xa0)) return false;
                ++at;
            }
        }
        if (start >= text.size()) return false;
        line.words.push_back(text.substr(start));
        return line.words.size() > 1;
    }

    // Appends the variant of a line; returns the number of edits, or LEFT, and then appends nothing.
    std::size_t rewrite_line(Line &line, std::string &result) {
        read(line);
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
        std::size_t taken = 0;
        auto found = walk(key, first, n, line.threshold, least + least / 8 + 4);
        for (;;) {
            while (taken < found.sites.size()) {
                if (line.pieces.size() >= least && taken >= found.below) break;
                const auto site = static_cast<std::size_t>(found.sites[taken++]);
                const auto place = static_cast<Py_ssize_t>(site);
                if (is_barred(line.barred, place, inserts_ ? place : place + 1)) continue;
                if (inserts_ && is_mark(line.words[site])) continue;
                const auto start = line.fresh.size();
                const nb::handle token = inserts_ ? nb::handle(nothing_) : nb::handle(line.known[site]->token);
                const auto wrote = line.walker.write(token, Lanes(key, site), line.fresh);
                if (wrote == Wrote::odd) return LEFT;
                if (wrote == Wrote::some) line.pieces.push_back({site, start, line.fresh.size()});
            }
            if (taken < found.sites.size() || taken == sites) break;
            if (line.pieces.size() >= least && taken >= found.below) break;
            found = walk(key, first, n, line.threshold, sites);
        }
        write(line, result);
        return line.pieces.size();
    }

    // Looks the words up, and asks which of them are protected.
    void read(Line &line) {
        line.known.clear();
        line.barred.clear();
        if (inserts_ && line.look.is_none()) return;
        int look = PLAIN;
        for (const auto word : line.words) {
            line.known.push_back(word_of(word, line.look));
            look = std::max(look, line.known.back()->look);
        }
        if (look == PLAIN) return;
        if (look == PROTECTED) {
            for (std::size_t at = 0; at < line.known.size(); ++at) {
                const auto place = static_cast<Py_ssize_t>(at);
                if (line.known[at]->look == PROTECTED) line.barred.emplace_back(place, place + 1);
            }
            return;
        }
        nb::list tokens;
        for (const auto *word : line.known) tokens.append(word->token);
        line.barred = nb::cast<std::vector<std::pair<Py_ssize_t, Py_ssize_t>>>(line.spans(tokens));
    }

    // A word, looked up once; its place in the table never changes.
    const Word *word_of(std::string_view word, const nb::object &look) {
        const auto found = known_.find(word);
        if (found != known_.end()) return &found->second;
        const auto token = nb::str(word.data(), word.size());
        const auto looks = look.is_none() ? PLAIN : nb::cast<int>(look(token));
        kept_.emplace_back(word);
        return &known_.try_emplace(kept_.back(), Word{token, looks}).first->second;
    }

    void write(Line &line, std::string &result) const {
        std::sort(line.pieces.begin(), line.pieces.end(), [](const auto &a, const auto &b) { return a.site < b.site; });
        auto piece = line.pieces.begin();
        for (std::size_t at = 0; at < line.words.size(); ++at) {
            if (at > 0) result += ' ';
            if (piece != line.pieces.end() && piece->site == at) {
                result.append(line.fresh, piece->start, piece->end - piece->start);
                ++piece;
                if (!inserts_) continue;
                result += ' ';
            }
            result += line.words[at];
        }
    }

    void forget() {
        known_.clear();
        kept_.clear();
    }

    // Counts the calls at work: while Python runs, another thread may make one.
    struct Busy {
        explicit Busy(std::size_t &n) : n_(n) { ++n_; }
        ~Busy() { --n_; }
        Busy(const Busy &) = delete;
        Busy &operator=(const Busy &) = delete;
        std::size_t &n_;
    };

    std::size_t at_work_ = 0;
    std::deque<std::string> kept_;
    std::unordered_map<std::string_view, Word> known_;
};

}  // namespace mondegreen
