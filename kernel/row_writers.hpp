// Variants as JSON lines, and the lines of the ledger, from rows.
//
// The readable twins are record_of (mondegreen.data.records) and entries (mondegreen.provenance.ledger).
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "json.hpp"
#include "labelled.hpp"

namespace mondegreen {

inline void append_number(std::string &out, std::size_t number) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    out.append(digits, end);
}

// The number of characters of UTF-8 text.
inline std::size_t characters(std::string_view text) {
    std::size_t n = 0;
    for (const auto c : text) n += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return n;
}

// The labels whose slots have other words than were meant, the values of each, and its end.
template <typename Label, typename Value, typename End>
void each_label(const Row &row, Label &&label, Value &&value, End &&end) {
    const auto &slots = row.slots;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        bool first = true, differs = false;
        for (std::size_t j = 0; j < slots.size(); ++j) {
            if (slots[j].label != slots[i].label) continue;
            first &= j >= i;
            differs |= slots[j].others;
        }
        if (!first || !differs) continue;
        label(slots[i].label);
        for (auto j = i; j < slots.size(); ++j) {
            if (slots[j].label == slots[i].label) value(row.words_of(slots[j]));
        }
        end();
    }
}

class RowWriter {
public:
    explicit RowWriter(std::string_view operator_name) : operator_(operator_name) {
        append_json(json_end_, operator_ + "/0");
        json_end_.erase(0, 1);
    }

    // Appends the variant as a JSON object.
    void write_json(const Row &row, std::string &out) const {
        out += "{\"id\":";
        append_id(row, out);
        out += ",\"text\":";
        append_json(out, row.to_text);
        out += ",\"tokens\":";
        append_words(out, row.words.data(), row.words.data() + row.words.size());
        if (!row.slots.empty() || row.has_label) append_tags(row, out);
        append_values(row, out);
        if (row.has_label) append_json(out += ",\"label\":", row.label);
        append_json(out += ",\"parent\":", row.id);
        out += ",\"edits\":[";
        for (const auto &edit : row.edits) {
            if (&edit != row.edits.data()) out += ',';
            append_number(out += "{\"start\":", edit.start);
            append_number(out += ",\"end\":", edit.end);
            out += ",\"tokens\":";
            append_words(out, row.words.data() + edit.to_start, row.words.data() + edit.to_end);
            append_json(out += ",\"operator\":", operator_);
            append_json(out += ",\"kind\":", edit.kind);
            out += ",\"before\":";
            append_words(out, row.before.data() + edit.start, row.before.data() + edit.end);
            out += '}';
        }
        out += ']';
        out += row.extra;
        append_states(row, out);
        out += '}';
    }

    // Appends the entries of the ledger, a line each.
    void write_ledger(const Row &row, std::string &out) const {
        std::size_t from = 0, chars = 0, to_from = 0, to_chars = 0;  // bytes that are counted, and their characters
        const auto count = [](std::string_view text, std::size_t &at, std::size_t until, std::size_t &n) {
            n += characters(text.substr(at, until - at));
            at = until;
            return n;
        };
        for (const auto &edit : row.edits) {
            append_id(row, out += "{\"id\":");
            append_json(out += ",\"parent\":", row.id);
            append_json(out += ",\"operator\":", operator_);
            append_json(out += ",\"kind\":", edit.kind);
            append_span(out += ",\"source\":", edit.start, edit.end);
            append_span(out += ",\"target\":", edit.to_start, edit.to_end);
            append_words(out += ",\"before\":", row.before.data() + edit.start, row.before.data() + edit.end);
            append_words(out += ",\"after\":", row.words.data() + edit.to_start, row.words.data() + edit.to_end);
            const auto start = count(row.source, from, edit.from, chars);
            append_span(out += ",\"source_chars\":", start, count(row.source, from, edit.until, chars));
            const std::string_view text = row.to_text;
            const auto to_start = count(text, to_from, edit.to_from, to_chars);
            append_span(out += ",\"target_chars\":", to_start, count(text, to_from, edit.to_until, to_chars));
            append_json(out += ",\"before_text\":", row.source.substr(edit.from, edit.until - edit.from));
            append_json(out += ",\"after_text\":", text.substr(edit.to_from, edit.to_until - edit.to_from));
            if (&edit == row.edits.data() && !row.slots.empty()) append_slots(row, out);
            out += "}\n";
        }
    }

private:
    void append_id(const Row &row, std::string &out) const {
        append_json(out, row.id);
        out.back() = '/';  // its closing quotation mark
        out += json_end_;
    }

    static void append_words(std::string &out, const std::string_view *word, const std::string_view *end) {
        out += '[';
        for (bool first = true; word != end; ++word, first = false) {
            if (!first) out += ',';
            append_json(out, *word);
        }
        out += ']';
    }

    static void append_span(std::string &out, std::size_t start, std::size_t end) {
        append_number(out += '[', start);
        append_number(out += ',', end);
        out += ']';
    }

    void append_tags(const Row &row, std::string &out) const {
        out += ",\"tags\":[";
        std::size_t at = 0;
        const auto outside = [&](std::size_t until) {
            for (; at < until; ++at) out += at ? ",\"O\"" : "\"O\"";
        };
        for (const auto &slot : row.slots) {
            outside(slot.to_start);
            for (; at < slot.to_end; ++at) {
                if (at) out += ',';
                const auto from = out.size();
                append_json(out += "   ", slot.label);
                std::memcpy(out.data() + from, at == slot.to_start ? "\"B-" : "\"I-", 3);
                out.erase(from + 3, 1);  // the quotation mark before the label
            }
        }
        outside(row.words.size());
        out += ']';
    }

    static void append_values(const Row &row, std::string &out) {
        bool any = false, first = true;
        each_label(
            row,
            [&](std::string_view label) {
                append_json(out += any ? "," : ",\"values\":{", label);
                out += ":[";
                any = first = true;
            },
            [&](std::string_view value) {
                if (!first) out += ',';
                first = false;
                append_json(out, value);
            },
            [&] { out += ']'; });
        if (any) out += '}';
    }

    static void append_states(const Row &row, std::string &out) {
        bool any = false;
        for (const auto &slot : row.slots) any |= slot.state != SlotState::kept;
        if (!any) return;
        out += ",\"states\":[";
        for (const auto &slot : row.slots) {
            if (&slot != row.slots.data()) out += ',';
            ((out += '"') += name_of(slot.state)) += '"';
        }
        out += ']';
    }

    static void append_slots(const Row &row, std::string &out) {
        out += ",\"slots\":[";
        for (const auto &slot : row.slots) {
            if (&slot != row.slots.data()) out += ',';
            append_json(out += "{\"label\":", slot.label);
            append_span(out += ",\"target\":", slot.to_start, slot.to_end);
            append_json(out += ",\"value\":", row.words_of(slot));
            ((out += ",\"state\":\"") += name_of(slot.state)) += "\"}";
        }
        out += ']';
    }

    std::string operator_, json_end_;
};

}  // namespace mondegreen
