// The one place where the kernel meets Python; each subject has its own file.
#include "bind.hpp"

NB_MODULE(_kernel, m) {
    nanobind::set_leak_warnings(false);  // word tables are kept until the process ends
    mondegreen::bind_draws(m);
    mondegreen::bind_rewriting(m);
    mondegreen::bind_alignment(m);
    mondegreen::bind_counting(m);
    mondegreen::bind_search(m);
    mondegreen::bind_tagging(m);
    mondegreen::bind_values(m);
}
