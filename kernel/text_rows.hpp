// Part of the binding: variants of labelled utterances in text files that are not JSON: CoNLL, and folders of seq.in, seq.out
// and label. The readable twins are mondegreen.data.formats.conll and mondegreen.data.formats.folder.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "json_rows.hpp"

namespace mondegreen {

// Whether a tag or label is of visible ASCII characters; the twin looks at all others.
inline bool is_plain_label(std::string_view label) {
    return std::all_of(label.begin(), label.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

// Reads a text line by line.
class LinesOf {
public:
    explicit LinesOf(std::string_view text) : text_(text) {}

    bool next(std::string_view &line) {
        if (at_ >= text_.size()) return false;
        const auto end = std::min(text_.find('\n', at_), text_.size());
        line = text_.substr(at_, end - at_);
        at_ = end + 1;
        return true;
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

// Splits at spaces, or at each tab.
inline void split_at(std::string_view line, char separator, std::vector<std::string_view> &fields) {
    for (std::size_t at = 0; at <= line.size();) {
        const auto end = std::min(line.find(separator, at), line.size());
        if (end > at || separator != ' ') fields.push_back(line.substr(at, end - at));
        at = end + 1;
    }
}

// Reads JSON lines.
class JsonRows {
public:
    JsonRows(std::string_view text, nb::object roles) : lines_(text), reader_(std::move(roles)) {}

    // Reads the next row; false at the end. ``plain`` says whether it is ordinary.
    bool next(Row &row, bool &plain) {
        std::string_view line;
        if (!lines_.next(line)) return false;
        plain = reader_.read(line, row);
        return true;
    }
    std::string &memory() { return reader_.memory(); }

private:
    LinesOf lines_;
    JsonReader reader_;
};

// Whether a line is between two utterances of a CoNLL file.
inline bool is_blank(std::string_view line) {
    if (line.substr(0, 10) == "-DOCSTART-") return true;
    for (std::size_t at = 0; at < line.size();) {
        const auto width = space_at(line.substr(at));
        if (width == 0) return false;
        at += width;
    }
    return true;
}

// The first line of each utterance of a CoNLL file.
inline std::vector<std::size_t> block_starts(std::string_view text) {
    LinesOf lines(text);
    std::vector<std::size_t> starts;
    bool inside = false;
    std::string_view line;
    for (std::size_t at = 0; lines.next(line); ++at) {
        const bool blank = is_blank(line);
        if (!blank && !inside) starts.push_back(at);
        inside = !blank;
    }
    return starts;
}

// Reads the blocks of a CoNLL file.
class ConllRows {
public:
    explicit ConllRows(std::string_view text) : lines_(text) {}

    bool next(Row &row, bool &plain) {
        row.clear();
        json_.begin({});
        row.has_tokens = row.has_tags = plain = true;
        labelled_ = false;
        bool any = false;
        for (std::string_view line; lines_.next(line);) {
            const bool blank = is_blank(line);
            if (blank && any) break;
            any = any || !blank;
            if (!blank && plain) plain = add(line, row);
        }
        return any;
    }
    std::string &memory() { return json_.memory(); }

private:
    bool add(std::string_view line, Row &row) {
        if (row.tokens.empty() && line.substr(0, 2) == "# ") return note(line.substr(2), row);
        fields_.clear();
        split_at(line, line.find('\t') == line.npos ? ' ' : '\t', fields_);
        if (fields_.size() < 2 || fields_.size() == 4 || !is_plain_label(fields_.back())) return false;  // four may be xSID's
        row.tokens.push_back(fields_.front());
        row.tags.push_back(fields_.back());
        return true;
    }

    bool note(std::string_view line, Row &row) {
        std::size_t end = 0;
        const auto is_name = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
        while (end < line.size() && is_name(line[end])) ++end;
        const auto name = line.substr(0, end);
        auto rest = line.substr(end);
        const std::size_t mark = rest.substr(0, 2) == " =" ? 2 : rest.substr(0, 1) == ":" ? 1 : 0;
        rest = rest.substr(mark);
        if (name.empty() || mark == 0 || (!rest.empty() && rest[0] != ' ') || name == "columns") return false;
        const auto value = rest.empty() ? rest : rest.substr(1);
        if (name == "text") {  // in quotes, as we write it
            if (row.has_text || value.size() < 2 || value.front() != '"' || value.back() != '"') return false;
            json_.begin(value);
            return row.has_text = json_.text(row.text) && json_.ends();
        }
        if (name == "id") row.id = value;
        if (name == "label" || (name == "intent" && !labelled_)) row.label = value, row.has_label = true;
        labelled_ |= name == "label";
        return name != "id" || !value.empty();
    }

    LinesOf lines_;
    std::vector<std::string_view> fields_{};
    JsonLine json_{};
    bool labelled_ = false;
};

// Reads the files of a folder side by side.
class FolderRows {
public:
    FolderRows(std::string_view words, std::string_view tags, std::string_view labels) : words_(words), tags_(tags), labels_(labels) {}

    bool next(Row &row, bool &plain) {
        std::string_view tags;
        row.clear();
        if (!words_.next(row.text)) return false;
        row.has_text = row.has_tags = true;
        plain = tags_.next(tags);
        row.has_label = labels_.next(row.label) && !row.label.empty();
        split_at(tags, ' ', row.tags);
        for (const auto tag : row.tags) plain = plain && is_plain_label(tag);
        return true;
    }
    std::string &memory() { memory_.clear(); return memory_; }

private:
    LinesOf words_, tags_, labels_;
    std::string memory_{};
};

// Variants as text, of one file or of several.
class RowTexts {
public:
    RowTexts(const std::string &format, std::string_view operator_name, std::string newline)
        : writer_(operator_name), id_end_("/"), newline_(std::move(newline)),
          kind_(format == "json" ? Kind::json : format == "conll" ? Kind::conll : Kind::folder) {
        (id_end_ += operator_name) += "/0";
        if (kind_ == Kind::folder && format != "folder") throw nb::value_error("the format must be json, conll or folder");
    }

    // Appends a variant; false, and nothing is appended, where the twin has to say whether the format can keep it.
    bool write(const Row &row) {
        if (kind_ == Kind::json) {
            writer_.write_json(row, texts_[0]);
            texts_[0] += newline_;
            return true;
        }
        if (row.label.find_first_of("\r\n") != row.label.npos || row.id.find_first_of("\r\n") != row.id.npos) return false;
        for (const auto &slot : row.slots) {
            if (!is_plain_label(slot.label)) return false;
        }
        if (kind_ == Kind::folder) write_folder(row);
        else return write_conll(row, texts_[0]);
        return true;
    }

    nb::tuple places() const {
        return several() ? nb::make_tuple(texts_[0].size(), texts_[1].size(), texts_[2].size()) : nb::make_tuple(texts_[0].size());
    }
    nb::tuple python() const {
        const auto bytes = [&](std::size_t at) { return nb::bytes(texts_[at].data(), texts_[at].size()); };
        return several() ? nb::make_tuple(bytes(0), bytes(1), bytes(2)) : nb::make_tuple(bytes(0));
    }

private:
    enum class Kind { json, conll, folder };

    bool several() const { return kind_ == Kind::folder; }

    // Calls with the place of each word, and its slot if it has one.
    template <typename Do>
    static void each_word(const Row &row, Do &&each) {
        std::size_t slot = 0;
        for (std::size_t at = 0; at < row.words.size(); ++at) {
            while (slot < row.slots.size() && row.slots[slot].to_end <= at) ++slot;
            const bool inside = slot < row.slots.size() && row.slots[slot].to_start <= at;
            each(at, inside ? &row.slots[slot] : nullptr);
        }
    }

    static void append_tag(std::string &out, const RowSlot *slot, std::size_t at) {
        if (slot == nullptr) out += 'O';
        else (out += slot->to_start == at ? "B-" : "I-") += slot->label;
    }

    bool write_conll(const Row &row, std::string &out) const {
        for (const auto word : row.words) {
            if (word == "-DOCSTART-") return false;
        }
        ((((out += "# id = ") += row.id) += id_end_)) += newline_;
        if (row.has_label) ((out += "# label = ") += row.label) += newline_;
        if (!is_joined(row)) {
            append_json(out += "# text = ", row.to_text);
            out += newline_;
        }
        const bool values = std::any_of(row.slots.begin(), row.slots.end(), [](const auto &slot) { return slot.others; });
        if (values) (out += "# columns = token value tag") += newline_;
        each_word(row, [&](std::size_t at, const RowSlot *slot) {
            (out += row.words[at]) += '\t';
            if (values) {
                if (slot != nullptr && slot->others && slot->to_start == at) append_json(out, row.words_of(*slot));
                else out += '_';
                out += '\t';
            }
            append_tag(out, slot, at);
            out += newline_;
        });
        out += newline_;
        return true;
    }

    void write_folder(const Row &row) {
        auto &[words, tags, labels] = texts_;
        if (splits_into_words(row)) {
            words += row.to_text;
        } else {
            for (std::size_t at = 0; at < row.words.size(); ++at) (at ? words += ' ' : words) += row.words[at];
        }
        each_word(row, [&](std::size_t at, const RowSlot *slot) {
            if (at) tags += ' ';
            append_tag(tags, slot, at);
        });
        if (row.has_label) labels += row.label;
        for (auto &text : texts_) text += newline_;
    }

    // Whether the text is the words with single spaces between.
    static bool is_joined(const Row &row) {
        const std::string_view text = row.to_text;
        std::size_t at = 0;
        for (const auto word : row.words) {
            if (at && (at >= text.size() || text[at++] != ' ')) return false;
            if (text.substr(at, word.size()) != word) return false;
            at += word.size();
        }
        return at == text.size();
    }

    // Whether the text has spaces, one or more, between its words and only there.
    static bool splits_into_words(const Row &row) {
        const std::string_view text = row.to_text;
        std::size_t at = 0;
        for (const auto word : row.words) {
            const auto start = at;
            while (at < text.size() && text[at] == ' ') ++at;
            if ((start && at == start) || text.substr(at, word.size()) != word) return false;
            at += word.size();
        }
        return true;
    }

    RowWriter writer_;
    std::string id_end_, newline_;
    Kind kind_;
    std::array<std::string, 3> texts_{};
};

class TextRewriter : public RowRewriter {
public:
    using RowRewriter::RowRewriter;

    // The variants as texts of a format; the ledger; the ids (None for a row that is left to the twin); the rows that are
    // left as (number, places in the texts, place in the ledger); how many changed; and how many edits there are of each
    // kind. ``first`` is the number of the first row, which is its id if it has none.
    nb::tuple rewrite_json(nb::bytes block, nb::object roles, const RowPlan &plan, std::size_t first, std::string format, std::string newline,
                           bool with_ledger) {
        JsonRows rows(view(block), std::move(roles));
        return rewrite(rows, plan, first, format, std::move(newline), with_ledger);
    }

    nb::tuple rewrite_conll(nb::bytes block, const RowPlan &plan, std::size_t first, std::string format, std::string newline, bool with_ledger) {
        ConllRows rows(view(block));
        return rewrite(rows, plan, first, format, std::move(newline), with_ledger);
    }

    nb::tuple rewrite_folder(nb::bytes words, nb::bytes tags, nb::bytes labels, const RowPlan &plan, std::size_t first, std::string format,
                             std::string newline, bool with_ledger) {
        FolderRows rows(view(words), view(tags), view(labels));
        return rewrite(rows, plan, first, format, std::move(newline), with_ledger);
    }

private:
    static std::string_view view(const nb::bytes &block) { return {block.c_str(), block.size()}; }

    template <typename Rows>
    nb::tuple rewrite(Rows &rows, const RowPlan &plan, std::size_t first, const std::string &format, std::string newline, bool with_ledger) {
        const auto busy = begin();
        auto line = line_for(plan);
        RowTexts texts(format, utf8(name_), std::move(newline));
        const RowWriter writer(utf8(name_));
        Row row;
        std::string ledger, number;
        nb::list ids, left;
        Tally tally;
        bool made = true;
        for (std::size_t at = 0; rows.next(row, made); ++at) {
            if (made && row.id.empty()) row.id = number = std::to_string(first + at);
            made = made && vary(line, row, plan, rows.memory()) && texts.write(row);
            if (made) {
                if (with_ledger) writer.write_ledger(row, ledger);
                ids.append(nb::str(row.id.data(), row.id.size()));
                tally.add(line);
            } else {
                ids.append(nb::none());
                left.append(nb::make_tuple(at, texts.places(), ledger.size()));
            }
        }
        return nb::make_tuple(texts.python(), nb::bytes(ledger.data(), ledger.size()), ids, left, tally.changed, tally.kinds());
    }
};

}  // namespace mondegreen
