#include "record/raw_conversion.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>

#include <sys/utsname.h>

#include "measure/host_description.h"
#include "record/mapped_file.h"
#include "trace/raw/raw_recording.h"
#include "trace/symbols/symbolize.h"

namespace parcast::record {

namespace {

void add_machine(Provenance& provenance) {
    utsname system{};
    if (uname(&system) == 0) {
        provenance.host = system.nodename;
        provenance.kernel = std::string(system.sysname) + " " + system.release;
    }
    provenance.cpu_model = measure::processor_model();
}

// A process that died violently left no end of its clock; without one, ticks cannot be scaled.
void complete_end(std::span<std::byte> file, wire::Header& header, ProgramEnd const& end) {
    if (header.end.ticks == 0) {
        header.end = end.clock;
        std::memcpy(file.data(), &header, sizeof header);
    }
}

// wait4 adds the children that the process waited for: then its own part is not known.
bool has_children(Timeline const& timeline) {
    auto const is_about_child = [](Event const& event) {
        return event.kind == EventKind::fork || event.kind == EventKind::spawn ||
               event.kind == EventKind::wait_child;
    };
    return std::any_of(timeline.events.begin(), timeline.events.end(), [&](auto const& events) {
        return std::any_of(events.begin(), events.end(), is_about_child);
    });
}

// Of an image that replaced others, nobody knows here what children those had.
bool is_all_its_own(RawFile const& file, Timeline const& timeline) {
    return file.generation == 0 && !has_children(timeline);
}

// The memory for the words of the recording is not the program's.
SystemWork work_without_recorder(wire::Header const& header, ProgramEnd const& end) {
    return {std::max<std::int64_t>(0, end.system_ns - static_cast<std::int64_t>(header.memory_cost_ns)),
            std::max<std::int64_t>(0, end.page_faults - static_cast<std::int64_t>(header.page_count))};
}

void add_end(Timeline& timeline, RawFile const& file, wire::Header const& header, ProgramEnd const& end) {
    Provenance& provenance = timeline.provenance;
    provenance.exit_status = end.exit_status;
    provenance.death_signal = end.death_signal;
    // A cut recording knows nothing of the CPU time after its end.
    if (is_all_its_own(file, timeline) && !provenance.cut) {
        auto const before = static_cast<std::int64_t>(header.process_cpu_begin_ns);
        provenance.rusage_cpu_ns = std::max<std::int64_t>(0, end.cpu_ns - before);
        provenance.system_work = work_without_recorder(header, end);
    }
}

// The process was alive when the program was ended.
bool was_stopped(wire::Header const& header, ProgramEnd const& end) {
    return end.stopped && header.ending != wire::Ending::exec && header.end.ticks >= end.stopped->ticks;
}

// Before its end is looked at. The recorder of a program that replaces another one leaves the next file.
void add_cut(Provenance& provenance, wire::Header const& header, bool is_last_image, ProgramEnd const& end) {
    auto const run_ns = static_cast<std::int64_t>(end.clock.monotonic_ns) -
                        static_cast<std::int64_t>(header.begin.monotonic_ns);
    if (provenance.cut)
        provenance.cut->run_ns = std::max(provenance.cut->run_ns, run_ns);
    else if (was_stopped(header, end))
        provenance.cut = Cut{CutReason::time_limit, run_ns};
    else if (is_last_image && provenance.replaced_by)
        provenance.cut = Cut{CutReason::unrecorded_program, run_ns};
}

// Threads in turn may have had the same number: then the last of them.
ThreadId thread_with(std::uint32_t kernel_id, Catalogue const& catalogue) {
    for (std::size_t thread = catalogue.threads.size(); thread-- > 0;)
        if (catalogue.threads[thread].kernel_id == kernel_id)
            return ThreadId(thread);
    return ThreadId::none();
}

// Before names are resolved, which resolves that of the place as well.
void add_busy_waits(Timeline& timeline, wire::Header const& header, Observations const& observed) {
    for (SeenBusyWait const& seen : observed.busy_waits) {
        if (seen.process != timeline.provenance.process || seen.monotonic_ns < header.begin.monotonic_ns)
            continue;
        SiteId const site(timeline.catalogue.sites.size());
        timeline.catalogue.sites.push_back({seen.address + 1, 0, "", {}});  // sites are return addresses
        timeline.provenance.busy_waits.push_back(
            {thread_with(seen.kernel_thread, timeline.catalogue), site,
             static_cast<std::int64_t>(seen.monotonic_ns - header.begin.monotonic_ns)});
    }
}

std::int64_t total_cpu_ns(Timeline const& timeline) {
    std::int64_t total = 0;
    for (std::size_t thread = 0; thread < timeline.events.size(); ++thread)
        total += cpu_time_ns(timeline, ThreadId(thread));
    return total;
}

// Up to the moment when the program was ended; of the initial thread less what it used before the recording.
void add_last_cpu_times(Timeline& timeline, wire::Header const& header, Observations const& observed) {
    for (ThreadClock const& clock : observed.clocks_when_stopped) {
        ThreadId const thread = thread_with(clock.kernel_thread, timeline.catalogue);
        if (clock.process != timeline.provenance.process || thread.is_none() ||
            timeline.events[thread.index()].back().outcome != Outcome::cut_off) {
            continue;
        }
        std::int64_t const before =
            thread.index() == 0 ? static_cast<std::int64_t>(header.process_cpu_begin_ns) : 0;
        std::int64_t const missing = clock.cpu_ns - before - cpu_time_ns(timeline, thread);
        timeline.events[thread.index()].edit_last()->cpu_ns += std::max<std::int64_t>(0, missing);
    }
}

}  // namespace

Result<std::optional<Timeline>> convert(RawFile const& file, bool is_last_image, ProgramEnd const& end,
                                        Observations const& observed, std::string const& parcast_version) {
    auto mapped = MappedFile::open(file.path);
    if (!mapped)
        return pass_on(mapped);
    std::span<std::byte> const bytes = mapped->bytes();
    wire::Header header{};
    if (bytes.size() >= sizeof header)
        std::memcpy(&header, bytes.data(), sizeof header);
    if (header.magic == 0)
        return std::optional<Timeline>();
    if (header.end.ticks == 0 && header.begin.ticks >= end.clock.ticks)
        return std::optional<Timeline>();
    if (bytes.size() >= wire::header_bytes)
        complete_end(bytes, header, end);
    auto timeline = trace::read_raw_recording(bytes);
    if (!timeline)
        return pass_on(timeline);
    add_busy_waits(*timeline, header, observed);
    trace::symbolize(*timeline);
    add_machine(timeline->provenance);
    timeline->provenance.parcast_version = parcast_version;
    add_cut(timeline->provenance, header, is_last_image, end);
    if (timeline->provenance.cut && !timeline->provenance.ended_regularly) {
        add_last_cpu_times(*timeline, header, observed);
        timeline->provenance.cpu_ns = total_cpu_ns(*timeline);
    }
    if (is_last_image && file.process == end.process)
        add_end(*timeline, file, header, end);
    return std::optional<Timeline>(std::move(*timeline));
}

}  // namespace parcast::record
