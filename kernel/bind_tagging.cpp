// The tagger of words.
#include <algorithm>

#include "bind.hpp"
#include "tagger.hpp"

namespace mondegreen {

namespace {

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

void bind_tagging(nb::module_ &m) {
    nb::class_<TokenTagger>(m, "Tagger").def(nb::init<nb::object, nb::object>()).def("tag", &TokenTagger::tag).def("tag_in_place", &TokenTagger::tag_in_place);
}

}  // namespace mondegreen
