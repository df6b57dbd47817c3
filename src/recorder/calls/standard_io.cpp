// stdio. Its inner read() and write() are calls within libc that no hook sees. A call that its buffer
// satisfies does no I/O, takes a few nanoseconds, and is not recorded as such; the others are. Whether
// threads share the stream is another matter: stream_locks.h.

#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

#include "recorder/calls/pretended_cpus.h"
#include "recorder/recorded_call.h"
#include "recorder/stream_locks.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(::fread)> real_fread{"fread"};
PARCAST_REAL Real<decltype(::fread_unlocked)> real_fread_unlocked{"fread_unlocked"};
PARCAST_REAL Real<decltype(::fgets)> real_fgets{"fgets"};
PARCAST_REAL Real<decltype(::getdelim)> real_getdelim{"getdelim"};
PARCAST_REAL Real<decltype(::fwrite)> real_fwrite{"fwrite"};
PARCAST_REAL Real<decltype(::fwrite_unlocked)> real_fwrite_unlocked{"fwrite_unlocked"};
PARCAST_REAL Real<decltype(::fputs)> real_fputs{"fputs"};
PARCAST_REAL Real<decltype(::puts)> real_puts{"puts"};
PARCAST_REAL Real<decltype(::fflush)> real_fflush{"fflush"};
PARCAST_REAL Real<decltype(::fopen)> real_fopen{"fopen"};
PARCAST_REAL Real<decltype(::fopen64)> real_fopen64{"fopen64"};
PARCAST_REAL Real<decltype(::fclose)> real_fclose{"fclose"};
PARCAST_REAL Real<decltype(::fdopen)> real_fdopen{"fdopen"};

void const* object_of(FILE* file) {
    return file ? descriptor_object(fileno_unlocked(file)) : no_object;
}

// Sizes may be torn by another thread that uses the file: then an event more or less is written. Only
// numbers are compared here, memory of the buffer is not touched.
size_t readable_bytes(FILE const* file) {
    ptrdiff_t const bytes = file->_IO_read_end - file->_IO_read_ptr;
    return bytes > 0 ? static_cast<size_t>(bytes) : 0;
}

bool has_room_for(FILE* file, size_t size) {
    ptrdiff_t const room = file->_IO_buf_end - file->_IO_write_ptr;
    return file->_IO_write_ptr && room > 0 && static_cast<size_t>(room) > size && !__flbf(file);
}

bool has_whole_line(FILE* file, int delimiter) {
    // Locked, since the memory of the buffer is read.
    if (real_ftrylockfile(file) != 0)
        return false;
    size_t const bytes = readable_bytes(file);
    bool const found = bytes > 0 && memchr(file->_IO_read_ptr, delimiter, bytes);
    real_funlockfile(file);
    return found;
}

template <class Signature, class... Arguments>
[[gnu::always_inline]] inline size_t transferred_in(FILE* file, size_t size, size_t count,
                                                    Real<Signature>& real, Arguments... arguments) {
    Stream* const stream = this_stream();
    if (!stream || size * count <= readable_bytes(file))
        return real(arguments...);
    stream->blocked<Kind::input>(object_of(file), call_site());
    size_t const items = real(arguments...);
    stream->returned(items * size, items < count && ferror_unlocked(file) ? wire::flag_failed : no_flags);
    return items;
}

template <class Signature, class... Arguments>
[[gnu::always_inline]] inline size_t transferred_out(FILE* file, size_t size, size_t count,
                                                     Real<Signature>& real, Arguments... arguments) {
    Stream* const stream = this_stream();
    if (!stream || has_room_for(file, size * count))
        return real(arguments...);
    stream->blocked<Kind::output>(object_of(file), call_site());
    size_t const items = real(arguments...);
    stream->returned(items * size, items < count ? wire::flag_failed : no_flags);
    return items;
}

[[gnu::always_inline]] inline ssize_t line_read(FILE* file, int delimiter, Real<decltype(::getdelim)>& real,
                                                char** line, size_t* room) {
    Stream* const stream = this_stream();
    if (!stream || has_whole_line(file, delimiter))
        return real(line, room, delimiter, file);
    stream->blocked<Kind::input>(object_of(file), call_site());
    ssize_t const length = real(line, room, delimiter, file);
    stream->returned(value_of(length), ferror_unlocked(file) ? wire::flag_failed : no_flags);
    return length;
}

// The descriptor of a file about processors, if `mode` reads it and it is pretended.
FILE* open_pretended(char const* path, char const* mode) {
    if (!path || !mode || mode[0] != 'r' || strchr(mode, '+'))
        return nullptr;
    int const descriptor = open_pretended_file(path, O_RDONLY | (strchr(mode, 'e') ? O_CLOEXEC : 0));
    return descriptor < 0 ? nullptr : real_fdopen(descriptor, mode);
}

[[gnu::always_inline]] inline FILE* opened(Real<decltype(::fopen)>& real, char const* path,
                                           char const* mode) {
    if (FILE* const pretended = open_pretended(path, mode))
        return pretended;
    Stream* const stream = this_stream();
    if (!stream)
        return real(path, mode);
    stream->blocked<Kind::open_close>(no_object, call_site());
    FILE* const file = real(path, mode);
    if (file)
        note_opener(file, stream);
    stream->returned(file ? value_of(fileno_unlocked(file)) : 0, file ? no_flags : wire::flag_failed);
    return file;
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK size_t fread(void* __restrict buffer, size_t size, size_t count, FILE* __restrict file) {
    StreamLock const lock(file, call_site());
    return lock.after(transferred_in(file, size, count, real_fread, buffer, size, count, file));
}
PARCAST_HOOK size_t fread_unlocked(void* __restrict buffer, size_t size, size_t count,
                                   FILE* __restrict file) {
    return transferred_in(file, size, count, real_fread_unlocked, buffer, size, count, file);
}
PARCAST_HOOK size_t fwrite(void const* __restrict buffer, size_t size, size_t count, FILE* __restrict file) {
    StreamLock const lock(file, call_site());
    return lock.after(transferred_out(file, size, count, real_fwrite, buffer, size, count, file));
}
PARCAST_HOOK size_t fwrite_unlocked(void const* __restrict buffer, size_t size, size_t count,
                                    FILE* __restrict file) {
    return transferred_out(file, size, count, real_fwrite_unlocked, buffer, size, count, file);
}

PARCAST_HOOK char* fgets(char* __restrict buffer, int room, FILE* __restrict file) {
    StreamLock const lock(file, call_site());
    Stream* const stream = this_stream();
    if (!stream || has_whole_line(file, '\n'))
        return lock.after(real_fgets(buffer, room, file));
    stream->blocked<Kind::input>(object_of(file), call_site());
    char* const line = real_fgets(buffer, room, file);
    stream->returned(line ? strlen(line) : 0, ferror_unlocked(file) ? parcast::wire::flag_failed : no_flags);
    return lock.after(line);
}
PARCAST_HOOK ssize_t getline(char** line, size_t* room, FILE* file) {
    StreamLock const lock(file, call_site());
    return lock.after(line_read(file, '\n', real_getdelim, line, room));
}
PARCAST_HOOK ssize_t getdelim(char** line, size_t* room, int delimiter, FILE* file) {
    StreamLock const lock(file, call_site());
    return lock.after(line_read(file, delimiter, real_getdelim, line, room));
}

PARCAST_HOOK int fputs(char const* __restrict text, FILE* __restrict file) {
    StreamLock const lock(file, call_site());
    Stream* const stream = this_stream();
    if (!stream || has_room_for(file, strlen(text)))
        return lock.after(real_fputs(text, file));
    return lock.after(recorded_call<Kind::output>(object_of(file), real_fputs, text, file));
}
PARCAST_HOOK int puts(char const* text) {
    StreamLock const lock(stdout, call_site());
    Stream* const stream = this_stream();
    if (!stream || has_room_for(stdout, strlen(text) + 1))
        return lock.after(real_puts(text));
    return lock.after(recorded_call<Kind::output>(object_of(stdout), real_puts, text));
}
PARCAST_HOOK int fflush(FILE* file) {
    StreamLock const lock(file, call_site());
    return lock.after(recorded_call<Kind::output>(object_of(file), real_fflush, file));
}

PARCAST_HOOK FILE* fopen(char const* __restrict path, char const* __restrict mode) {
    return opened(real_fopen, path, mode);
}
PARCAST_HOOK FILE* fopen64(char const* __restrict path, char const* __restrict mode) {
    return opened(real_fopen64, path, mode);
}
PARCAST_HOOK int fclose(FILE* file) {
    forget_stream(file);
    return recorded_call<Kind::open_close>(object_of(file), real_fclose, file);
}
