#include "record/raw_conversion.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>

#include <sys/utsname.h>

#include "measure/host_description.h"
#include "record/readable_file.h"
#include "record/spinning_samples.h"
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

// wait4 adds the children that the process waited for. What those used is known at a regular end, and of an
// image that replaced no other.
bool knows_its_own_part(RawFile const& file, trace::RawRecording const& recording) {
    bool const ended = recording.header().process_cpu_end_ns != 0;
    return file.generation == 0 && (!recording.raw().has_children || ended);
}

std::int64_t less(std::int64_t of_all, std::uint64_t not_its_own) {
    return std::max<std::int64_t>(0, of_all - static_cast<std::int64_t>(not_its_own));
}

// The memory for the words of the recording is not the program's.
SystemWork work_of_program(wire::Header const& header, ProgramEnd const& end) {
    return {less(end.system_ns, header.children_system_ns + header.shared_cost_ns),
            less(end.page_faults, header.children_page_faults + header.page_count)};
}

void add_end(trace::RawRecording& recording, RawFile const& file, ProgramEnd const& end) {
    Provenance& provenance = recording.recorded().provenance;
    wire::Header const& header = recording.header();
    provenance.exit_status = end.exit_status;
    provenance.death_signal = end.death_signal;
    // A cut recording knows nothing of the CPU time after its end.
    if (knows_its_own_part(file, recording) && !provenance.cut) {
        provenance.rusage_cpu_ns = less(end.cpu_ns, header.children_cpu_ns + header.process_cpu_begin_ns);
        provenance.system_work = work_of_program(header, end);
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
             static_cast<std::int64_t>(seen.monotonic_ns - header.begin.monotonic_ns), 0});
    }
}

// Up to the moment when the program was ended; of the initial thread less what it used before the recording.
void add_last_cpu_times(trace::RawRecording& recording, Observations const& observed) {
    Timeline const& recorded = recording.recorded();
    for (ThreadClock const& clock : observed.clocks_when_stopped) {
        ThreadId const thread = thread_with(clock.kernel_thread, recorded.catalogue);
        if (clock.process != recorded.provenance.process || thread.is_none())
            continue;
        trace::RawThread const& raw = recording.raw().threads[thread.index()];
        if (raw.last.outcome != Outcome::cut_off)
            continue;
        std::int64_t const before =
            thread.index() == 0 ? static_cast<std::int64_t>(recording.header().process_cpu_begin_ns) : 0;
        std::int64_t const missing = clock.cpu_ns - before - raw.cpu_ns;
        recording.add_cpu_time(thread, std::max<std::int64_t>(0, missing));
    }
}

// What the launcher knows of a recording.
void complete(trace::RawRecording& recording, RawFile const& file, bool is_last_image, ProgramEnd const& end,
              Observations const& observed, std::string const& parcast_version) {
    Timeline& recorded = recording.recorded();
    Provenance& provenance = recorded.provenance;
    add_busy_waits(recorded, recording.header(), observed);
    if (observed.samples)
        add_spinning(*observed.samples, recording.header(), recorded);
    trace::symbolize(recorded);
    add_machine(provenance);
    provenance.parcast_version = parcast_version;
    add_cut(provenance, recording.header(), is_last_image, end);
    if (provenance.cut && !provenance.ended_regularly) {
        add_last_cpu_times(recording, observed);
        provenance.cpu_ns = recording.cpu_ns();
    }
    if (is_last_image && file.process == end.process)
        add_end(recording, file, end);
}

}  // namespace

ProcessSpan RawImage::span(Timeline const& recorded) const {
    auto const begin_ns = static_cast<std::int64_t>(recording_.header().begin.monotonic_ns);
    return {begin_ns, begin_ns + recorded.provenance.wall_ns, recorded.provenance.cpu_ns};
}

std::vector<std::int64_t> RawImage::forked_processes() const {
    std::vector<std::int64_t> processes;
    for (trace::RawFork const& fork : recording_.raw().forks)
        processes.push_back(fork.process);
    return processes;
}

Result<void> RawImage::hand_over(Timeline const& recorded, RecordingSink const& take) {
    auto const file = ReadableFile::open(path_);
    if (!file)
        return pass_on(file);
    auto bytes = file->bytes();
    auto const divided = sampled_.divided(take);
    return recording_.hand_over(bytes, recorded, memory_map_.inserted(divided));
}

Result<std::optional<RawImage>> convert(RawFile const& file, bool is_last_image, ProgramEnd const& end,
                                        Observations const& observed, std::string const& parcast_version) {
    auto const readable = ReadableFile::open(file.path);
    if (!readable)
        return pass_on(readable);
    auto bytes = readable->bytes();
    wire::Header header{};
    if (bytes.size() >= sizeof header) {
        auto const begin = bytes.at(0, sizeof header);
        if (!begin)
            return pass_on(begin);
        std::memcpy(&header, begin->data(), sizeof header);
    }
    if (header.magic == 0)
        return std::optional<RawImage>();
    if (header.end.ticks == 0 && header.begin.ticks >= end.clock.ticks)
        return std::optional<RawImage>();
    // A process that died violently left no end of its clock; without one, ticks cannot be scaled.
    auto recording = trace::RawRecording::open(bytes, end.clock);
    if (!recording)
        return pass_on(recording);
    complete(*recording, file, is_last_image, end, observed, parcast_version);
    SampledWork sampled;
    if (observed.samples)
        sampled.add(*observed.samples, recording->header(), recording->recorded());
    MemoryMapEvents memory_map;
    if (observed.memory_map)
        memory_map.add(*observed.memory_map, recording->header(), recording->recorded());
    return std::optional<RawImage>(std::in_place, file.path, std::move(*recording), std::move(sampled),
                                   std::move(memory_map));
}

}  // namespace parcast::record
