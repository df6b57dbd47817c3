// The files of the system that list processors, rewritten for the pretended ones: one socket of N cores
// like the first processor of this machine. Kept in memory files; no allocation.

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder/calls/pretended_cpus.h"
#include "recorder/system.h"

namespace parcast::recorder {
namespace {

constexpr char const* list_paths[] = {
    "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/possible",
    "/sys/devices/system/cpu/present",
};

bool put(int file, char const* text, size_t length) {
    while (length > 0) {
        long const written = system_call(SYS_write, file, as_word(text), static_cast<long>(length));
        if (written <= 0)
            return false;
        text += written;
        length -= static_cast<size_t>(written);
    }
    return true;
}

// "0-7\n", or "0\n" for a single one.
bool put_list(int file) {
    char text[32];
    unsigned const last = pretended_cpus() - 1;
    int const length =
        last == 0 ? snprintf(text, sizeof text, "0\n") : snprintf(text, sizeof text, "0-%u\n", last);
    return put(file, text, static_cast<size_t>(length));
}

bool has_name(char const* line, char const* name) {
    size_t const length = strlen(name);
    return strncmp(line, name, length) == 0 &&
           (line[length] == '\t' || line[length] == ' ' || line[length] == ':');
}

// "name\t: value\n": those that number or count processors get new values.
bool put_line(int file, char const* line, size_t length, unsigned cpu) {
    bool const is_number = has_name(line, "processor") || has_name(line, "core id") ||
                           has_name(line, "apicid") || has_name(line, "initial apicid");
    bool const is_count = has_name(line, "siblings") || has_name(line, "cpu cores");
    auto const* const colon = static_cast<char const*>(memchr(line, ':', length));
    if (!colon || !(is_number || is_count))
        return put(file, line, length);
    char value[16];
    int const digits = snprintf(value, sizeof value, " %u\n", is_number ? cpu : pretended_cpus());
    return put(file, line, static_cast<size_t>(colon + 1 - line)) &&
           put(file, value, static_cast<size_t>(digits));
}

bool put_processor(int file, char const* text, size_t length, unsigned cpu) {
    while (length > 0) {
        auto const* const end = static_cast<char const*>(memchr(text, '\n', length));
        size_t const line = end ? static_cast<size_t>(end + 1 - text) : length;
        if (!put_line(file, text, line, cpu))
            return false;
        text += line;
        length -= line;
    }
    return put(file, "\n", 1);
}

// The paragraph of the first processor, once for each pretended one.
bool put_cpuinfo(int file) {
    char text[8192];
    int const source = open_file("/proc/cpuinfo", O_RDONLY);
    if (source < 0)
        return false;
    long const got = system_call(SYS_read, source, as_word(text), sizeof text - 1);
    close_file(source);
    if (got <= 0)
        return false;
    text[got] = '\0';
    char const* const paragraph_end = strstr(text, "\n\n");
    if (!paragraph_end)
        return false;
    for (unsigned cpu = 0; cpu < pretended_cpus(); ++cpu)
        if (!put_processor(file, text, static_cast<size_t>(paragraph_end + 1 - text), cpu))
            return false;
    return true;
}

bool is_list(char const* path) {
    for (char const* const list : list_paths)
        if (strcmp(path, list) == 0)
            return true;
    return false;
}

}  // namespace

int open_pretended_file(char const* path, int flags) {
    // Two tests that nearly every opened path fails at once.
    if (!path || path[0] != '/' || (path[1] != 'p' && path[1] != 's') || !pretended_cpus())
        return -1;
    bool const list = is_list(path);
    if (recording.is_aside || (flags & O_ACCMODE) != O_RDONLY ||
        (!list && strcmp(path, "/proc/cpuinfo") != 0))
        return -1;
    unsigned const memory_flags = flags & O_CLOEXEC ? MFD_CLOEXEC : 0;
    auto const file = static_cast<int>(system_call(SYS_memfd_create, as_word(path), memory_flags));
    bool const written = file >= 0 && (list ? put_list(file) : put_cpuinfo(file));
    if (file >= 0 && !written)
        close_file(file);
    else if (file >= 0)
        system_call(SYS_lseek, file, 0, SEEK_SET);
    return written ? file : -1;
}

}  // namespace parcast::recorder
