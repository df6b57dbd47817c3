// What a program of threads does on other machines: the program that explains a recording, or that was
// written down, replayed on one CPU and on each number of CPUs that was asked for, seen through the analyses.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "answer/answer.h"
#include "answer/question.h"
#include "core/result.h"
#include "forecast/forecast.h"
#include "forecast/target.h"
#include "program/thread_program.h"
#include "program/work_change.h"
#include "timeline/timeline.h"

namespace parcast::forecast {

// Replays on question.cpus; the linux scheduler charges question.replay.turn_share turn by turn, which takes
// as long on one CPU. Move the recording in: its events are freed while the program is made of them. Errors:
// inconsistent (the recording has no program in it), those of the replays.
Result<Forecast> forecast_recording(std::string const& file, Timeline recorded, TargetMachine const& target,
                                    Question const& question);

// The same for a program that was written down. REQUIRES: check(program). Errors: those of the replays.
Result<Forecast> forecast_threads(std::string const& file, ThreadProgram program, TargetMachine const& target,
                                  Question const& question);

// The program of a forecast as it would be after a change, as a forecast of its own: on the same machine and
// the same numbers of CPUs, with ranges if the question asks for them, without tried changes. Work that was
// handed out stays with the thread that had it. Errors: those of `changed` and of the replays. REQUIRES:
// replayed_forms.
Result<Forecast> forecast_changed(Forecast const& before, Scenario const& scenario,
                                  TargetMachine const& target, Question const& question);

// The answer of replays that were made. REQUIRES: replays.runs[0] is the replay on one CPU; the others follow
// in rising number of CPUs. It has rows for those of `cpus`, rising.
Answer answer_of(Answer begun, ThreadProgram const& program, TargetMachine const& target,
                 std::span<std::uint32_t const> cpus, Replays replays);

// What an answer says about the recording that it rests on. The events themselves are not needed any more
// when the program is replayed, and would be most of what is in memory.
Answer begin_answer(std::string const& file, Timeline const& recorded);

}  // namespace parcast::forecast
