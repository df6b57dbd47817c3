// Making processes and waiting for them. fork: the child's recording begins by itself (recording.cpp). vfork
// is not hooked: its child returns through the frame of its caller, which a hook would have left. clone: a
// child with memory of its own is recorded as that of a fork. One that shares its parent's memory is a thread
// if it has variables of its own (CLONE_SETTLS). If it shares those as well, its calls cannot be told from
// those of the thread that made it: the recording ends, unless that thread waits meanwhile (CLONE_VFORK).

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/next_environment.h"
#include "recorder/real.h"
#include "recorder/recorded_call.h"
#include "recorder/recording.h"
#include "recorder/stream.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(::fork)> real_fork{"fork"};
PARCAST_REAL Real<pid_t()> real_raw_fork{"_Fork"};
PARCAST_REAL Real<decltype(::clone)> real_clone{"clone"};
PARCAST_REAL Real<decltype(::posix_spawn)> real_posix_spawn{"posix_spawn"};
PARCAST_REAL Real<decltype(::posix_spawnp)> real_posix_spawnp{"posix_spawnp"};
PARCAST_REAL Real<decltype(::system)> real_system{"system"};
PARCAST_REAL Real<decltype(::popen)> real_popen{"popen"};
PARCAST_REAL Real<decltype(::pclose)> real_pclose{"pclose"};
PARCAST_REAL Real<decltype(::wait)> real_wait{"wait"};
PARCAST_REAL Real<decltype(::waitpid)> real_waitpid{"waitpid"};
PARCAST_REAL Real<decltype(::wait3)> real_wait3{"wait3"};
PARCAST_REAL Real<decltype(::wait4)> real_wait4{"wait4"};
PARCAST_REAL Real<decltype(::waitid)> real_waitid{"waitid"};

// What daemon() does in the child. Unlike the C library it takes /dev/null to be the device of that name.
int leave_terminal(int keeps_folder, int keeps_streams) {
    if (setsid() == -1 || (keeps_folder == 0 && chdir("/") == -1))
        return -1;
    if (keeps_streams != 0)
        return 0;
    int const nowhere = open("/dev/null", O_RDWR);
    if (nowhere == -1)
        return -1;
    for (int standard = STDIN_FILENO; standard <= STDERR_FILENO; ++standard)
        dup2(nowhere, standard);
    if (nowhere > STDERR_FILENO)
        close(nowhere);
    return 0;
}

// popen does not tell which process it made.
constexpr uint64_t unknown_process = 0;

// In the parent only: the child's stream begins anew, in another file.
[[gnu::always_inline]] inline void record_fork(Stream* stream, pid_t child) {
    if (stream && child != 0)
        stream->event<Kind::fork>(no_object, call_site(), failure_of(child), value_of(child));
}

// What the child of a clone is to run. It lies on its parent's stack, of which the child has a copy.
struct ClonedStart {
    int (*routine)(void*);
    void* argument;
};

// The C library's clone then ends the child by a way that no hook sees.
int run_cloned(void* start_at) {
    begin_in_child();
    auto const& start = *static_cast<ClonedStart const*>(start_at);
    int const status = start.routine(start.argument);
    end_recording(parcast::wire::Ending::immediate_exit, status & 0xff);
    return status;
}

bool shares_a_thread(int flags) {
    return (flags & (CLONE_VM | CLONE_VFORK | CLONE_SETTLS)) == CLONE_VM;
}

template <class... Arguments>
[[gnu::always_inline]] inline int spawned(Real<decltype(::posix_spawn)>& real, pid_t* child,
                                          char* const* environment, Arguments... arguments) {
    Stream* const stream = this_stream();
    pid_t made = 0;
    int const error = with_next_environment(
        environment, [&](char* const* next) { return real(&made, arguments..., next); });
    if (error == 0 && child)
        *child = made;
    if (stream)
        stream->event<Kind::spawn>(no_object, call_site(), flags_of_error(error),
                                   static_cast<uint64_t>(made));
    return error;
}

// For calls that return the child.
template <class Signature, class... Arguments>
[[gnu::always_inline]] inline auto waited(Real<Signature>& real, Arguments... arguments) {
    return recorded_call<Kind::wait_child>(no_object, real, arguments...);
}

// For calls that return a status and not the child.
template <class Signature, class... Arguments>
[[gnu::always_inline]] inline int waited_for_status(Real<Signature>& real, Arguments... arguments) {
    return told_call<Kind::wait_child>(
        no_object, [&] { return real(arguments...); },
        [](int status) { return Told{unknown_process, failure_of(status)}; });
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK pid_t fork() noexcept {
    Stream* const stream = this_stream();
    pid_t const child = real_fork();
    record_fork(stream, child);
    return child;
}

// The C library's own ends the parent by a way that no hook sees.
PARCAST_HOOK int daemon(int keeps_folder, int keeps_streams) noexcept {
    Stream* const stream = this_stream();
    pid_t const child = real_fork();
    record_fork(stream, child);
    if (child > 0)
        _exit(EXIT_SUCCESS);
    return child == 0 ? leave_terminal(keeps_folder, keeps_streams) : -1;
}

PARCAST_HOOK pid_t _Fork() noexcept {
    Stream* const stream = this_stream();
    pid_t const child = real_raw_fork();
    if (child == 0)
        begin_in_child();  // it runs no pthread_atfork handlers
    record_fork(stream, child);
    return child;
}

PARCAST_HOOK int clone(int (*routine)(void*), void* stack, int flags, void* argument, ...) noexcept {
    va_list rest;
    va_start(rest, argument);
    void* words[3];
    for (void*& word : words)
        word = va_arg(rest, void*);
    va_end(rest);
    if (shares_a_thread(flags))
        step_aside(parcast::wire::Ending::shared_thread);
    // Without a stack the call fails, and tells so.
    if ((flags & CLONE_VM) || !routine || !stack)
        return real_clone(routine, stack, flags, argument, words[0], words[1], words[2]);
    Stream* const stream = this_stream();
    ClonedStart start = {routine, argument};
    pid_t const child = real_clone(run_cloned, stack, flags, &start, words[0], words[1], words[2]);
    record_fork(stream, child);
    return child;
}

PARCAST_HOOK int posix_spawn(pid_t* __restrict child, char const* __restrict path,
                             posix_spawn_file_actions_t const* __restrict actions,
                             posix_spawnattr_t const* __restrict attributes,
                             char* const* __restrict arguments, char* const* __restrict environment) {
    return spawned(real_posix_spawn, child, environment, path, actions, attributes, arguments);
}

PARCAST_HOOK int posix_spawnp(pid_t* child, char const* file, posix_spawn_file_actions_t const* actions,
                              posix_spawnattr_t const* attributes, char* const* arguments,
                              char* const* environment) {
    return spawned(real_posix_spawnp, child, environment, file, actions, attributes, arguments);
}

PARCAST_HOOK int system(char const* command) {
    return command ? waited_for_status(real_system, command) : real_system(command);
}

PARCAST_HOOK FILE* popen(char const* command, char const* mode) {
    Stream* const stream = this_stream();
    FILE* const pipe = real_popen(command, mode);
    if (stream)
        stream->event<Kind::spawn>(no_object, call_site(), pipe ? no_flags : parcast::wire::flag_failed,
                                   unknown_process);
    return pipe;
}

PARCAST_HOOK int pclose(FILE* pipe) {
    return waited_for_status(real_pclose, pipe);
}

PARCAST_HOOK pid_t wait(int* status) {
    return waited(real_wait, status);
}
PARCAST_HOOK pid_t waitpid(pid_t child, int* status, int options) {
    return waited(real_waitpid, child, status, options);
}
PARCAST_HOOK pid_t wait3(int* status, int options, rusage* usage) noexcept {
    return waited(real_wait3, status, options, usage);
}
PARCAST_HOOK pid_t wait4(pid_t child, int* status, int options, rusage* usage) noexcept {
    return waited(real_wait4, child, status, options, usage);
}
PARCAST_HOOK int waitid(idtype_t type, id_t id, siginfo_t* information, int options) {
    return waited_for_status(real_waitid, type, id, information, options);
}
