// Part of the binding: variants of labelled utterances, without a Python object per utterance.
//
// A reader makes a row of whatever a file holds, LabelledRewriter edits it, and a writer writes the variant. The readable
// twins are Engine.variant (mondegreen.perturbation.engine), apply_edits (mondegreen.edits) and states_of
// (mondegreen.data.states). Rows that are out of the ordinary are left to them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "columnar.hpp"

namespace mondegreen {

// What became of a slot, from the mildest to the worst, as in mondegreen.data.states.
enum class SlotState : std::uint8_t { kept, split, lost };

inline std::string_view name_of(SlotState state) {
    return state == SlotState::kept ? "kept" : state == SlotState::split ? "split" : "lost";
}

struct RowSlot {
    std::string_view label;
    std::uint32_t start, end;            // in the source
    std::uint32_t to_start = 0, to_end = 0;  // in the variant
    bool others = false;                 // other words than those of the source
    SlotState state = SlotState::kept;
};

// A change of the text: bytes of the source, and what stands there in the variant.
struct RowEdit {
    std::uint32_t start, end;              // tokens of the source
    std::uint32_t to_start, to_end;        // tokens of the variant
    std::uint32_t from, until;             // bytes of the source
    std::uint32_t to_from, to_until;       // bytes of the variant
    std::string_view kind;
};

// An utterance with its labels, and its variant. Texts belong to the reader, until it reads the next row.
struct Row {
    std::string_view id, label, text;
    bool has_label = false;
    std::string extra{};  // further columns, as the writer wants them
    std::vector<std::string_view> tokens{}, tags{};
    bool has_tokens = false, has_tags = false, has_text = false;
    std::vector<RowSlot> slots{};

    std::string_view source{};                 // the text of the source
    std::vector<std::string_view> before{};    // its words
    std::string to_text{};                     // the text of the variant
    std::vector<std::string_view> words{};     // its words
    std::vector<RowEdit> edits{};

    void clear() {
        id = label = text = {};
        has_label = has_tokens = has_tags = has_text = false;
        extra.clear();
        tokens.clear();
        tags.clear();
        slots.clear();
        edits.clear();
        before.clear();
        words.clear();
        to_text.clear();
    }

    // The words of a slot as they are written in the source.
    std::string_view words_of(const RowSlot &slot) const {
        const auto *start = before[slot.start].data();
        const auto &last = before[slot.end - 1];
        return {start, static_cast<std::size_t>(last.data() + last.size() - start)};
    }
};

// Reads tags of all schemes as slots, as slots_of_tags of mondegreen.types; false where a tag is none.
inline bool slots_of(const std::vector<std::string_view> &tags, std::vector<RowSlot> &slots) {
    std::string_view label;
    std::uint32_t start = 0, at = 0;
    const auto add = [&](std::string_view name, std::uint32_t from, std::uint32_t to) { slots.push_back({name, from, to}); };
    for (const auto tag : tags) {
        const auto i = at++;
        const bool outside = tag == "O";
        if (outside && label.empty()) continue;
        const bool marked = tag.size() > 2 && tag[1] == '-';
        const auto prefix = marked ? tag[0] : '\0';
        const auto name = marked ? tag.substr(2) : std::string_view();
        const bool ending = prefix == 'E' || prefix == 'L';
        if (!label.empty() && prefix == 'I' && name == label) continue;
        if (!label.empty() && ending && name == label) {
            add(label, start, i + 1);
            label = {};
            continue;
        }
        if (!label.empty()) add(label, start, i);
        label = {};
        if (outside) continue;
        if (prefix == 'S' || prefix == 'U' || ending) add(name, i, i + 1);
        else if (prefix == 'B' || prefix == 'I') label = name, start = i;
        else return false;
    }
    if (!label.empty()) add(label, start, at);
    return true;
}

// How much to edit, and what to protect.
struct RowPlan {
    nb::bytes prefix;
    std::uint64_t threshold;
    double share;
    nb::object look, spans;           // as in LineRewriter
    bool every_slot;                  // protect all slots
    std::vector<std::string> labels;  // or those with these labels

    bool protects(std::string_view label) const {
        return every_slot || std::find(labels.begin(), labels.end(), label) != labels.end();
    }
};

class LabelledRewriter : public LineRewriter {
public:
    using LineRewriter::LineRewriter;

protected:
    // Counts what was made.
    struct Tally {
        std::size_t changed = 0;
        std::vector<std::pair<PyObject *, std::size_t>> edits{};

        void add(const Line &line) {
            changed += !line.pieces.empty();
            for (const auto &piece : line.pieces) {
                auto found = std::find_if(edits.begin(), edits.end(), [&](const auto &one) { return one.first == piece.kind; });
                if (found == edits.end()) edits.emplace_back(piece.kind, 1);
                else ++found->second;
            }
        }

        // How many edits there are of each kind.
        nb::dict kinds() const {
            nb::dict counts;
            for (const auto &[kind, n] : edits) {
                const nb::handle name = kind;
                counts[name] = n + (counts.contains(name) ? nb::cast<std::size_t>(nb::object(counts[name])) : 0);
            }
            return counts;
        }
    };

    Line line_for(const RowPlan &plan) {
        if (!(plan.share >= 0 && plan.share <= 1)) throw nb::value_error("a share must be within [0, 1]");
        return started({plan.prefix.c_str(), plan.prefix.size()}, plan.threshold, plan.share, plan.look, plan.spans);
    }

    // Makes the variant of a row; false where the twin has to make it.
    bool vary(Line &line, Row &row, const RowPlan &plan, std::string &memory) {
        if (!find_words(line, row, memory)) return false;
        if (row.has_tags && (row.tags.size() != line.words.size() || !slots_of(row.tags, row.slots))) return false;
        bar(line);
        for (const auto &slot : row.slots) {
            if (plan.protects(slot.label)) line.barred.emplace_back(slot.start, slot.end);
        }
        if (!choose(line)) return false;
        edit(line, row);
        for (auto &slot : row.slots) move(slot, row);
        return true;
    }

private:
    // Finds the words of a row in its text; false where they are out of the ordinary.
    bool find_words(Line &line, Row &row, std::string &memory) const {
        if (!row.has_tokens) {
            line.text = row.text;
            if (!row.has_text || !split(line)) return false;
        } else {
            if (!row.has_text) row.text = joined(row.tokens, memory);
            line.text = row.text;
            if (!place_tokens(line, row.tokens)) return false;
        }
        row.source = line.text;
        for (std::size_t at = 0; at < line.words.size(); ++at) row.before.push_back(line.word(at));
        return true;
    }

    static std::string_view joined(const std::vector<std::string_view> &tokens, std::string &memory) {
        const auto from = memory.size();
        for (const auto token : tokens) {
            if (memory.size() > from) memory += ' ';
            memory += token;
        }
        return std::string_view(memory).substr(from);
    }

    // Finds tokens in the text, which has nothing else but spaces.
    bool place_tokens(Line &line, const std::vector<std::string_view> &tokens) const {
        const auto text = line.text;
        line.words.clear();
        if (text.size() > LONGEST) return false;
        std::size_t at = 0;
        for (const auto token : tokens) {
            while (at < text.size() && text[at] == ' ') ++at;
            if (token.empty() || text.substr(at, token.size()) != token) return false;
            bool letters = true;
            for (std::size_t i = 0; i < token.size();) {
                const auto c = static_cast<unsigned char>(token[i]);
                const auto width = c == ' ' ? 0 : ordinary_width(token, i);
                if (width == 0) return false;
                letters &= Looks::is_letter(c);
                i += width;
            }
            line.words.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + token.size()), letters});
            at += token.size();
        }
        while (at < text.size() && text[at] == ' ') ++at;
        return at == text.size() && line.words.size() > (inserts_ ? 1 : 0);
    }

    // Makes text, words and edits of the variant.
    void edit(Line &line, Row &row) const {
        sort(line);
        auto &text = row.to_text;
        std::uint32_t done = 0, at = 0;  // bytes and tokens of the source
        const auto size = [](const auto &of) { return static_cast<std::uint32_t>(of.size()); };
        const auto keep = [&](std::uint32_t until) {
            row.words.insert(row.words.end(), row.before.begin() + at, row.before.begin() + until);
            at = until;
        };
        for (const auto &piece : line.pieces) {
            const auto site = static_cast<std::uint32_t>(piece.site);
            const auto &word = line.words[site];
            keep(site);
            text.append(line.text, done, word.start - done);
            done = inserts_ ? word.start : word.end;
            RowEdit made{site, inserts_ ? site : site + 1, size(row.words), 0, word.start, done, size(text), 0, kind_of(piece)};
            if (inserts_ && site > 0 && line.words[site - 1].end == word.start) text += ' ';
            text.append(line.fresh, piece.start, piece.end - piece.start);
            if (inserts_) text += ' ';
            else ++at;
            auto from = piece.start;
            for (auto which = piece.first; which < piece.last; ++which) {
                row.words.push_back(std::string_view(line.fresh).substr(from, line.ends[which] - from));
                from = line.ends[which] + 1;
            }
            made.to_end = size(row.words);
            made.to_until = size(text);
            row.edits.push_back(made);
        }
        keep(size(row.before));
        text.append(line.text, done, line.text.size() - done);
    }

    static std::string_view kind_of(const Piece &piece) { return utf8(piece.kind); }

    static void move(RowSlot &slot, const Row &row) {
        auto start = slot.start, end = slot.end;
        bool inside = false;
        for (const auto &edit : row.edits) {
            const auto grows = (edit.to_end - edit.to_start) - (edit.end - edit.start);  // modulo 2 ** 32
            if (edit.end <= slot.start) {
                start += grows;
                end += grows;
            } else if (edit.start < slot.end) {
                end += grows;
                inside = true;
                const bool same_value = edit.kind == "case" || edit.kind == "spoken";
                const auto state = edit.start == edit.end ? SlotState::split : same_value ? SlotState::kept : SlotState::lost;
                slot.state = std::max(slot.state, state);
            } else {
                break;
            }
        }
        slot.to_start = start;
        slot.to_end = end;
        slot.others = inside && !std::equal(row.before.begin() + slot.start, row.before.begin() + slot.end,
                                            row.words.begin() + start, row.words.begin() + end);
    }
};

}  // namespace mondegreen
