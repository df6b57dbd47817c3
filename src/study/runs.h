// What all runs of one study of scaling have in common.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/notice.h"
#include "core/result.h"
#include "study/program_streams.h"
#include "study/scale.h"
#include "timeline/provenance.h"

namespace parcast::study {

struct ScaleSetting {
    ScaleQuestion const& question;
    Forecasting const& forecasting;
    Listener const& tell;
    std::string program;         // its path
    std::vector<unsigned> cpus;  // of this machine, which the program may use
    ProgramStreams streams = {};
    std::optional<WakeUpTimes> wake_ups = {};  // of this machine

    void say(std::string progress) const { tell({Notice::Kind::progress, std::move(progress)}); }
};

// ", at most 600 s": of a run, for a progress line.
std::string limit_words(Duration limit);

// Runs the shell command of ScaleQuestion::before, if there is one. Errors: program_failed.
Result<void> prepare_run(ScaleSetting const& setting, std::uint32_t cpus);

// A run that failed: what happened ("ended with status 2"), when, and the last that the program said.
Error failed_run(ScaleSetting const& setting, std::string const& end, std::string const& when);

}  // namespace parcast::study
