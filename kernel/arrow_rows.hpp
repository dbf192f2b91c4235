// Part of the binding: variants of labelled rows of Arrow columns. The readable twin is mondegreen.data.formats.parquet_columns.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json_rows.hpp"

namespace mondegreen {

using Offsets = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A column of texts, as Arrow has it: offsets and bytes, and which rows have a value (all, where that is empty).
struct TextColumn {
    Offsets offsets;
    Bytes bytes, there;

    std::size_t size() const { return offsets.size() == 0 ? 0 : offsets.size() - 1; }
    bool holds(std::size_t rows) const { return size() >= rows && (there.size() == 0 || there.size() >= rows); }
    bool has(std::size_t row) const { return there.size() == 0 || there(row) != 0; }

    std::string_view text(std::size_t row) const {
        const auto start = offsets(row), end = offsets(row + 1);
        if (start < 0 || end < start || static_cast<std::size_t>(end) > bytes.size()) throw std::out_of_range("a text is outside its column");
        return {reinterpret_cast<const char *>(bytes.data()) + start, static_cast<std::size_t>(end - start)};
    }
};

// A column of lists of texts.
struct ListColumn {
    Offsets offsets;
    Bytes there;
    TextColumn items;

    bool holds(std::size_t rows) const { return offsets.size() > rows && (there.size() == 0 || there.size() >= rows); }

    bool read(std::size_t row, std::vector<std::string_view> &found) const {
        if (there.size() != 0 && there(row) == 0) return false;
        const auto start = offsets(row), end = offsets(row + 1);
        if (start < 0 || end < start || static_cast<std::size_t>(end) > items.size()) throw std::out_of_range("a list is outside its column");
        for (auto at = start; at < end; ++at) found.push_back(items.text(static_cast<std::size_t>(at)));
        return true;
    }
};

// A column of texts that is written.
struct TextsMade {
    std::vector<std::int32_t> offsets{0};
    std::string bytes{};

    void add(std::string_view text) {
        bytes += text;
        end();
    }
    void end() { offsets.push_back(static_cast<std::int32_t>(bytes.size())); }

    nb::tuple python() {
        const auto n = offsets.size();
        return nb::make_tuple(array_of(std::move(offsets), {n}), nb::bytes(bytes.data(), bytes.size()));
    }
};

// A column of lists that is written; its items are written elsewhere.
struct ListsMade {
    std::vector<std::int32_t> offsets{0};

    void end(std::size_t items) { offsets.push_back(static_cast<std::int32_t>(items)); }
    nb::object python() {
        const auto n = offsets.size();
        return array_of(std::move(offsets), {n});
    }
};

struct WordsMade {
    TextsMade items{};
    ListsMade lists{};

    void end() { lists.end(items.offsets.size() - 1); }
    void add(const std::string_view *word, const std::string_view *end_word) {
        for (; word != end_word; ++word) items.add(*word);
        end();
    }
    nb::tuple python() { return nb::make_tuple(lists.python(), items.python()); }
};

// The columns of variants.
struct RowColumns {
    explicit RowColumns(std::string_view operator_name) : id_end_("/") { (id_end_ += operator_name) += "/0"; }

    void add(const Row &row) {
        id.bytes += row.id;
        id.add(id_end_);
        parent.add(row.id);
        text.add(row.to_text);
        const auto *words = row.words.data(), *before = row.before.data();
        tokens.add(words, words + row.words.size());
        add_tags(row);
        add_values(row);
        bool any = false;
        for (const auto &slot : row.slots) any |= slot.state != SlotState::kept;
        if (any) {
            for (const auto &slot : row.slots) states.items.add(name_of(slot.state));
        }
        states.end();
        has_states.push_back(any);
        for (const auto &edit : row.edits) {
            starts.push_back(edit.start);
            ends.push_back(edit.end);
            edit_tokens.add(words + edit.to_start, words + edit.to_end);
            edit_before.add(before + edit.start, before + edit.end);
            kinds.add(edit.kind);
        }
        edits.end(starts.size());
    }

    // A row that is left out: it is empty.
    void skip() {
        id.end();
        parent.end();
        text.end();
        for (auto *list : {&tokens, &tags, &states}) list->end();
        values.end(labels.offsets.size() - 1);
        has_values.push_back(0);
        has_states.push_back(0);
        edits.end(starts.size());
    }

    nb::dict python() {
        nb::dict made;
        made["id"] = id.python();
        made["parent"] = parent.python();
        made["text"] = text.python();
        made["tokens"] = tokens.python();
        made["tags"] = tags.python();
        made["values"] = nb::make_tuple(flags(has_values), values.python(), labels.python(), meant.python());
        made["states"] = nb::make_tuple(flags(has_states), states.python());
        made["edits"] = nb::make_tuple(edits.python(), numbers(starts), numbers(ends), edit_tokens.python(), kinds.python(), edit_before.python());
        return made;
    }

private:
    static nb::object flags(std::vector<std::uint8_t> &found) {
        const auto n = found.size();
        return array_of(std::move(found), {n});
    }
    static nb::object numbers(std::vector<std::int64_t> &found) {
        const auto n = found.size();
        return array_of(std::move(found), {n});
    }

    void add_tags(const Row &row) {
        std::size_t at = 0;
        const auto outside = [&](std::size_t until) {
            for (; at < until; ++at) tags.items.add("O");
        };
        for (const auto &slot : row.slots) {
            outside(slot.to_start);
            for (; at < slot.to_end; ++at) {
                tags.items.bytes += at == slot.to_start ? "B-" : "I-";
                tags.items.add(slot.label);
            }
        }
        outside(row.words.size());
        tags.end();
    }

    void add_values(const Row &row) {
        const auto before = labels.offsets.size();
        each_label(row, [&](std::string_view label) { labels.add(label); }, [&](std::string_view value) { meant.items.add(value); },
                   [&] { meant.end(); });
        values.end(labels.offsets.size() - 1);
        has_values.push_back(labels.offsets.size() > before);
    }

    std::string id_end_;
    TextsMade id, parent, text, labels, kinds;
    WordsMade tokens, tags, meant, states, edit_tokens, edit_before;
    ListsMade values, edits;
    std::vector<std::uint8_t> has_values, has_states;
    std::vector<std::int64_t> starts, ends;
};

class RowRewriter : public LabelledRewriter {
public:
    using LabelledRewriter::LabelledRewriter;

    // The columns of the variants; the ledger; the ids (None for a row that is left to the twin); the rows that are left as
    // (number, place in the ledger); how many changed; and how many edits there are of each kind. ``first`` is the number
    // of the first row, which is its id if it has none.
    nb::tuple rewrite_columns(std::optional<TextColumn> ids, std::optional<TextColumn> texts, std::optional<ListColumn> tokens,
                              std::optional<ListColumn> tags, std::size_t rows, const RowPlan &plan, std::size_t first, bool with_ledger) {
        const bool fits = (!ids || ids->holds(rows)) && (!texts || texts->holds(rows)) && (!tokens || tokens->holds(rows)) && (!tags || tags->holds(rows));
        if (!fits) throw nb::value_error("a column has fewer rows than there are");
        const auto busy = begin();
        auto line = line_for(plan);
        const RowWriter writer(utf8(name_));
        RowColumns columns(utf8(name_));
        Row row;
        std::string ledger, number, memory;
        nb::list found, left;
        Tally tally;
        for (std::size_t at = 0; at < rows; ++at) {
            row.clear();
            memory.clear();
            if (ids && ids->has(at)) row.id = ids->text(at);
            if (row.id.empty()) row.id = number = std::to_string(first + at);
            if (texts && texts->has(at)) row.text = texts->text(at), row.has_text = true;
            row.has_tokens = tokens && tokens->read(at, row.tokens);
            row.has_tags = tags && tags->read(at, row.tags);
            if (vary(line, row, plan, memory)) {
                columns.add(row);
                if (with_ledger) writer.write_ledger(row, ledger);
                found.append(nb::str(row.id.data(), row.id.size()));
                tally.add(line);
            } else {
                columns.skip();
                found.append(nb::none());
                left.append(nb::make_tuple(at, ledger.size()));
            }
        }
        return nb::make_tuple(columns.python(), nb::bytes(ledger.data(), ledger.size()), found, left, tally.changed, tally.kinds());
    }
};

}  // namespace mondegreen
