// Replacing the program. The recording of this image ends with `exec`; the new image begins its own, if
// the recorder's variables are still in its environment. After a failed exec this recording goes on.

#include <alloca.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include "recorder/next_environment.h"
#include "recorder/real.h"
#include "recorder/recording.h"
#include "recorder/stream.h"

namespace parcast::recorder {
namespace {

using ExecAt = int(int, char const*, char* const*, char* const*, int);

PARCAST_REAL Real<decltype(::execve)> real_execve{"execve"};
PARCAST_REAL Real<decltype(::execvpe)> real_execvpe{"execvpe"};
PARCAST_REAL Real<decltype(::fexecve)> real_fexecve{"fexecve"};
PARCAST_REAL Real<ExecAt> real_execveat{"execveat"};

// `execute` takes the environment. A child of vfork shares the stream of its parent, which goes on: nothing
// is recorded of it.
template <class Execute>
[[gnu::always_inline]] inline int replaced(char const* program, char* const* environment, Execute execute) {
    Stream* const stream = this_stream();
    if (!stream || !is_recording())
        return with_next_environment(environment, execute);
    stream->event<Kind::exec>(no_object, call_site(), no_flags);
    announce_exec(program);
    int const result = execute(environment);
    retract_exec();
    stream->event<Kind::exec_failed>(no_object, call_site(), wire::flag_failed);
    return result;
}

size_t count_arguments(va_list list) {
    va_list rest;
    va_copy(rest, list);
    size_t count = 1;
    while (va_arg(rest, char*))
        ++count;
    va_end(rest);
    return count;
}

// REQUIRES: room for count_arguments + 1 pointers. What follows the null pointer stays in `list`.
void collect(char** arguments, char const* first, va_list& list) {
    *arguments++ = const_cast<char*>(first);
    do
        *arguments = va_arg(list, char*);
    while (*arguments++);
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK int execve(char const* path, char* const* arguments, char* const* environment) noexcept {
    return replaced(path, environment, [=](auto next) { return real_execve(path, arguments, next); });
}
PARCAST_HOOK int execv(char const* path, char* const* arguments) noexcept {
    return replaced(path, environ, [=](auto next) { return real_execve(path, arguments, next); });
}
PARCAST_HOOK int execvp(char const* file, char* const* arguments) noexcept {
    return replaced(file, environ, [=](auto next) { return real_execvpe(file, arguments, next); });
}
PARCAST_HOOK int execvpe(char const* file, char* const* arguments, char* const* environment) noexcept {
    return replaced(file, environment, [=](auto next) { return real_execvpe(file, arguments, next); });
}
PARCAST_HOOK int fexecve(int program, char* const* arguments, char* const* environment) noexcept {
    return replaced(arguments[0] ? arguments[0] : "", environment,
                    [=](auto next) { return real_fexecve(program, arguments, next); });
}
PARCAST_HOOK int execveat(int folder, char const* path, char* const* arguments, char* const* environment,
                          int flags) noexcept {
    return replaced(path, environment,
                    [=](auto next) { return real_execveat(folder, path, arguments, next, flags); });
}

// The list forms become the vector forms, as in libc. On the stack: exec may be called in a signal
// handler or after fork, where nothing can be allocated.
PARCAST_HOOK int execl(char const* path, char const* first, ...) noexcept {
    va_list list;
    va_start(list, first);
    auto** const arguments = static_cast<char**>(alloca((count_arguments(list) + 1) * sizeof(char*)));
    collect(arguments, first, list);
    va_end(list);
    return replaced(path, environ, [=](auto next) { return real_execve(path, arguments, next); });
}
PARCAST_HOOK int execlp(char const* file, char const* first, ...) noexcept {
    va_list list;
    va_start(list, first);
    auto** const arguments = static_cast<char**>(alloca((count_arguments(list) + 1) * sizeof(char*)));
    collect(arguments, first, list);
    va_end(list);
    return replaced(file, environ, [=](auto next) { return real_execvpe(file, arguments, next); });
}
PARCAST_HOOK int execle(char const* path, char const* first, ...) noexcept {
    va_list list;
    va_start(list, first);
    auto** const arguments = static_cast<char**>(alloca((count_arguments(list) + 1) * sizeof(char*)));
    collect(arguments, first, list);
    char* const* const environment = va_arg(list, char* const*);
    va_end(list);
    return replaced(path, environment, [=](auto next) { return real_execve(path, arguments, next); });
}
