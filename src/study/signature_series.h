// What makes recordings a series: one program, whose command lines differ in its number of threads.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "answer/signature.h"
#include "core/result.h"

namespace parcast::study {

using Recordings = std::vector<RecordingSignature>;

// The program of a recording, wherever it lies: "jacobi"; "" of no command.
std::string program_of(RecordingSignature const& recording);

// "runs/solver.8.parcast" -> 8
std::optional<std::uint32_t> number_in_name(std::string const& file);

// P of each recording becomes the number in its name. Errors: malformed (there is none).
Result<void> take_threads_from_names(Recordings& recordings);

// Errors: inconsistent (different programs, a run that failed).
Result<void> check_programs(std::span<RecordingSignature const> recordings);
// Errors: inconsistent (the same P twice). REQUIRES: by rising P.
Result<void> check_counts(std::span<RecordingSignature const> recordings);

// What was run each time: the number of a file's name, where words differ, is "{cpus}"; a word that differs
// in another way is "...". REQUIRES: recordings.
std::vector<std::string> command_of_series(std::span<RecordingSignature const> recordings);

}  // namespace parcast::study
