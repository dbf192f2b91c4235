// The one place where the kernel meets Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string_view>

#include "alike.hpp"
#include "batch.hpp"
#include "blake2b.hpp"
#include "columnar.hpp"
#include "draw.hpp"
#include "gaps.hpp"
#include "hearing.hpp"
#include "ids.hpp"
#include "nearest.hpp"
#include "networks.hpp"
#include "resample.hpp"
#include "rewriter.hpp"
#include "symbols.hpp"
#include "tagger.hpp"
#include "verbatim.hpp"

namespace nb = nanobind;
using namespace mondegreen;

namespace {

std::u32string code_points(nb::handle text) {
    if (!PyUnicode_Check(text.ptr())) throw nb::type_error("a word is not a str");
    const auto size = PyUnicode_GetLength(text.ptr());
    std::u32string points(static_cast<std::size_t>(size), U'\0');
    if (size > 0 && PyUnicode_AsUCS4(text.ptr(), reinterpret_cast<Py_UCS4 *>(points.data()), size, 0) == nullptr) {
        throw nb::python_error();
    }
    return points;
}

std::uint64_t hash(std::string_view prefix, std::string_view text) {
    Blake2b64 hash;
    hash.add(prefix);
    hash.add(text);
    return hash.finish();
}

nb::object choice(Lanes &lanes, nb::object items) {
    const auto at = lanes.below(nb::len(items));
    auto *item = PySequence_GetItem(items.ptr(), static_cast<Py_ssize_t>(at));
    if (item == nullptr) throw nb::python_error();
    return nb::steal(item);
}

std::vector<Change> changes_of(nb::tuple edits, const Names &names) {
    std::vector<Change> changes;
    for (auto edit : edits) {
        changes.push_back({get_number(edit, names.start), get_number(edit, names.end), get(edit, names.tokens)});
    }
    return changes;
}

// The chances of each kind at each place, one row after the other.
std::vector<double> chances_of(nb::list places, std::size_t kinds) {
    std::vector<double> chances;
    chances.reserve(places.size() * kinds);
    for (auto place : places) {
        if (!PyTuple_Check(place.ptr()) || nb::len(place) != kinds) throw nb::value_error("each place needs a tuple with a chance per kind");
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            chances.push_back(PyFloat_AsDouble(PyTuple_GET_ITEM(place.ptr(), static_cast<Py_ssize_t>(kind))));
        }
    }
    if (PyErr_Occurred()) throw nb::python_error();
    return chances;
}

void add_token(Side &side, nb::handle token) {
    if (!PyUnicode_Check(token.ptr())) throw nb::type_error("a token is not a str");
    side.add(utf8(token));
}

// Adds the tokens of an item. Only what is neither a list nor a tuple runs Python's code here.
void add_tokens(Side &side, nb::handle item) {
    if (PyUnicode_Check(item.ptr())) throw nb::type_error("texts and token lists must not be mixed");
    if (PyList_CheckExact(item.ptr()) || PyTuple_CheckExact(item.ptr())) {
        auto **tokens = PySequence_Fast_ITEMS(item.ptr());
        for (Py_ssize_t at = 0, n = Py_SIZE(item.ptr()); at < n; ++at) add_token(side, tokens[at]);
    } else {
        for (auto token : nb::iter(item)) add_token(side, token);
    }
    side.offsets->push_back(side.ends.size() - 1);
}

// One side of a batch: a list of texts, or a list of token lists.
Side side_of(nb::list items, bool characters) {
    Side side;
    side.characters = characters;
    if (items.size() > 0 && !PyUnicode_Check(nb::handle(items[0]).ptr())) side.offsets.emplace(1, 0);
    for (std::size_t at = 0; at < items.size(); ++at) {  // its length may change as Python's code runs
        const nb::object item = items[at];
        if (side.offsets) {
            add_tokens(side, item);
        } else {
            if (!PyUnicode_Check(item.ptr())) throw nb::type_error("texts and token lists must not be mixed");
            side.add(utf8(item));
        }
    }
    side.bytes.append(PADDING, '\0');
    return side;
}

template <typename T>
nb::object array_of(std::vector<T> &&values, std::vector<std::size_t> shape) {
    auto *kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner));
}

// One entry an item: flags, or None for words in UPPERCASE.
Marking marking_of(nb::object flags, std::vector<std::string> keep, bool regions) {
    Marking marking;
    marking.keep = std::move(keep);
    marking.regions = regions;
    marking.offsets.push_back(0);
    for (auto item : flags) {
        marking.upper.push_back(item.is_none());
        if (!item.is_none()) {
            const auto bytes = nb::cast<nb::bytes>(item);
            for (std::size_t i = 0; i < bytes.size(); ++i) marking.flags.push_back(bytes.c_str()[i] != 0);
        }
        marking.offsets.push_back(marking.flags.size());
    }
    return marking;
}

// The sides of a batch, paired.
std::pair<Side, Side> sides_of(nb::list refs, nb::list hyps, bool characters) {
    std::pair<Side, Side> sides{side_of(refs, characters), side_of(hyps, characters)};
    if (sides.first.size() != sides.second.size()) throw nb::value_error("as many references as hypotheses are needed");
    return sides;
}

void check_costs(const std::vector<std::int64_t> &costs, std::size_t n) {
    if (costs.size() != n) throw nb::value_error("there are too many or too few costs");
    for (const auto cost : costs) {
        if (cost < 0 || cost > std::int64_t{1} << 40) throw nb::value_error("a cost is out of range");
    }
}

nb::object align(nb::list refs, nb::list hyps, const std::vector<std::int64_t> &costs, bool characters, std::size_t threads,
                 nb::object marks, std::vector<std::string> keep, bool regions) {
    check_costs(costs, 8);
    const auto [left, right] = sides_of(refs, hyps, characters);
    const MarkedCosts table{{{costs[0], costs[1], costs[2], costs[3]}, {costs[4], costs[5], costs[6], costs[7]}}};
    std::optional<Marking> marking;
    if (!marks.is_none()) {
        marking = marking_of(marks, std::move(keep), regions);
        if (marking->upper.size() != left.size()) throw nb::value_error("as many marks as references are needed");
    }
    Aligned found;
    {
        nb::gil_scoped_release free;
        found = align_batch(left, right, table, marking ? &*marking : nullptr, threads);
    }
    const auto n = left.size(), steps = found.steps.size();
    return nb::make_tuple(array_of(std::move(found.steps), {steps}), array_of(std::move(found.ends), {n}),
                          array_of(std::move(found.counts), {n, std::size_t{marking ? 8u : 4u}}));
}

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

// What to look for: keywords as (words, labels), and the entities of each reference as (label, start, end),
// whose words in the references are then mentions wherever a hypothesis has them.
EntitySearch search_of(nb::object keywords, nb::object spans, const Side &refs, LabelNumbers &labels) {
    EntitySearch search;
    for (auto keyword : keywords.is_none() ? nb::object(nb::list()) : keywords) {
        const auto [words, classes] = nb::cast<std::pair<std::vector<std::string>, nb::object>>(keyword);
        if (words.empty()) throw nb::value_error("a keyword has no words");
        auto &phrase = search.phrases[{words.begin(), words.end()}];
        for (auto label : classes) phrase.keyword_labels.push_back(labels(label));
        phrase.labels = phrase.keyword_labels;
    }
    if (!spans.is_none()) {
        search.offsets.push_back(0);
        for (auto row : spans) {
            std::vector<Entity> entities;
            for (auto span : row) {
                const auto [label, start, end] = nb::cast<std::tuple<nb::object, std::int64_t, std::int64_t>>(span);
                const auto from_0 = [](std::int64_t at) { return static_cast<std::size_t>(std::max<std::int64_t>(at, 0)); };
                entities.push_back({labels(label), from_0(start), from_0(end)});
            }
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
                           nb::object spans, bool hallucinations, nb::object written, nb::object take_apart) {
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
    Aligned found;
    {
        nb::gil_scoped_release free;
        found = align_batch(left, right, table, nullptr, threads, false, &extras);
    }
    nb::list classes;
    for (std::size_t label = 0; label < found.classes.size(); ++label) {
        classes.append(nb::make_tuple(labels.names[label], nb::tuple(nb::cast(found.classes[label]))));
    }
    const auto n = left.size(), steps = found.steps.size();
    return nb::make_tuple(array_of(std::move(found.steps), {steps}), array_of(std::move(found.ends), {n}),
                          array_of(std::move(found.counts), {n, 4 + extras.width() + 2}), classes);
}

template <typename T>
std::vector<T> numbers_of(nb::handle array) {
    const auto values = nb::cast<nb::ndarray<const T, nb::c_contig, nb::device::cpu>>(array);
    return {values.data(), values.data() + values.size()};
}

// A tagger of Python's tokens, which remembers the types of words that it has seen.
class TokenTagger {
public:
    TokenTagger(nb::object model, nb::object form)
        : tagger_(model_of(model)), form_(std::move(form)), names_(model["tags"].attr("item")().attr("split")()) {
        if (names_.size() != nb::len(nb::object(model["transitions"]))) throw nb::value_error("a tagger needs a name per tag");
    }

    nb::tuple tag(nb::tuple tokens) {
        const auto types = types_of(tokens, tokens.size(), {});
        const auto path = path_of(types);
        auto found = path.begin();
        auto tags = nb::steal<nb::tuple>(PyTuple_New(static_cast<Py_ssize_t>(types.size())));
        for (std::size_t at = 0; at < types.size(); ++at) {
            const auto tag = types[at] == PUNCTUATION ? nb::object(punctuation_) : nb::object(names_[*found++]);
            PyTuple_SET_ITEM(tags.ptr(), static_cast<Py_ssize_t>(at), tag.inc_ref().ptr());
        }
        return tags;
    }

    // The tag that a word has in place of a token.
    nb::object tag_in_place(nb::tuple tokens, std::size_t at, nb::str word) {
        if (at >= tokens.size()) throw nb::index_error("there is no such token");
        const auto types = types_of(tokens, at, word);
        if (types[at] == PUNCTUATION) return punctuation_;
        const auto words = types.begin() + static_cast<std::ptrdiff_t>(at);
        const auto marks = std::count(types.begin(), words, PUNCTUATION);
        return names_[path_of(types)[at - static_cast<std::size_t>(marks)]];
    }

private:
    static constexpr std::size_t MOST = 1 << 16, PUNCTUATION = ~std::size_t{0} >> 1;

    struct Busy {
        explicit Busy(std::size_t &count) : count_(count) { ++count_; }
        ~Busy() { --count_; }
        std::size_t &count_;
    };

    // The types of tokens, of which one is another word.
    std::vector<std::size_t> types_of(nb::tuple tokens, std::size_t replaced, nb::handle word) {
        if (busy_ == 0 && words_.size() > MOST) {
            known_.clear();
            words_.clear();
        }
        std::vector<std::size_t> types;
        types.reserve(tokens.size());
        const Busy busy(busy_);  // looking at a word calls Python, which may let other threads in
        for (std::size_t at = 0; at < tokens.size(); ++at) types.push_back(type(at == replaced ? word : nb::handle(tokens[at])));
        return types;
    }

    std::vector<std::uint8_t> path_of(const std::vector<std::size_t> &types) const {
        std::vector<const Tagger::Word *> words;
        words.reserve(types.size());
        for (const auto type : types) {
            if (type != PUNCTUATION) words.push_back(&words_[type]);
        }
        return tagger_.best(words);
    }

    static Tagger::Model model_of(nb::object model) {
        auto transitions = numbers_of<std::int16_t>(model["transitions"]);
        return {numbers_of<std::uint32_t>(model["keys"]), numbers_of<std::uint32_t>(model["ends"]),
                numbers_of<std::uint8_t>(model["targets"]), numbers_of<std::int16_t>(model["weights"]),
                std::move(transitions), numbers_of<std::uint32_t>(model["lexicon"]),
                numbers_of<std::uint8_t>(model["kinds"]), numbers_of<std::uint32_t>(model["cues"]),
                numbers_of<std::int8_t>(model["leanings"]), nb::len(nb::object(model["transitions"]))};
    }

    std::size_t type(nb::handle token) {
        if (auto *known = PyDict_GetItemWithError(known_.ptr(), token.ptr())) return PyLong_AsSize_t(known);
        if (PyErr_Occurred()) throw nb::python_error();
        const auto form = nb::cast<nb::bytes>(form_(token));
        auto made = PUNCTUATION;
        if (form.size() > 0) {
            made = words_.size();
            words_.push_back(tagger_.look({form.c_str(), form.size()}));
        }
        known_[token] = made;
        return made;
    }

    Tagger tagger_;
    nb::object form_;
    nb::list names_;
    nb::str punctuation_{"PUNCT"};
    nb::dict known_;
    std::vector<Tagger::Word> words_;
    std::size_t busy_ = 0;
};

}  // namespace

NB_MODULE(_kernel, m) {
    nb::set_leak_warnings(false);  // word tables are kept until the process ends

    m.def("key", [](nb::bytes prefix, nb::str text) {
        return hash({prefix.c_str(), prefix.size()}, utf8(text));
    });

    m.def("walk", [](std::uint64_t key, std::int64_t start, std::int64_t stop, std::uint64_t threshold,
                     std::size_t least) {
        const auto found = walk(key, start, stop, threshold, least);
        nb::list sites;
        for (const auto site : found.sites) sites.append(site);
        return nb::make_tuple(found.below, sites);
    });

    m.def("weighted_walk", [](std::uint64_t key, std::int64_t start, const std::vector<double> &weights,
                              std::uint64_t threshold) {
        const auto found = weighted_walk(key, start, weights, threshold);
        nb::list sites;
        for (const auto site : found.sites) sites.append(site);
        return nb::make_tuple(found.below, sites);
    });

    m.def("gap_weights", [](nb::list places, const std::vector<std::uint32_t> &allowed, const std::vector<double> &expected, double average) {
        auto [factors, weights] = gap_weights(chances_of(places, expected.size()), allowed, expected, average);
        return nb::make_tuple(nb::tuple(nb::cast(factors)), weights);
    });

    nb::class_<Lanes>(m, "Draw")
        .def(nb::init<std::uint64_t, std::uint64_t>())
        .def_prop_ro("key", &Lanes::key)
        .def("below", &Lanes::below)
        .def("choice", &choice)
        .def("weighted", [](Lanes &lanes, const std::vector<std::uint64_t> &weights) { return lanes.weighted(weights); });

    m.def("rewrite", [](nb::handle said, nb::tuple edits, nb::object slot_type, nb::str id) {
        static const auto &names = *new Names;  // lives as long as Python does
        Rewriting rewriting(names, slot_type, said, changes_of(edits, names));
        return rewriting.make() ? rewriting.heard(said, id) : nb::none();
    });

    nb::class_<Codes>(m, "Codes").def(nb::init<nb::object, nb::object>()).def("find", &Codes::find);

    nb::class_<Rewriter>(m, "Rewriter")
        .def("__init__",
             [](Rewriter *self, nb::object edit, nb::object slot, nb::object variant, nb::tuple options, nb::str name, bool inserts,
                nb::object grow) {
                 if (options.size() < 4) throw nb::value_error("the types of options are missing");
                 new (self) Rewriter({edit, slot, variant}, {options[0], options[1], options[2], options[3]}, name, inserts, grow);
             })
        .def("rewrite", &Rewriter::rewrite);

    nb::class_<LineRewriter, Rewriter>(m, "LineRewriter")
        .def("__init__",
             [](LineRewriter *self, nb::object edit, nb::object slot, nb::object variant, nb::tuple options, nb::str name, bool inserts,
                nb::object grow) {
                 if (options.size() < 4) throw nb::value_error("the types of options are missing");
                 new (self) LineRewriter({edit, slot, variant}, {options[0], options[1], options[2], options[3]}, name, inserts, grow);
             })
                .def("rewrite_lines", &LineRewriter::rewrite_lines, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());

    // The steps of pairs by sclite's costs and ties, and where those of each pair end.
    m.def("align_nist", [](nb::list refs, nb::list hyps, std::size_t threads) {
        const auto [left, right] = sides_of(refs, hyps, false);
        Aligned found;
        {
            nb::gil_scoped_release free;
            found = align_batch(left, right, MarkedCosts{}, nullptr, threads, true);
        }
        const auto n = left.size(), steps = found.steps.size();
        return nb::make_tuple(array_of(std::move(found.steps), {steps}), array_of(std::move(found.ends), {n}));
    });

    m.def("align", &align, nb::arg("refs"), nb::arg("hyps"), nb::arg("costs"), nb::arg("characters"), nb::arg("threads"), nb::arg("marks").none(),
          nb::arg("keep"), nb::arg("regions"));

    m.def("align_and_count", &align_and_count, nb::arg("refs"), nb::arg("hyps"), nb::arg("costs"), nb::arg("threads"),
          nb::arg("keywords").none(), nb::arg("spans").none(), nb::arg("hallucinations"), nb::arg("written").none(), nb::arg("take_apart").none());

    // Texts of known symbols, aligned with unit costs and under a table; None where one is unknown.
    m.def("align_symbols", [](nb::list refs, nb::list hyps, std::vector<std::string> symbols, std::vector<std::string> silent,
                              nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> substitution,
                              nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> alone) -> nb::object {
        const auto [left, right] = sides_of(refs, hyps, false);
        const auto size = alone.shape(0);
        if (symbols.size() != size || substitution.shape(0) != size || substitution.shape(1) != size) {
            throw nb::value_error("a table of costs must be square, with a cost per symbol");
        }
        std::int64_t greatest = 0, least = 0;
        for (std::size_t i = 0; i < size * size; ++i) greatest = std::max(greatest, substitution.data()[i]), least = std::min(least, substitution.data()[i]);
        for (std::size_t i = 0; i < size; ++i) greatest = std::max(greatest, alone.data()[i]), least = std::min(least, alone.data()[i]);
        if (least < 0) throw nb::value_error("a cost is below 0");
        const TablePair::Table table{substitution.data(), alone.data(), size, greatest};
        std::optional<SymbolAlignment> found;
        {
            nb::gil_scoped_release free;
            found = align_symbols(left, right, symbols, silent, table);
        }
        if (!found) return nb::none();
        const auto n = left.size(), plain = found->plain.steps.size(), weighted = found->weighted.steps.size();
        return nb::make_tuple(
            nb::make_tuple(array_of(std::move(found->plain.steps), {plain}), array_of(std::move(found->plain.ends), {n}),
                           array_of(std::move(found->plain.counts), {n, std::size_t{4}})),
            nb::make_tuple(array_of(std::move(found->weighted.steps), {weighted}), array_of(std::move(found->weighted.ends), {n}),
                           array_of(std::move(found->weighted.counts), {n})));
    });

    // Arcs (from, to, word, optional) in the order of their ends; a word of -1 is none.
    m.def("align_networks", [](nb::list ref, nb::list hyp, const std::vector<std::int64_t> &costs,
                               const std::vector<std::pair<std::uint32_t, std::uint32_t>> &alike) {
        const auto network_of = [](nb::list arcs) {
            std::vector<Network::Arc> found;
            std::uint32_t nodes = 1;
            for (auto item : arcs) {
                const auto [from, to, word, optional] = nb::cast<std::tuple<std::uint32_t, std::uint32_t, std::int64_t, bool>>(item);
                if (to >= Network::NONE - 1 || word < -1 || word >= Network::NONE) throw nb::value_error("an arc of a network is out of range");
                found.push_back({from, to, word < 0 ? Network::NONE : static_cast<std::uint32_t>(word), optional});
                nodes = std::max(nodes, to + 1);
            }
            if (nodes > found.size() + 1) throw nb::value_error("no arc leads to a node of a network");
            return Network(std::move(found), nodes);
        };
        check_costs(costs, 4);
        const auto left = network_of(ref), right = network_of(hyp);
        NetworkSteps found;
        {
            nb::gil_scoped_release free;
            found = NetworkAligner(left, right, {costs[0], costs[1], costs[2], costs[3]}, alike).align();
        }
        nb::list steps;
        const auto number = [](std::uint32_t arc) { return arc == Network::NONE ? std::int64_t{-1} : std::int64_t{arc}; };
        for (const auto &[a, b] : found) steps.append(nb::make_tuple(number(a), number(b)));
        return steps;
    });

    m.def("distances", [](nb::list refs, nb::list hyps, std::size_t threads) {
        const auto [left, right] = sides_of(refs, hyps, true);
        std::vector<std::int64_t> found;
        {
            nb::gil_scoped_release free;
            found = character_distances(left, right, threads);
        }
        return array_of(std::move(found), {left.size(), std::size_t{2}});
    });

    m.def("resample", [](nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> rows, std::uint64_t key,
                         std::size_t replicates, std::size_t threads) {
        const auto n = rows.shape(0), width = rows.shape(1);
        std::vector<std::int64_t> sums;
        {
            nb::gil_scoped_release free;
            sums = Resampler(rows.data(), n, width).sums(key, replicates, threads);
        }
        return array_of(std::move(sums), {replicates, width});
    });

    nb::class_<Nearest>(m, "Nearest")
        .def("__init__",
             [](Nearest *self, nb::iterable words) {
                 std::vector<std::u32string> entries;
                 for (auto word : words) entries.push_back(code_points(word));
                 new (self) Nearest(std::move(entries));
             })
        .def("find", [](const Nearest &self, nb::str word, std::size_t n) {
            const auto points = code_points(word);
            std::vector<std::pair<std::uint32_t, std::uint32_t>> hits;
            for (const auto &hit : self.find(points, n)) hits.emplace_back(hit.index, hit.distance);
            return hits;
        });

    nb::class_<Alike>(m, "Alike")
        .def(nb::init<const std::vector<Ids> &, std::vector<std::int64_t>, std::vector<std::int64_t>>())
        .def("find", &Alike::find);

    nb::class_<Trigram>(m, "Trigram")
        .def(nb::init<const std::string &>())
        .def("score", [](const Trigram &self, nb::str word, const std::vector<std::string> &before) {
            return self.score(self.id(utf8(word)), self.history_of(self.ids(before)));
        })
        .def("surprises", [](const Trigram &self, nb::sequence candidates, const std::vector<std::string> &before,
                             const std::vector<std::string> &after) {
            const auto start = self.history_of(self.ids(before));
            const auto rest = self.ids(after);
            nb::list found;
            std::vector<std::uint32_t> words;
            for (auto candidate : candidates) {
                words.clear();
                split_words(utf8(candidate), [&](std::string_view word) { words.push_back(self.id(word)); });
                auto history = start;
                const auto own = self.surprise(words, history);
                found.append(own + self.surprise(rest, history));
            }
            return found;
        });

    nb::class_<Hearing>(m, "Hearing")
        .def(nb::init<const std::vector<Ids> &, const std::vector<std::string> &, std::vector<std::int32_t>, std::vector<std::int32_t>,
                      const Trigram &>(), nb::keep_alive<1, 6>())
        .def("hear", [](const Hearing &self, const Ids &phonemes, const std::vector<std::string> &before, const std::vector<std::string> &after,
                        const std::vector<std::pair<std::string, std::pair<std::size_t, std::size_t>>> &barred,
                        const std::vector<std::int64_t> &limits, std::size_t n) {
            std::vector<Hearing::Heard> found;
            {
                nb::gil_scoped_release free;
                found = self.hear(phonemes, before, after, barred, Hearing::Limits::of(limits), n);
            }
            nb::list heard;
            for (const auto &one : found) heard.append(nb::make_tuple(nb::cast(one.entries), nb::cast(one.ends), one.sound, one.surprise));
            return heard;
        });

    nb::class_<TokenTagger>(m, "Tagger").def(nb::init<nb::object, nb::object>()).def("tag", &TokenTagger::tag).def("tag_in_place", &TokenTagger::tag_in_place);

    nb::class_<Places>(m, "Places")
        .def(nb::init<>())
        .def("add", [](Places &self, std::int64_t key, std::int64_t place) { self.add(static_cast<std::uint64_t>(key), place); })
        .def("get", [](Places &self, std::int64_t key) { return self.get(static_cast<std::uint64_t>(key)); });

    nb::class_<Fingerprints>(m, "Ids")
        .def(nb::init<>())
        .def("add", [](Fingerprints &self, nb::str id) {
            return self.add(hash("", utf8(id)));
        });
}
