// Calls on stdio's streams that are recorded for the stream's lock alone: single characters, whose buffer
// mostly has room, and formatted text, whose length nobody knows before. What I/O they do is part of the time
// under the lock. And the lock itself.

#include <stdarg.h>
#include <stdio.h>

#include "recorder/stream_locks.h"

namespace parcast::recorder {
namespace {

// The fortified ones are not declared without _FORTIFY_SOURCE.
using FormatChecked = int(FILE*, int, char const*, va_list);

PARCAST_REAL Real<decltype(::fputc)> real_fputc{"fputc"};
PARCAST_REAL Real<decltype(::fgetc)> real_fgetc{"fgetc"};
PARCAST_REAL Real<decltype(::vfprintf)> real_vfprintf{"vfprintf"};
PARCAST_REAL Real<FormatChecked> real_vfprintf_chk{"__vfprintf_chk"};
PARCAST_REAL Real<decltype(::vfscanf)> real_vfscanf{"__isoc99_vfscanf"};

[[gnu::always_inline]] inline int put_character(int character, FILE* file) {
    StreamLock const lock(file, call_site());
    return lock.after(real_fputc(character, file));
}

[[gnu::always_inline]] inline int get_character(FILE* file) {
    StreamLock const lock(file, call_site());
    return lock.after(real_fgetc(file));
}

[[gnu::always_inline]] inline int print_formatted(FILE* file, char const* text, va_list values) {
    StreamLock const lock(file, call_site());
    return lock.after(real_vfprintf(file, text, values));
}

[[gnu::always_inline]] inline int print_checked(FILE* file, int flag, char const* text, va_list values) {
    StreamLock const lock(file, call_site());
    return lock.after(real_vfprintf_chk(file, flag, text, values));
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK int fputc(int character, FILE* file) {
    return put_character(character, file);
}
PARCAST_HOOK int putc(int character, FILE* file) {
    return put_character(character, file);
}
PARCAST_HOOK int _IO_putc(int character, FILE* file) {
    return put_character(character, file);
}
PARCAST_HOOK int putchar(int character) {
    return put_character(character, stdout);
}
PARCAST_HOOK int fgetc(FILE* file) {
    return get_character(file);
}
PARCAST_HOOK int getc(FILE* file) {
    return get_character(file);
}
PARCAST_HOOK int _IO_getc(FILE* file) {
    return get_character(file);
}
PARCAST_HOOK int getchar() {
    return get_character(stdin);
}

PARCAST_HOOK int vfprintf(FILE* __restrict file, char const* __restrict text, va_list values) {
    return print_formatted(file, text, values);
}
PARCAST_HOOK int vprintf(char const* __restrict text, va_list values) {
    return print_formatted(stdout, text, values);
}
PARCAST_HOOK int fprintf(FILE* __restrict file, char const* __restrict text, ...) {
    va_list values;
    va_start(values, text);
    int const length = print_formatted(file, text, values);
    va_end(values);
    return length;
}
PARCAST_HOOK int printf(char const* __restrict text, ...) {
    va_list values;
    va_start(values, text);
    int const length = print_formatted(stdout, text, values);
    va_end(values);
    return length;
}
PARCAST_HOOK int __vfprintf_chk(FILE* file, int flag, char const* text, va_list values) {
    return print_checked(file, flag, text, values);
}
PARCAST_HOOK int __vprintf_chk(int flag, char const* text, va_list values) {
    return print_checked(stdout, flag, text, values);
}
PARCAST_HOOK int __fprintf_chk(FILE* file, int flag, char const* text, ...) {
    va_list values;
    va_start(values, text);
    int const length = print_checked(file, flag, text, values);
    va_end(values);
    return length;
}
PARCAST_HOOK int __printf_chk(int flag, char const* text, ...) {
    va_list values;
    va_start(values, text);
    int const length = print_checked(stdout, flag, text, values);
    va_end(values);
    return length;
}

// libc's header calls it __isoc99_fscanf.
PARCAST_HOOK int fscanf(FILE* __restrict file, char const* __restrict text, ...) {
    StreamLock const lock(file, call_site());
    va_list values;
    va_start(values, text);
    int const items = real_vfscanf(file, text, values);
    va_end(values);
    return lock.after(items);
}

// A lock of the program that is held for as long as it likes: recorded whoever uses the stream.
PARCAST_HOOK void flockfile(FILE* file) noexcept {
    Stream* const stream = this_stream();
    if (!stream)
        return real_flockfile(file);
    stream->settle();
    if (real_ftrylockfile(file) == 0) {
        stream->event<Kind::mutex_lock>(file, call_site(), no_flags);
        return;
    }
    stream->blocked<Kind::mutex_lock>(file, call_site());
    real_flockfile(file);
    stream->resumed(0, no_flags);
}
PARCAST_HOOK int ftrylockfile(FILE* file) noexcept {
    int const status = real_ftrylockfile(file);
    if (Stream* const stream = this_stream())
        stream->event<Kind::mutex_try_lock>(file, call_site(),
                                            status == 0 ? no_flags : parcast::wire::flag_failed);
    return status;
}
PARCAST_HOOK void funlockfile(FILE* file) noexcept {
    if (Stream* const stream = this_stream())
        stream->release(file, call_site());
    real_funlockfile(file);
}
