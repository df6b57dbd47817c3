#include "recorder/recording.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/event_cost.h"
#include "recorder/modules.h"
#include "recorder/raw_file.h"
#include "recorder/real.h"
#include "recorder/stream_pool.h"
#include "recorder/thread_life.h"

namespace parcast::recorder {

constinit Recording recording = {};

namespace {

// What the launcher asks for, kept for the children of forks, who may have changed their environment.
struct Request {
    char directory[PATH_MAX];
    char const* clock;
    uint64_t limit_bytes;
    uint32_t cpu;
    uint32_t pretended_cpus;
};
constinit Request request = {};

// Before libc's constructor getenv() may not work yet; the constructor is handed the environment.
char const* find_variable(char** environment, char const* name) {
    size_t const length = strlen(name);
    for (char** variable = environment; variable && *variable; ++variable)
        if (strncmp(*variable, name, length) == 0 && (*variable)[length] == '=')
            return *variable + length + 1;
    return nullptr;
}

uint64_t find_number(char** environment, char const* name, uint64_t otherwise) {
    char const* const text = find_variable(environment, name);
    return text && *text ? strtoull(text, nullptr, 10) : otherwise;
}

bool read_request(char** environment) {
    char const* const directory = find_variable(environment, "PARCAST_RECORD_DIR");
    if (!directory || !*directory || !realpath(directory, request.directory))
        return false;
    request.clock = find_variable(environment, "PARCAST_RECORD_CLOCK");
    request.limit_bytes = find_number(environment, "PARCAST_RECORD_LIMIT_BYTES", 0);
    int const here = sched_getcpu();
    request.cpu = static_cast<uint32_t>(
        find_number(environment, "PARCAST_RECORD_CPU", here < 0 ? 0 : static_cast<uint64_t>(here)));
    request.pretended_cpus = static_cast<uint32_t>(find_number(environment, "PARCAST_PRETEND_CPUS", 0));
    return true;
}

void fill_header(wire::Header& header) {
    header.version = wire::version;
    header.process = static_cast<uint32_t>(getpid());
    header.parent_process = static_cast<uint32_t>(getppid());
    header.recorded_cpu = request.cpu;
    header.pretended_cpus = request.pretended_cpus;
    header.clock = recording.clock;
    header.realtime_ns = read_clock_ns(CLOCK_REALTIME);
    header.process_cpu_begin_ns = read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    header.begin = read_clock_pair();
    // Last: a file without the magic number is one whose process died at birth.
    __atomic_store_n(&header.magic, wire::magic, __ATOMIC_RELEASE);
}

bool open_recording() {
    wire::Header* const header = open_raw_file(request.directory, request.limit_bytes);
    if (!header)
        return false;
    recording.header = header;
    recording.process = getpid();
    recording.ended = false;
    fill_header(*header);
    return true;
}

// The arguments lie one after the other, each ended by a zero byte, as /proc/self/cmdline shows them. The
// text is found once, at the start: programs take the array apart (git puts null pointers into it).
struct Command {
    char const* text;
    size_t length;
};
constinit Command command = {};

Command find_command(int count, char** arguments) {
    if (count <= 0 || !arguments[0])
        return {};
    char const* end = arguments[0];
    for (int i = 0; i < count && arguments[i] == end; ++i)
        end += strlen(end) + 1;
    return {arguments[0], static_cast<size_t>(end - arguments[0])};
}

void write_working_directory() {
    char path[PATH_MAX];
    if (getcwd(path, sizeof path))
        write_text(wire::ChunkKind::working_directory, path, strlen(path));
}

void write_provenance() {
    write_text(wire::ChunkKind::command, command.text, command.length);
    write_working_directory();
    record_new_modules();
}

void write_end(wire::Ending ending) {
    wire::Header& header = *recording.header;
    header.process_cpu_end_ns = read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    header.end = read_clock_pair();
    header.ending = ending;
}

void at_exit(int status, void*) {
    end_recording(wire::Ending::exit, status);
}

// Runs before the other libraries' constructors (-z initfirst). on_exit is registered so early that it
// runs after everything that the host does at exit.
[[gnu::constructor]] void begin(int argument_count, char** arguments, char** environment) {
    int const host_errno = errno;
    resolve_all();
    if (read_request(environment)) {
        command = find_command(argument_count, arguments);
        recording.clock = choose_clock(request.clock);
        if (prepare_thread_ends() && open_recording()) {
            measure_event_cost(*recording.header);
            write_provenance();
            recording.running = true;
            pthread_atfork(nullptr, nullptr, begin_in_child);
            on_exit(at_exit, nullptr);
            attach_stream();
            // What the recorder took to start is not the program's.
            recording.header->process_cpu_begin_ns = read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
        }
    }
    errno = host_errno;
}

}  // namespace

bool is_recording() {
    return recording.running && getpid() == recording.process;
}

void count_lost_event() {
    __atomic_fetch_add(&recording.header->lost_events, 1, __ATOMIC_RELAXED);
}

// One of the two readings is within the ns.
void count_memory_cost(uint64_t ns) {
    uint64_t const total_ns = ns + static_cast<uint64_t>(recording.header->clock_read_ns);
    __atomic_fetch_add(&recording.header->memory_cost_ns, total_ns, __ATOMIC_RELAXED);
}

void write_text(wire::ChunkKind kind, char const* text, size_t length) {
    constexpr size_t capacity = wire::chunk_content_bytes(wire::most_chunk_pages);
    for (uint32_t sequence = 0; length > 0; ++sequence) {
        size_t const part = length < capacity ? length : capacity;
        auto const pages = static_cast<uint16_t>((part + sizeof(wire::ChunkHeader) + wire::page_bytes - 1) /
                                                 wire::page_bytes);
        wire::ChunkHeader* const chunk = allocate_chunk(*recording.header, kind, pages, 0, sequence);
        if (!chunk)
            return;
        memcpy(chunk + 1, text, part);
        __atomic_store_n(&chunk->bytes, static_cast<uint32_t>(part), __ATOMIC_RELEASE);
        text += part;
        length -= part;
    }
}

void announce_exec(char const* path) {
    if (!is_recording())
        return;
    write_text(wire::ChunkKind::exec_target, path, strlen(path));
    write_end(wire::Ending::exec);
}

void retract_exec() {
    if (!is_recording())
        return;
    recording.header->ending = wire::Ending::none;
    recording.header->end = {};
    recording.header->process_cpu_end_ns = 0;
}

void end_recording(wire::Ending ending, int status) {
    if (!is_recording() || __atomic_exchange_n(&recording.ended, true, __ATOMIC_ACQ_REL))
        return;
    ThreadLife::record_process_exit(status);
    recording.running = false;
    StreamPool::close_all();
    recording.header->exit_status = static_cast<uint32_t>(status);
    write_end(ending);
}

void end_full_recording() {
    if (!is_recording() || __atomic_exchange_n(&recording.ended, true, __ATOMIC_ACQ_REL))
        return;
    int const host_errno = errno;
    recording.full = true;
    recording.running = false;
    StreamPool::close_all();
    write_end(is_at_limit() ? wire::Ending::size_limit : wire::Ending::no_space);
    errno = host_errno;
}

void begin_in_child() {
    if ((!recording.running && !recording.full) || recording.process == getpid())
        return;
    int const host_errno = errno;
    double const event_cost_ns = recording.header->event_cost_ns;
    double const clock_read_ns = recording.header->clock_read_ns;
    recording.running = false;
    recording.full = false;
    ++recording.generation;
    StreamPool::restart_in_child();
    forget_modules();
    if (open_recording()) {
        recording.header->event_cost_ns = event_cost_ns;
        recording.header->clock_read_ns = clock_read_ns;
        write_provenance();
        recording.running = true;
        ThreadLife::restart_in_child();
        recording.header->process_cpu_begin_ns = read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    }
    errno = host_errno;
}

}  // namespace parcast::recorder
