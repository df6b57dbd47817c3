#include "trace/raw/raw_recording.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <string_view>

#include "trace/raw/raw_layout.h"
#include "trace/raw/raw_names.h"
#include "trace/raw/raw_threads.h"

namespace parcast::trace {

namespace {

std::string iso_date(std::uint64_t since_epoch_ns) {
    auto const seconds = static_cast<std::time_t>(since_epoch_ns / 1'000'000'000);
    std::tm calendar{};
    char text[32] = {};
    gmtime_r(&seconds, &calendar);
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &calendar);
    return text;
}

std::vector<std::string> split_command(std::string_view text) {
    std::vector<std::string> arguments;
    while (!text.empty()) {
        std::size_t const end = std::min(text.find('\0'), text.size());
        arguments.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return arguments;
}

// "BASE SIZE PATH" a line; a line that is cut off or does not scan is left out.
std::vector<Module> split_modules(std::string_view text) {
    std::vector<Module> modules;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        std::string_view const line = text.substr(0, end);
        text.remove_prefix(end + 1);
        Module module;
        auto const base = std::from_chars(line.data(), line.data() + line.size(), module.load_bias, 16);
        std::size_t const size_at = line.find(' ');
        std::size_t const path_at = size_at == line.npos ? line.npos : line.find(' ', size_at + 1);
        if (base.ec != std::errc() || path_at == line.npos || path_at + 1 == line.size())
            continue;
        module.path = line.substr(path_at + 1);
        if (std::find(modules.begin(), modules.end(), module) == modules.end())
            modules.push_back(std::move(module));
    }
    return modules;
}

Result<Provenance> provenance_of(RawLayout const& layout) {
    wire::Header const& header = layout.header;
    auto const is_price = [](double ns) { return std::isfinite(ns) && ns >= 0; };
    if (!is_price(header.event_cost_ns) || !is_price(header.clock_read_ns) ||
        !is_price(header.definition_cost_ns) ||
        static_cast<std::uint32_t>(header.clock) > static_cast<std::uint32_t>(wire::Clock::thread_clock)) {
        return fail(ErrorCode::malformed, "the header of the recording holds impossible values");
    }
    Provenance provenance;
    provenance.command = split_command(layout.command);
    provenance.working_directory = layout.working_directory;
    provenance.date = iso_date(header.realtime_ns);
    provenance.process = header.process;
    provenance.parent_process = header.parent_process;
    provenance.recorded_cpu = header.recorded_cpu;
    if (header.pretended_cpus != 0)
        provenance.pretended_cpus = header.pretended_cpus;
    provenance.clock = static_cast<ClockMethod>(header.clock);
    provenance.event_cost_ns = header.event_cost_ns;  // but for what events share
    provenance.clock_read_ns = header.clock_read_ns;
    provenance.lost_events =
        static_cast<std::int64_t>(std::min<std::uint64_t>(header.lost_events, longest_ns));
    provenance.ended_regularly = header.ending != wire::Ending::none;
    if (header.ending == wire::Ending::exit || header.ending == wire::Ending::immediate_exit)
        provenance.exit_status = static_cast<int>(header.exit_status & 0xff);
    if (header.ending == wire::Ending::exec && !layout.exec_target.empty())
        provenance.replaced_by = layout.exec_target;
    provenance.modules = split_modules(layout.modules);
    return provenance;
}

// How long the process ran is not known here: as long as it was recorded, at least.
std::optional<Cut> cut_of(wire::Ending ending, std::int64_t recorded_ns) {
    switch (ending) {
        case wire::Ending::size_limit: return Cut{CutReason::size_limit, recorded_ns};
        case wire::Ending::no_space: return Cut{CutReason::no_space, recorded_ns};
        case wire::Ending::sandbox: return Cut{CutReason::sandbox, recorded_ns};
        case wire::Ending::ticks_forbidden: return Cut{CutReason::ticks_forbidden, recorded_ns};
        case wire::Ending::shared_thread: return Cut{CutReason::shared_thread, recorded_ns};
        case wire::Ending::clock_failed: return Cut{CutReason::clock_failed, recorded_ns};
        default: return std::nullopt;
    }
}

// By the process's clock if it could be read at the end, else what its threads' events account for.
std::int64_t process_cpu_ns(wire::Header const& header, Timeline const& timeline) {
    if (header.process_cpu_end_ns >= header.process_cpu_begin_ns && header.process_cpu_end_ns != 0) {
        return static_cast<std::int64_t>(
            std::min<std::uint64_t>(header.process_cpu_end_ns - header.process_cpu_begin_ns, longest_ns));
    }
    std::int64_t sum = 0;
    for (std::size_t thread = 0; thread < timeline.events.size(); ++thread)
        sum += cpu_time_ns(timeline, ThreadId(thread));
    return sum;
}

// Of an event, ns, what was paid now and then for many: memory for the words, and defining objects and sites.
double shared_cost_ns(wire::Header const& header, std::int64_t definitions, Timeline const& timeline) {
    std::size_t events = 0;
    for (auto const& of_thread : timeline.events)
        events += of_thread.size();
    double const all_ns = static_cast<double>(header.memory_cost_ns) +
                          header.definition_cost_ns * static_cast<double>(definitions);
    return events == 0 ? 0 : all_ns / static_cast<double>(events);
}

Instant last_instant(Timeline const& timeline) {
    Instant last;
    for (auto const& events : timeline.events)
        last = std::max(last, Instant{events.back().wall_ns + events.back().span_ns});
    return last;
}

}  // namespace

Result<Timeline> read_raw_recording(std::span<std::byte const> file) {
    auto layout = read_layout(file);
    if (!layout)
        return pass_on(layout);
    wire::Header const& header = layout->header;
    auto const scale = TickScale::between(header.begin, header.end);
    auto provenance = provenance_of(*layout);
    if (!scale || !provenance)
        return tl::unexpected(scale ? provenance.error() : scale.error());
    auto const end_ns = scale->nanoseconds(header.end.ticks);
    if (!end_ns)
        return fail(ErrorCode::malformed, "the recording claims to have lasted for years");
    auto threads = decode_threads(*layout, *scale, *end_ns);
    if (!threads)
        return pass_on(threads);

    Timeline timeline;
    timeline.provenance = std::move(*provenance);
    timeline.provenance.wall_ns = *end_ns;
    timeline.provenance.cut = cut_of(header.ending, *end_ns);
    timeline.provenance.lost_events += threads->strays;
    std::int64_t const definitions = threads->definitions;
    resolve_names(std::move(*threads), timeline);
    timeline.length = std::max(Instant{*end_ns}, last_instant(timeline)) - Instant{};
    if (auto checked = check(timeline); !checked)
        return pass_on(checked);
    timeline.provenance.cpu_ns = process_cpu_ns(header, timeline);
    timeline.provenance.event_cost_ns += shared_cost_ns(header, definitions, timeline);
    return timeline;
}

}  // namespace parcast::trace
