#include "cli/options/option_values.h"

#include <sstream>

namespace parcast::cli {

Result<std::string> any_text(std::string const& text) {
    return text;
}

Result<std::string> file_name(std::string const& name) {
    if (name.empty())
        return fail(ErrorCode::unasked, "it needs the name of a file, and this one is empty");
    return name;
}

std::string range_text(double low, double high, bool is_whole) {
    std::ostringstream text;
    text.precision(15);
    text << (is_whole ? "a whole number " : "a number ");
    if (high < 1e15)
        text << "from " << low << " to " << high;
    else
        text << "of " << low << " or more";
    return text.str();
}

}  // namespace parcast::cli
