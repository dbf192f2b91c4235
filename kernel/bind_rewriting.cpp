// Edits of utterances.
#include "bind.hpp"
#include "columnar.hpp"
#include "rewriter.hpp"
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

}  // namespace

void bind_rewriting(nb::module_ &m) {
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
}

}  // namespace mondegreen
