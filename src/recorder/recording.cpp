#include "recorder/recording.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "recorder/event_cost.h"
#include "recorder/function_calls.h"
#include "recorder/modules.h"
#include "recorder/next_environment.h"
#include "recorder/raw_file.h"
#include "recorder/real.h"
#include "recorder/stream_locks.h"
#include "recorder/stream_pool.h"
#include "recorder/system.h"
#include "recorder/text_line.h"
#include "recorder/thread_life.h"

// ThreadSanitizer's, where the program has it. May be called more than once.
extern "C" [[gnu::weak]] void __tsan_init();

namespace parcast::recorder {

constinit Recording recording = {};

namespace {

// What the launcher asks for, kept for the children of forks, who may have changed their environment.
struct Request {
    char directory[PATH_MAX];
    char* variable;  // of the environment: where the directory's name begins
    char const* clock;
    uint64_t limit_bytes;
    uint32_t cpu;
    uint32_t pretended_cpus;
};
constinit Request request = {};

// Before libc's constructor getenv() may not work yet; the constructor is handed the environment.
char* find_variable(char** environment, char const* name) {
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

// Absolute: the host may change its working directory.
bool find_directory(char const* path) {
    if (!path || !*path)
        return false;
    size_t const before = *path == '/' ? 0 : read_working_directory(request.directory, PATH_MAX);
    TextLine line(request.directory + before, PATH_MAX - 1 - before);
    line.add(*path == '/' ? "" : "/").add(path);
    request.directory[before + line.length()] = 0;
    return line.is_whole() && request.directory[0] == '/';
}

bool read_request(char** environment) {
    request.variable = find_variable(environment, directory_variable);
    if (!find_directory(request.variable))
        return false;
    request.clock = find_variable(environment, "PARCAST_RECORD_CLOCK");
    request.limit_bytes = find_number(environment, "PARCAST_RECORD_LIMIT_BYTES", 0);
    unsigned here = 0;
    system_call(SYS_getcpu, as_word(&here));
    request.cpu = static_cast<uint32_t>(find_number(environment, "PARCAST_RECORD_CPU", here));
    request.pretended_cpus = static_cast<uint32_t>(find_number(environment, "PARCAST_PRETEND_CPUS", 0));
    uint64_t const depth = find_number(environment, "PARCAST_CALL_DEPTH", default_call_depth);
    recording.call_depth = static_cast<uint32_t>(depth < most_call_depth ? depth : most_call_depth);
    return true;
}

bool fill_header(wire::Header& header) {
    header.version = wire::version;
    header.process = static_cast<uint32_t>(own_process());
    header.parent_process = static_cast<uint32_t>(parent_process());
    header.recorded_cpu = request.cpu;
    header.pretended_cpus = request.pretended_cpus;
    header.call_depth = recording.call_depth;
    header.clock = recording.clock;
    header.realtime_ns = read_clock_ns(CLOCK_REALTIME);
    header.process_cpu_begin_ns = read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    header.begin = read_clock_pair();
    if (header.realtime_ns == 0 || header.process_cpu_begin_ns == 0 || header.begin.ticks == 0)
        return false;
    // Last: a file without the magic number is one whose process died at birth.
    __atomic_store_n(&header.magic, wire::magic, __ATOMIC_RELEASE);
    return true;
}

bool open_recording() {
    wire::Header* const header = open_raw_file(request.directory, request.limit_bytes);
    if (!header)
        return false;
    recording.header = header;
    recording.process = own_process();
    recording.ended = false;
    if (fill_header(*header))
        return true;
    remove_raw_file();
    return false;
}

// What an event costs is measured once; children take it over.
bool open_first_recording() {
    if (!open_recording())
        return false;
    if (measure_event_cost(*recording.header))
        return true;
    remove_raw_file();
    return false;
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

// What the program was told by its environment when it began, as the chunk of settings has it. Found once:
// the program may change its environment before it forks.
struct Settings {
    char text[16384];
    size_t length;
};
constinit Settings settings = {};

bool is_set_by_parcast(char** environment, char const* name, char const* value) {
    if (strcmp(name, wire::wait_policy_variable) != 0)
        return false;
    char const* const own = find_variable(environment, wire::own_wait_policy_variable);
    return own && strcmp(own, value) == 0;
}

// "NAME=VALUE" and its zero byte. How many bytes; 0: there is no room.
size_t add_setting(char const* name, char const* value) {
    TextLine line(settings.text + settings.length, sizeof settings.text - settings.length);
    line.add(name).add("=").add(value, strlen(value) + 1);
    size_t const added = line.is_whole() ? line.length() : 0;
    settings.length += added;
    return added;
}

void find_settings(char** environment) {
    for (char const* const name : wire::noted_variables) {
        char const* const value = find_variable(environment, name);
        if (!value || is_set_by_parcast(environment, name, value))
            continue;
        add_setting(name, value);
    }
}

void write_working_directory() {
    static constinit char path[PATH_MAX] = {};  // not on the stack, which may be small
    write_text(wire::ChunkKind::working_directory, path, read_working_directory(path, sizeof path));
}

void write_provenance() {
    write_text(wire::ChunkKind::command, command.text, command.length);
    write_working_directory();
    write_text(wire::ChunkKind::settings, settings.text, settings.length);
    record_new_modules();
}

// What the recorder took to start is not the program's.
void begin_account() {
    if (uint64_t const used_ns = read_clock_ns(CLOCK_PROCESS_CPUTIME_ID))
        recording.header->process_cpu_begin_ns = used_ns;
}

uint64_t nanoseconds(timeval const& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_usec) * 1'000;
}

void write_use_of_children(wire::Header& header) {
    rusage used{};
    if (getrusage(RUSAGE_CHILDREN, &used) != 0)
        return;
    header.children_system_ns = nanoseconds(used.ru_stime);
    header.children_cpu_ns = nanoseconds(used.ru_utime) + header.children_system_ns;
    header.children_page_faults = static_cast<uint64_t>(used.ru_minflt);
}

void write_end(wire::Ending ending) {
    wire::Header& header = *recording.header;
    write_use_of_children(header);
    header.process_cpu_end_ns = read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    header.end = read_clock_pair();
    header.ending = ending;
}

void at_exit(int status, void*) {
    end_recording(wire::Ending::exit, status);
}

// Runs before the other libraries' constructors (-z initfirst), when the host's own malloc may not work yet:
// it allocates nothing. on_exit is registered so early that it runs after everything that the host does at
// exit. The program may bring its own strcmp or on_exit: those of ThreadSanitizer call null before it begins.
[[gnu::constructor]] void begin(int argument_count, char** arguments, char** environment) {
    int const host_errno = errno;
    if (__tsan_init)
        __tsan_init();
    resolve_all();
    find_clock_in_vdso();
    if (read_request(environment)) {
        command = find_command(argument_count, arguments);
        find_settings(environment);
        recording.clock = choose_clock(request.clock);
        if (prepare_thread_ends() && open_first_recording()) {
            write_provenance();
            recording.running = true;
            pthread_atfork(nullptr, nullptr, begin_in_child);
            on_exit(at_exit, nullptr);
            attach_stream();
            begin_account();
        }
    }
    errno = host_errno;
}

// Programs that this process executes are not asked to record: they inherit what it forbids itself. It may
// have written its name over the variable. What the host copied is left out by with_next_environment().
void forget_request() {
    if (request.variable && is_request(request.variable - sizeof directory_variable))
        *request.variable = 0;
}

}  // namespace

bool is_recording() {
    return recording.running && own_process() == recording.process;
}

void note_setting(char const* name, uint64_t value) {
    if (!is_recording())
        return;
    char digits[24] = {};
    TextLine number(digits, sizeof digits - 1);
    number.add_number(value, 10);
    if (size_t const added = add_setting(name, digits))
        write_text(wire::ChunkKind::settings, settings.text + settings.length - added, added);
}

void count_lost_event() {
    __atomic_fetch_add(&recording.header->lost_events, 1, __ATOMIC_RELAXED);
}

// One of the two readings is within the time between them.
void count_memory_cost(uint64_t begin_ns, uint64_t end_ns) {
    if (end_ns < begin_ns)
        return;
    count_shared_cost(end_ns - begin_ns + static_cast<uint64_t>(recording.header->clock_read_ns));
}

void count_shared_cost(uint64_t ns) {
    __atomic_fetch_add(&recording.header->shared_cost_ns, ns, __ATOMIC_RELAXED);
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

void cut_recording(wire::Ending why) {
    if (!recording.running || __atomic_exchange_n(&recording.ended, true, __ATOMIC_ACQ_REL))
        return;
    recording.is_cut = true;
    recording.running = false;
    StreamPool::close_all();
    write_end(why);
}

void cut_full_recording() {
    cut_recording(is_at_limit() ? wire::Ending::size_limit : wire::Ending::no_space);
}

void step_aside(wire::Ending why) {
    cut_recording(why);
    recording.is_cut = false;
    recording.is_aside = true;
    ThreadLife::refuse();
    forget_request();
}

namespace {

void take_over_costs(wire::Header const& before) {
    wire::Header& header = *recording.header;
    header.event_cost_ns = before.event_cost_ns;
    header.unmeasured_cost_ns = before.unmeasured_cost_ns;
    header.definition_cost_ns = before.definition_cost_ns;
    header.clock_read_ns = before.clock_read_ns;
    header.has_call_costs = before.has_call_costs;
    header.call_inside_ns = before.call_inside_ns;
    header.call_outside_ns = before.call_outside_ns;
    header.deeper_call_ns = before.deeper_call_ns;
    header.stack_time_ns = before.stack_time_ns;
}

}  // namespace

void begin_in_child() {
    if (recording.process == own_process())
        return;
    StreamPool::forget_watches();
    if (!recording.running && !recording.is_cut)
        return;
    int const host_errno = errno;
    wire::Header const before = *recording.header;
    recording.running = false;
    recording.is_cut = false;
    ++recording.generation;
    StreamPool::restart_in_child();
    forget_all_streams();
    forget_modules();
    if (open_recording()) {
        take_over_costs(before);
        write_provenance();
        recording.running = true;
        ThreadLife::restart_in_child();
        begin_account();
    }
    errno = host_errno;
}

}  // namespace parcast::recorder
