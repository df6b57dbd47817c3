#include "cli/options/cpu_list.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace parcast::cli {

namespace {

constexpr char const* advice = "Give counts and ranges, such as 8 or 1,2,4-16";

std::string quoted(std::string_view part) {
    return "\"" + std::string(part) + "\"";
}

Result<std::uint32_t> parse_count(std::string_view number, std::string_view part) {
    std::uint32_t count = 0;
    auto const [end, problem] = std::from_chars(number.data(), number.data() + number.size(), count);
    bool const is_number = end == number.data() + number.size() && !number.empty();
    if (!is_number || problem == std::errc::invalid_argument)
        return fail(ErrorCode::malformed, quoted(part) + " is not a number of CPUs. " + advice);
    if (problem == std::errc::result_out_of_range || count > most_cpus) {
        return fail(ErrorCode::out_of_range,
                    quoted(part) + " is too many CPUs: a machine has at most " + std::to_string(most_cpus));
    }
    if (count == 0) {
        return fail(ErrorCode::out_of_range,
                    "a machine has at least 1 CPU, but " + quoted(part) + " asks for 0");
    }
    return count;
}

}  // namespace

Result<std::vector<std::uint32_t>> parse_cpu_list(std::string_view text) {
    std::vector<std::uint32_t> counts;
    for (bool more = true; more;) {
        std::size_t const comma = text.find(',');
        std::string_view const part = text.substr(0, comma);
        more = comma != std::string_view::npos;
        text.remove_prefix(more ? comma + 1 : text.size());

        std::size_t const dash = part.find('-');
        auto first = parse_count(part.substr(0, dash), part);
        auto last = dash == std::string_view::npos ? first : parse_count(part.substr(dash + 1), part);
        if (!first || !last)
            return pass_on(first ? last : first);
        if (*last < *first) {
            return fail(ErrorCode::out_of_range, "the range " + quoted(part) + " falls; write it as " +
                                                     std::to_string(*last) + "-" + std::to_string(*first));
        }
        if (*last - *first >= most_cpu_counts || counts.size() + (*last - *first) >= most_cpu_counts) {
            return fail(ErrorCode::out_of_range, quoted(part) + " asks for more than " +
                                                     std::to_string(most_cpu_counts) +
                                                     " predictions at once; name fewer CPU counts");
        }
        for (std::uint32_t count = *first; count <= *last; ++count)
            counts.push_back(count);
    }
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

}  // namespace parcast::cli
