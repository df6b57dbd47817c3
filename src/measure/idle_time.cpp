#include "measure/idle_time.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>

namespace parcast::measure {

namespace {

// The fields of a line "cpu3 USER NICE SYSTEM IDLE IOWAIT ...", in ticks (proc(5)).
constexpr std::size_t idle_field = 3;
constexpr std::size_t waiting_field = 4;
constexpr std::size_t needed_fields = 5;

std::optional<Duration> parse_line(std::string const& line) {
    std::istringstream words(line);
    std::string name;
    std::array<std::int64_t, needed_fields> ticks{};
    words >> name;
    for (std::int64_t& field : ticks)
        words >> field;
    return words ? std::optional(tick * (ticks[idle_field] + ticks[waiting_field])) : std::nullopt;
}

}  // namespace

std::optional<Duration> parse_idle_time(std::string_view text, std::span<unsigned const> cpus) {
    std::istringstream lines{std::string(text)};
    Duration sum;
    std::size_t found = 0;
    for (std::string line; std::getline(lines, line);) {
        bool const is_wanted = std::any_of(cpus.begin(), cpus.end(), [&](unsigned cpu) {
            return line.starts_with("cpu" + std::to_string(cpu) + " ");
        });
        if (!is_wanted)
            continue;
        auto const idle = parse_line(line);
        if (!idle)
            return std::nullopt;
        sum += *idle;
        ++found;
    }
    return found == cpus.size() ? std::optional(sum) : std::nullopt;
}

std::optional<Duration> read_idle_time(std::span<unsigned const> cpus) {
    std::ifstream file("/proc/stat");
    std::ostringstream text;
    text << file.rdbuf();
    return parse_idle_time(text.view(), cpus);
}

double share_of_others(Duration idle, Duration own, Duration wall, std::size_t cpus) {
    auto const processors = static_cast<std::int64_t>(cpus);
    Duration const available = wall * processors;
    Duration const others = available - idle - own - tick * processors;
    return std::max(0.0, to_real(others).ns / to_real(available).ns);
}

}  // namespace parcast::measure
