// A program of threads in parcast's own JSON (docs/formats/threads.md): what each thread does, written down
// step by step, without a program that runs.

#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "program/thread_program.h"

namespace parcast {

// By the beginning of a text: the name of its schema.
bool is_threads_json(std::string_view head);

// Passes check(). The place of an operation is the line of its step, its function that of the step's work, or
// the name of the thread. Errors: malformed, unsupported (version), not_found (a thread, an object),
// out_of_range, inconsistent; with line and column where a single step is wrong. Cost: linear.
Result<ThreadProgram> threads_from_json(std::string text, std::string_view file);

// What reads back as a program with the same replays. Times in ns; of places only functions are kept, of
// objects neither addresses nor descriptor numbers. REQUIRES: check(program), no refills, work handed out
// anew. Errors: unsupported (an object that is used in two ways, as a lock and as a condition).
Result<std::string> to_threads_json(ThreadProgram const& program);

}  // namespace parcast
