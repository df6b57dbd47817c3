// What kind of file the kernel would execute: enough of ELF (System V ABI, chapter 4 and 5) and of "#!"
// to know whether ld.so will load the recorder into it.

#pragma once

#include <cstdint>
#include <string>

namespace parcast::record {

enum class ExecutableKind : std::uint8_t {
    dynamic,         // x86-64, with a dynamic loader of glibc
    script,          // "#!" and an interpreter
    static_program,  // x86-64, without a dynamic loader
    other_library,   // x86-64, with the loader of another C library
    other_machine,   // another processor, or 32 bits
    unknown,         // neither ELF nor a script
    unreadable,
};

struct Executable {
    ExecutableKind kind = ExecutableKind::unknown;
    std::string interpreter;  // of a script, or the dynamic loader
    int reason = 0;           // unreadable: the errno
    bool is_go = false;       // by the note that the Go linker leaves
};

Executable read_executable(std::string const& path);

}  // namespace parcast::record
