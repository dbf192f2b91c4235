// Edits of utterances.
#include "bind.hpp"
#include "arrow_rows.hpp"
#include "columnar.hpp"
#include "rewriter.hpp"
#include "text_rows.hpp"
#include "verbatim.hpp"

namespace mondegreen {

namespace {

std::vector<Change> changes_of(nb::tuple edits, const Names &names) {
    std::vector<Change> changes;
    for (auto edit : edits) {
        changes.push_back({get_number(edit, names.start), get_number(edit, names.end), get(edit, names.tokens)});
    }
    return changes;
}

// Adds how a rewriter of any kind is made.
template <typename R, typename Class>
Class bind_rewriter(Class found) {
    return std::move(found.def("__init__", [](R *self, nb::object edit, nb::object slot, nb::object variant, nb::tuple options, nb::str name,
                                              bool inserts, nb::object grow) {
        if (options.size() < 4) throw nb::value_error("the types of options are missing");
        new (self) R({edit, slot, variant}, {options[0], options[1], options[2], options[3]}, name, inserts, grow);
    }));
}

}  // namespace

void bind_rewriting(nb::module_ &m) {
    m.def("rewrite", [](nb::handle said, nb::tuple edits, nb::object slot_type, nb::str id) {
        static const auto &names = *new Names;  // lives as long as Python does
        Rewriting rewriting(names, slot_type, said, changes_of(edits, names));
        return rewriting.make() ? rewriting.heard(said, id) : nb::none();
    });

    m.def("block_starts", [](nb::bytes text) { return block_starts({text.c_str(), text.size()}); });

    nb::class_<Codes>(m, "Codes").def(nb::init<nb::object, nb::object>()).def("find", &Codes::find);

    bind_rewriter<Rewriter>(nb::class_<Rewriter>(m, "Rewriter")).def("rewrite", &Rewriter::rewrite);

    bind_rewriter<LineRewriter>(nb::class_<LineRewriter, Rewriter>(m, "LineRewriter"))
        .def("rewrite_lines", &LineRewriter::rewrite_lines, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());

    nb::class_<RowPlan>(m, "RowPlan")
        .def("__init__",
             [](RowPlan *self, nb::bytes prefix, std::uint64_t threshold, double share, nb::object look, nb::object spans, bool every_slot,
                std::vector<std::string> labels) { new (self) RowPlan{prefix, threshold, share, look, spans, every_slot, std::move(labels)}; },
             nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg());

    nb::class_<TextColumn>(m, "TextColumn").def("__init__", [](TextColumn *self, Offsets offsets, Bytes bytes, Bytes there) {
        new (self) TextColumn{offsets, bytes, there};
    });

    nb::class_<ListColumn>(m, "ListColumn").def("__init__", [](ListColumn *self, Offsets offsets, Bytes there, const TextColumn &items) {
        new (self) ListColumn{offsets, there, items};
    });

    bind_rewriter<TextRewriter>(nb::class_<TextRewriter, LineRewriter>(m, "RowRewriter"))
        .def("rewrite_json", &TextRewriter::rewrite_json)
        .def("rewrite_conll", &TextRewriter::rewrite_conll)
        .def("rewrite_folder", &TextRewriter::rewrite_folder)
        .def("rewrite_columns", &TextRewriter::rewrite_columns, nb::arg().none(), nb::arg().none(), nb::arg().none(), nb::arg().none(), nb::arg(),
             nb::arg(), nb::arg(), nb::arg());
}

}  // namespace mondegreen
