// Alignments with further counts: entities, hallucinations, punctuation and case.
#include "batch.hpp"
#include "bind.hpp"
#include "bind_sides.hpp"

namespace mondegreen {

namespace {

// Numbers the classes of entities.
class LabelNumbers {
public:
    std::uint32_t operator()(nb::handle label) {
        if (!last_.is_valid() || !last_.is(label)) number_ = look_up(label), last_ = nb::borrow(label);
        return number_;
    }

    nb::list names;

private:
    std::uint32_t look_up(nb::handle label) {
        const auto [at, is_new] = numbers_.try_emplace(std::string(utf8(label)), static_cast<std::uint32_t>(names.size()));
        if (is_new) names.append(label);
        return at->second;
    }

    std::unordered_map<std::string, std::uint32_t> numbers_;
    nb::object last_;  // the label that was asked for last, and its number
    std::uint32_t number_ = 0;
};

// An entity as (label, start, end).
Entity entity_of(nb::handle span, LabelNumbers &labels) {
    const auto from_0 = [](nb::handle place) {
        return static_cast<std::size_t>(std::max<std::int64_t>(nb::cast<std::int64_t>(place), 0));
    };
    if (PyTuple_Check(span.ptr()) && PyTuple_GET_SIZE(span.ptr()) == 3) {
        const auto item = [&](Py_ssize_t at) { return nb::handle(PyTuple_GET_ITEM(span.ptr(), at)); };
        return {labels(item(0)), from_0(item(1)), from_0(item(2))};
    }
    const auto [label, start, end] = nb::cast<std::tuple<nb::object, nb::object, nb::object>>(span);
    return {labels(label), from_0(start), from_0(end)};
}

// What to look for: keywords as (words, labels), and the entities of each reference as (label, start, end),
// whose words in the references are then mentions wherever a hypothesis has them.
EntitySearch search_of(nb::object keywords, nb::object spans, const Side &refs, LabelNumbers &labels) {
    EntitySearch search;
    for (auto keyword : keywords.is_none() ? nb::object(nb::list()) : keywords) {
        const auto [words, classes] = nb::cast<std::pair<std::vector<std::string>, nb::object>>(keyword);
        if (words.empty()) throw nb::value_error("a keyword has no words");
        const std::vector<std::string_view> views(words.begin(), words.end());
        auto &phrase = search.phrases.of(views.data(), views.size());
        for (auto label : classes) phrase.keyword_labels.push_back(labels(label));
        phrase.labels = phrase.keyword_labels;
    }
    if (!spans.is_none()) {
        search.offsets.push_back(0);
        std::vector<Entity> entities;
        for (auto row : spans) {
            entities.clear();
            if (PyList_CheckExact(row.ptr()) && PyList_GET_SIZE(row.ptr()) == 0) {
                search.add(entities, refs);  // as most are
                continue;
            }
            for (auto span : row) entities.push_back(entity_of(span, labels));
            search.add(entities, refs);
        }
        if (search.offsets.size() != refs.size() + 1) throw nb::value_error("as many rows of entities as references are needed");
    }
    search.phrases.index();
    search.labels = nb::len(labels.names);
    return search;
}

// Takes a token apart in Python, from any thread.
OwnSurface take_apart_by(nb::handle function, std::string_view token) {
    const nb::gil_scoped_acquire hold;
    const auto parts = nb::cast<nb::tuple>(function(nb::str(token.data(), token.size())));
    if (parts.size() != 3) throw nb::value_error("a token has a key, a word and marks");
    return {std::string(utf8(parts[0])), std::string(utf8(parts[1])), code_points(parts[2])};
}

// Aligns, and counts what else is asked for: the table with all counts, and those of each class of entities.
nb::object align_and_count(nb::list refs, nb::list hyps, const std::vector<std::int64_t> &costs, std::size_t threads, nb::object keywords,
                           nb::object spans, bool hallucinations, nb::object written, nb::object take_apart, nb::object times) {
    check_costs(costs, 4);
    const auto [left, right] = sides_of(refs, hyps, false);
    const MarkedCosts table{{{costs[0], costs[1], costs[2], costs[3]}, {costs[0], costs[1], costs[2], costs[3]}}};
    Extras extras;
    LabelNumbers labels;
    if (!keywords.is_none() || !spans.is_none()) extras.entities = search_of(keywords, spans, left, labels);
    extras.hallucinations = hallucinations;
    extras.surface = !written.is_none();
    if (extras.surface) {
        const auto [written_refs, written_hyps] = nb::cast<std::pair<nb::list, nb::list>>(written);
        if (!written_refs.is(refs) || !written_hyps.is(hyps)) {
            extras.written = sides_of(written_refs, written_hyps, false);
            if (extras.written->first.size() != left.size()) throw nb::value_error("as many written texts as references are needed");
        }
        extras.take_apart = [&](std::string_view token) { return take_apart_by(take_apart, token); };
    }
    const auto timed = timed_sides_of(times, left, right);
    Aligned found;
    {
        nb::gil_scoped_release free;
        found = align_batch(left, right, table, nullptr, threads, false, &extras, timed ? &*timed : nullptr);
    }
    nb::list classes;
    for (std::size_t label = 0; label < found.classes.size(); ++label) {
        classes.append(nb::make_tuple(labels.names[label], nb::tuple(nb::cast(found.classes[label]))));
    }
    const auto n = left.size(), steps = found.steps.size();
    return nb::make_tuple(array_of(std::move(found.steps), {steps}), array_of(std::move(found.ends), {n}),
                          array_of(std::move(found.counts), {n, 4 + extras.width() + 2}), classes);
}

}  // namespace

void bind_counting(nb::module_ &m) {
    m.def("align_and_count", &align_and_count, nb::arg("refs"), nb::arg("hyps"), nb::arg("costs"), nb::arg("threads"),
          nb::arg("keywords").none(), nb::arg("spans").none(), nb::arg("hallucinations"), nb::arg("written").none(), nb::arg("take_apart").none(), nb::arg("times").none() = nb::none());
}

}  // namespace mondegreen
