// Part of the binding: variants of JSON lines with labels. The readable twin is mondegreen.data.formats.jsonl.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "row_writers.hpp"

namespace mondegreen {

// What the keys of an object hold, as mondegreen.perturbation.labelled says.
enum class Role { id, text, label, tokens, tags, extra, ignored };

struct Member {
    std::string key;
    Role role;
    std::string before;  // what is written before the value of a further column
};

struct ObjectLayout {
    bool odd = true;
    std::vector<Member> members;
};

// Reads objects as rows. ``roles`` is asked once for the keys of objects, and answers None where Python has to read them.
class JsonReader {
public:
    explicit JsonReader(nb::object roles) : roles_(std::move(roles)) {}

    // Reads the row of a line; false where it is out of the ordinary.
    bool read(std::string_view line, Row &row) {
        auto found = guess_ == nullptr ? Fits::other : fill(line, *guess_, row);
        if (found == Fits::other) {
            const auto *layout = layout_of(line);
            if (layout == nullptr || layout->odd) return false;
            guess_ = layout;
            found = fill(line, *layout, row);
        }
        return found == Fits::yes;
    }

    std::string &memory() { return json_.memory(); }

private:
    enum class Fits { yes, no, other };
    static constexpr std::size_t MOST = 4096;  // layouts that are remembered

    Fits fill(std::string_view line, const ObjectLayout &layout, Row &row) {
        json_.begin(line);
        row.clear();
        if (!json_.takes('{')) return Fits::no;
        bool first = true;
        for (const auto &member : layout.members) {
            std::string_view key;
            if (!first && !json_.takes(',')) return Fits::other;
            first = false;
            if (!json_.text(key) || key != member.key) return Fits::other;
            if (!json_.takes(':') || !value(member, row)) return Fits::no;
        }
        if (!json_.takes('}')) return Fits::other;
        return json_.ends() ? Fits::yes : Fits::no;
    }

    bool value(const Member &member, Row &row) {
        switch (member.role) {
            case Role::id: return json_.null() || json_.text(row.id) || json_.number(row.id);
            case Role::text: return json_.null() || (row.has_text = json_.text(row.text));
            case Role::label: return json_.null() || (row.has_label = json_.text(row.label));
            case Role::tokens: return texts(row.tokens, row.has_tokens);
            case Role::tags: return texts(row.tags, row.has_tags);
            case Role::extra: row.extra += member.before; return json_.copy(row.extra);
            case Role::ignored: ignored_.clear(); return json_.copy(ignored_);
        }
        return false;
    }

    bool texts(std::vector<std::string_view> &found, bool &there) {
        if (json_.null()) return true;
        if (!json_.takes('[')) return false;
        there = true;
        for (bool first = true; !json_.takes(']'); first = false) {
            if (!first && !json_.takes(',')) return false;
            if (!json_.text(found.emplace_back())) return false;
        }
        return true;
    }

    const ObjectLayout *layout_of(std::string_view line) {
        std::vector<std::string_view> keys;
        json_.begin(line);
        if (!json_.takes('{')) return nullptr;
        signature_.clear();
        for (bool first = true; !json_.takes('}'); first = false) {
            std::string_view key;
            ignored_.clear();
            if (!first && !json_.takes(',')) return nullptr;
            if (!json_.text(key) || !json_.takes(':') || !json_.copy(ignored_)) return nullptr;
            if (std::find(keys.begin(), keys.end(), key) != keys.end()) return nullptr;
            keys.push_back(key);
            append_json(signature_, key);
        }
        const auto known = layouts_.find(signature_);
        if (known != layouts_.end()) return &known->second;
        if (layouts_.size() >= MOST) return nullptr;
        return &layouts_.emplace(signature_, asked(keys)).first->second;  // does not move any more
    }

    ObjectLayout asked(const std::vector<std::string_view> &keys) const {
        ObjectLayout layout;
        nb::list names;
        for (const auto key : keys) names.append(nb::str(key.data(), key.size()));
        const nb::object answer = roles_(nb::tuple(names));
        if (answer.is_none()) return layout;
        layout.odd = false;
        for (std::size_t at = 0; at < keys.size(); ++at) {
            const auto [role, name] = nb::cast<std::pair<int, std::string>>(nb::object(answer[at]));
            Member member{std::string(keys[at]), static_cast<Role>(role), ","};
            append_json(member.before, name);
            member.before += ':';
            layout.members.push_back(std::move(member));
        }
        return layout;
    }

    nb::object roles_;
    JsonLine json_;
    std::string signature_, ignored_;
    std::map<std::string, ObjectLayout> layouts_;
    const ObjectLayout *guess_ = nullptr;
};

}  // namespace mondegreen
