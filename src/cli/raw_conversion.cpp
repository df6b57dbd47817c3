#include "cli/raw_conversion.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <span>
#include <string>

#include <sys/utsname.h>

#include "cli/files.h"
#include "cli/version.h"
#include "trace/raw_recording.h"
#include "trace/symbolize.h"

namespace parcast::cli {

namespace {

// The value of the first "model name : VALUE" line.
std::string cpu_model() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        std::size_t const colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return {};
}

void add_machine(Provenance& provenance) {
    utsname system{};
    if (uname(&system) == 0) {
        provenance.host = system.nodename;
        provenance.kernel = std::string(system.sysname) + " " + system.release;
    }
    provenance.cpu_model = cpu_model();
    provenance.parcast_version = version;
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

void add_end(Timeline& timeline, RawFile const& file, wire::Header const& header, ProgramEnd const& end) {
    Provenance& provenance = timeline.provenance;
    provenance.exit_status = end.exit_status;
    provenance.death_signal = end.death_signal;
    if (is_all_its_own(file, timeline)) {
        auto const before = static_cast<std::int64_t>(header.process_cpu_begin_ns);
        provenance.rusage_cpu_ns = std::max<std::int64_t>(0, end.cpu_ns - before);
    }
}

}  // namespace

Result<std::optional<Timeline>> convert(RawFile const& file, bool is_last_image, ProgramEnd const& end) {
    auto mapped = MappedFile::open(file.path);
    if (!mapped) {
        return pass_on(mapped);
    }
    std::span<std::byte> const bytes = mapped->bytes();
    wire::Header header{};
    if (bytes.size() >= sizeof header) {
        std::memcpy(&header, bytes.data(), sizeof header);
    }
    if (header.magic == 0) {
        return std::optional<Timeline>();
    }
    if (header.end.ticks == 0 && header.begin.ticks >= end.clock.ticks) {
        return std::optional<Timeline>();
    }
    if (bytes.size() >= wire::header_bytes) {
        complete_end(bytes, header, end);
    }
    auto timeline = trace::read_raw_recording(bytes);
    if (!timeline) {
        return pass_on(timeline);
    }
    trace::symbolize(*timeline);
    add_machine(timeline->provenance);
    if (is_last_image && file.process == end.process) {
        add_end(*timeline, file, header, end);
    }
    return std::optional<Timeline>(std::move(*timeline));
}

}  // namespace parcast::cli
