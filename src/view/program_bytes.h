// A program with the machine that it is to run on, as bytes that a page can carry: what its module replays on
// any number of processors, as it is and changed. Of the catalogue there are the names by which a change
// calls its work: of threads, objects and innermost places; and which functions did it, if that is known.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/result.h"
#include "machine/machine.h"
#include "program/thread_program.h"
#include "simulate/simulate.h"
#include "view/sections.h"

namespace parcast::view {

// `shown_cpus`: to the program when it was recorded. REQUIRES: check(program) and check(machine) hold.
Bytes program_bytes(ThreadProgram const& program, Machine const& machine, simulate::Pairing pairing,
                    std::int64_t shown_cpus = 1);

// Which functions did its work, alone: of those bytes the sections `stack.*` and `share.*`.
Bytes share_bytes(ThreadProgram const& program);

struct PortableProgram {
    ThreadProgram program;  // its places have one frame, or none
    Machine machine;        // named after its scheduler
    simulate::Pairing pairing = simulate::Pairing::any;
    std::int64_t shown_cpus = 1;
};

// Hostile input is refused: check(program) and check(machine) hold afterwards, and memory is at most some
// forty times the bytes. Errors: those of SectionReader, malformed (columns that do not fit together), and
// those of the checks. REQUIRES: the bytes begin at a multiple of 8.
Result<PortableProgram> read_program(std::span<std::byte const> bytes);

}  // namespace parcast::view
