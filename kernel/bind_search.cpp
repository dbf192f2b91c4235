// Words that are near or sound alike, language models, and sets of ids.
#include "alike.hpp"
#include "bind.hpp"
#include "hearing.hpp"
#include "ids.hpp"
#include "nearest.hpp"
#include "words.hpp"

namespace mondegreen {

void bind_search(nb::module_ &m) {
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

}  // namespace mondegreen
