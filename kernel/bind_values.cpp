// Values: do two texts say the same? The tables come from values/compiled.py.
#include <bit>

#include "bind.hpp"
#include "values_readings.hpp"

namespace mondegreen {

namespace {

using namespace values;

Wide wide_of(nb::handle number) { return [&] {  // beyond 64 bits it comes as text
    Wide value = 0;
    const auto text = nb::cast<std::string>(nb::str(number));
    for (const auto c : text) {
        if (c != '-') value = plus(times(value, 10), c - '0');
    }
    return text[0] == '-' ? -value : value;
}(); }

Labels labels_of(nb::handle list) { return nb::cast<std::vector<Label>>(list); }

Char char_of(nb::tuple found) {
    return {nb::cast<std::uint32_t>(found[0]), nb::cast<std::uint32_t>(found[1]), code_points(found[2]), code_points(found[3]), code_points(found[4]), code_points(found[5])};
}

Meaning meaning_of(nb::handle source) {
    const auto [kind, top, bottom, whole, room, multiplies, labels, name, rest] =
        nb::cast<std::tuple<std::int64_t, nb::object, nb::object, bool, nb::object, bool, nb::object, Label, std::vector<std::uint32_t>>>(source);
    return {static_cast<Kind>(kind), {wide_of(top), wide_of(bottom), whole}, wide_of(room), multiplies, labels_of(labels), name, rest};
}

Map<Phrases> phrases_of(nb::dict source) {
    Map<Phrases> found;
    for (const auto &[word, meanings] : source) {
        auto &home = found[code_points(word)];
        for (const auto meaning : meanings) {
            auto made = meaning_of(meaning);
            (made.rest.empty() ? home.alone : home.longer).push_back(std::move(made));
        }
    }
    return found;
}

Templates templates_of(nb::handle source) {
    Templates found;
    for (const auto one : source) {
        Template made;
        made.of = nb::cast<std::int64_t>(one[0]);
        made.heard = nb::cast<bool>(one[1]);
        made.has = nb::cast<std::uint32_t>(one[2]);
        for (const auto variant : nb::object(one[3])) {
            Variant way;
            for (const auto piece : nb::object(variant[0])) way.pieces.push_back({nb::cast<std::size_t>(piece[0]), labels_of(piece[1])});
            way.unless = nb::cast<std::vector<std::vector<std::size_t>>>(variant[1]);
            for (const auto &piece : way.pieces) {
                if (piece.part == P_NONE) std::for_each(piece.labels.begin(), piece.labels.end(), [&](Label label) { way.needs.add(label); });
            }
            made.variants.push_back(std::move(way));
        }
        made.read = nb::cast<bool>(one[4]);
        made.lasts = nb::cast<bool>(one[5]);
        found.push_back(std::move(made));
    }
    return found;
}

Pattern pattern_of(nb::handle source) {
    Pattern made;
    if (source.is_none()) return made;
    std::vector<Regex::Node> nodes;
    for (const auto one : nb::object(source["nodes"])) {
        const auto [op, next, a, b, c, d, branches] =
            nb::cast<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::vector<std::int64_t>>>(one);
        Regex::Node node{static_cast<Regex::Op>(op), next, a, b, c, d};
        node.branches = branches;
        nodes.push_back(std::move(node));
    }
    std::vector<Regex::Set> sets;
    for (const auto one : nb::object(source["sets"])) {
        Regex::Set set;
        set.negated = nb::cast<bool>(one[0]);
        set.items = nb::cast<std::vector<std::array<std::int64_t, 3>>>(one[1]);
        sets.push_back(std::move(set));
    }
    made.regex = Regex(std::move(nodes), std::move(sets), nb::cast<std::int64_t>(source["start"]), nb::cast<bool>(source["ignores_case"]),
                       nb::cast<std::size_t>(source["loops"]));
    for (const auto &[name, group] : nb::cast<nb::dict>(source["groups"])) made.groups[nb::cast<std::string>(name)] = nb::cast<std::size_t>(group);
    made.guess = nb::cast<bool>(source["guess"]);
    return made;
}

std::vector<Pattern> patterns_of(nb::handle source) {
    std::vector<Pattern> found;
    for (const auto one : source) found.push_back(pattern_of(one));
    return found;
}

template <typename T, typename F>
Map<T> map_of(nb::handle source, F &&value) {
    Map<T> found;
    for (const auto &[word, one] : nb::cast<nb::dict>(source)) found[code_points(word)] = value(one);
    return found;
}

void mark(Tables &t, Label label, std::uint8_t bits) {
    if (label >> TAG_SHIFT == TEXT) {
        if (t.marks.size() <= label) t.marks.resize(label + 1, 0);
        t.marks[label] = bits;
    } else {
        t.char_marks[label] = bits;
        t.marked_chars[label & 0xff] = true;
    }
}

Tables tables_of(nb::dict source) {
    Tables t;
    const auto number = [](nb::handle one) { return nb::cast<std::uint32_t>(one); };
    const auto flag = [&](const char *name) { return nb::cast<bool>(source[name]); };
    t.words = map_of<std::uint32_t>(source["words"], number);
    t.keys = map_of<std::uint32_t>(source["keys"], number);
    t.phrases = phrases_of(nb::cast<nb::dict>(source["phrases"]));
    t.stems = phrases_of(nb::cast<nb::dict>(source["stems"]));
    for (const auto one : nb::object(source["morphemes"])) t.morphemes[code_points(one)] = true;
    t.before_roman.assign(t.keys.size() + 1, false);
    for (const auto one : nb::object(source["before_roman"])) t.before_roman[nb::cast<std::size_t>(one)] = true;
    t.accents = flag("accents");
    t.inverted = flag("inverted");
    t.trailing = flag("trailing");
    t.prefixes = flag("prefixes");
    t.pairs = flag("pairs");
    t.several = flag("several");
    t.ordinals_too = flag("ordinals_too");
    t.both = flag("both");
    t.decades = flag("decades");
    t.bare = flag("bare");
    t.half_first = flag("half_first");
    t.decimal = code_points(source["decimal"])[0];
    const std::pair<const char *, Pattern *> patterns[] = {
        {"number", &t.number}, {"fraction", &t.fraction}, {"ordinal", &t.ordinal}, {"decade", &t.decade},
        {"article", &t.article}, {"roman", &t.roman}, {"address", &t.address}, {"chunk_address", &t.chunk_address}};
    for (const auto &[name, pattern] : patterns) *pattern = pattern_of(source[name]);
    t.times = patterns_of(source["times"]);
    t.dates = patterns_of(source["dates"]);
    t.money = patterns_of(source["money"]);
    for (const auto one : nb::object(source["ordinal_forms"])) t.ordinal_forms.push_back(code_points(one));
    t.cents = map_of<Labels>(source["cents"], labels_of);
    t.signs = map_of<Labels>(source["signs"], labels_of);
    t.scales = map_of<Wide>(source["scales"], wide_of);
    t.months = map_of<std::int64_t>(source["months"], [](nb::handle one) { return nb::cast<std::int64_t>(one); });
    for (const auto &[sign, labels] : nb::cast<nb::dict>(source["brackets"])) t.brackets[code_points(sign)[0]] = labels_of(labels);
    const std::pair<const char *, Templates *> templates[] = {
        {"said_time", &t.said_time}, {"said_seconds", &t.said_seconds}, {"said_date", &t.said_date}, {"said_month", &t.said_month},
        {"said_money", &t.said_money}, {"said_small", &t.said_small}, {"said_fraction", &t.said_fraction}, {"said_mixed", &t.said_mixed},
        {"said_percent", &t.said_percent}};
    for (const auto &[name, made] : templates) *made = templates_of(source[name]);
    t.time_cases = nb::cast<std::vector<std::vector<std::int64_t>>>(source["time_cases"]);
    for (const auto &[of, value] : nb::cast<nb::dict>(source["numbers"])) t.numbers[nb::cast<std::int64_t>(of)] = nb::cast<std::int64_t>(value);
    for (const auto &[of, time] : nb::cast<nb::dict>(source["case_times"])) t.case_times[nb::cast<std::int64_t>(of)] = nb::cast<std::pair<std::int64_t, std::int64_t>>(time);
    for (const auto &[label, bits] : nb::cast<nb::dict>(source["marks"])) mark(t, nb::cast<Label>(label), nb::cast<std::uint8_t>(bits));
    for (const auto &[code, cent] : nb::cast<nb::dict>(source["cent_of"])) t.cent_of[nb::cast<Label>(code)] = nb::cast<Label>(cent);
    t.any_cent = nb::cast<Label>(source["any_cent"]);
    t.minus = nb::cast<std::vector<Labels>>(source["minus"]);
    t.joins = nb::cast<std::vector<Labels>>(source["joins"]);
    t.percent_minus = labels_of(source["percent_minus"]);
    const auto months = labels_of(source["month_labels"]);
    std::copy(months.begin(), months.end(), t.month_labels.begin());
    t.am = nb::cast<Label>(source["am"]);
    t.pm = nb::cast<Label>(source["pm"]);
    t.cent = nb::cast<Label>(source["cent"]);
    t.root = nb::cast<Label>(source["root"]);
    return t;
}

nb::str text_of(const std::u32string &text) {
    int order = std::endian::native == std::endian::big ? 1 : -1;
    const auto *bytes = reinterpret_cast<const char *>(text.data());
    return nb::steal<nb::str>(PyUnicode_DecodeUTF32(bytes, static_cast<Py_ssize_t>(4 * text.size()), "surrogatepass", &order));
}

// The values of one language. Python says what characters are, and judges pairs that are too hard.
class Values {
public:
    Values(nb::object tables, nb::object char_, nb::object plain, nb::object key, nb::object apart, nb::object stretches)
        : apart_(std::move(apart)),
          stretches_(std::move(stretches)),
          engine_(tables_of(nb::cast<nb::dict>(tables())), Chars([char_](char32_t c) { return char_of(nb::cast<nb::tuple>(char_(static_cast<std::uint32_t>(c)))); }),
                  Ask{[plain](const std::u32string &text) { return code_points(plain(text_of(text))); },
                      [key](const std::u32string &text) { return code_points(key(text_of(text))); }}) {}

    Values(const Values &) = delete;
    Values &operator=(const Values &) = delete;

    nb::list same(nb::sequence refs, nb::sequence hyps) {
        return each(refs, hyps, [&](nb::handle ref, nb::handle hyp) {
            try {
                return nb::object(nb::bool_(engine_.same(left_, right_)));
            } catch (const TooHard &) {
                return nb::object(nb::bool_(apart_(ref, hyp).is_none()));
            }
        });
    }

    // What both texts say, and what each says next; None if they say the same.
    nb::list apart(nb::sequence refs, nb::sequence hyps) {
        return each(refs, hyps, [&](nb::handle ref, nb::handle hyp) {
            try {
                const auto met = engine_.meet(left_, right_);
                if (met.same) return nb::object(nb::none());
                const auto &left = engine_.left().text, &right = engine_.right().text;
                return nb::object(nb::make_tuple(before(left, met.left), after(left, met.left), after(right, met.right)));
            } catch (const TooHard &) {
                return apart_(ref, hyp);
            }
        });
    }

    // Stretches of words that say the same: where they start and end in both texts.
    nb::object stretches(nb::sequence ref, nb::sequence hyp) {
        if (busy_) throw nb::value_error("values are compared one list at a time");
        const Busy busy(busy_);
        try {
            nb::list found;
            for (const auto &[start, end, first, last] : engine_.stretches(words_of(ref), words_of(hyp))) {
                found.append(nb::make_tuple(start, end, first, last));
            }
            return found;
        } catch (const TooHard &) {
            return stretches_(ref, hyp);
        }
    }

private:
    static std::vector<std::u32string> words_of(nb::sequence words) {
        std::vector<std::u32string> found;
        for (const auto word : words) found.push_back(code_points(word));
        return found;
    }

    template <typename F>
    nb::list each(nb::sequence refs, nb::sequence hyps, F &&judge) {
        const auto n = nb::len(refs);
        if (nb::len(hyps) != n) throw nb::value_error("two lists of texts differ in length");
        if (busy_) throw nb::value_error("values are compared one list at a time");
        const Busy busy(busy_);
        auto found = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(n)));
        for (std::size_t i = 0; i < n; ++i) {
            const nb::object ref = refs[i], hyp = hyps[i];
            read(ref, left_);
            read(hyp, right_);
            PyList_SET_ITEM(found.ptr(), static_cast<Py_ssize_t>(i), judge(ref, hyp).release().ptr());
        }
        return found;
    }

    struct Busy {
        explicit Busy(bool &flag) : flag_(flag) { flag_ = true; }
        ~Busy() { flag_ = false; }
        bool &flag_;
    };

    static nb::str before(const Text &text, std::uint32_t node) {
        if (node == 0) return nb::str("");
        return text_of(text.text.substr(0, static_cast<std::size_t>(text.tokens[node - 1].end)));
    }

    static nb::str after(const Text &text, std::uint32_t node) {
        if (node >= text.tokens.size()) return nb::str("");
        return text_of(text.text.substr(static_cast<std::size_t>(text.tokens[node].start)));
    }

    static void read(nb::handle text, std::u32string &out) {
        if (!PyUnicode_Check(text.ptr())) throw nb::type_error("a text is not a str");
        out.resize(static_cast<std::size_t>(PyUnicode_GetLength(text.ptr())));
        if (!out.empty() && PyUnicode_AsUCS4(text.ptr(), reinterpret_cast<Py_UCS4 *>(out.data()), static_cast<Py_ssize_t>(out.size()), 0) == nullptr) {
            throw nb::python_error();
        }
    }

    nb::object apart_, stretches_;
    bool busy_ = false;
    Engine engine_;
    std::u32string left_, right_;
};

}  // namespace

void bind_values(nb::module_ &m) {
    nb::class_<Values>(m, "Values")
        .def(nb::init<nb::object, nb::object, nb::object, nb::object, nb::object, nb::object>())
        .def("same", &Values::same)
        .def("apart", &Values::apart)
        .def("stretches", &Values::stretches);
}

}  // namespace mondegreen
