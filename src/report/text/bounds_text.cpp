#include "report/text/parts.h"

#include "report/format.h"
#include "report/text.h"

namespace parcast::report {

bool is_outside_bounds(Row const& run) {
    if (!run.bounds)
        return false;
    std::string const shown = speed_up_text(run.speed_up);
    bool const is_below = run.speed_up < run.bounds->lower && shown != speed_up_text(run.bounds->lower);
    bool const is_above = run.speed_up > run.bounds->upper && shown != speed_up_text(run.bounds->upper);
    return is_below || is_above;
}

std::string bounds_head(bool has_marks) {
    return has_marks ? "ideal range " : "ideal range";
}

std::string bounds_cell(Row const& run, bool has_marks) {
    if (!run.bounds)
        return "";
    std::string const mark = !has_marks ? "" : is_outside_bounds(run) ? "*" : " ";
    return speed_up_text(run.bounds->lower) + " - " + speed_up_text(run.bounds->upper) + mark;
}

std::string bounds_key(bool has_marks, Layout const& layout) {
    return has_marks ? paragraph("  * " + std::string(outside_bounds_note), layout) : "";
}

}  // namespace parcast::report
