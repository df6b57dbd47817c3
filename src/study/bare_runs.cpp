#include "study/counts.h"

#include <algorithm>

#include "core/counted.h"
#include "study/placeholder.h"

namespace parcast::study {

namespace {

// A program that takes several times as long without being recorded waits by yielding: its runs say nothing.
// Nobody asked for that limit, so that it is explained where it is reached.
void limit_time(measure::ChildRequest& request, ScaleSetting const& setting, Timeline const& recorded) {
    Duration const twice_as_long = Duration{recorded.provenance.wall_ns} * 2 + Duration{1'000'000'000};
    request.time_limit = setting.question.time_limit;
    if (twice_as_long < setting.question.time_limit) {
        request.time_limit = twice_as_long;
        request.time_limit_name = "the limit of parcast for this run: twice the recorded time and 1 s";
    }
}

measure::ChildRequest request_for(ScaleSetting const& setting, std::uint32_t cpus, Timeline const& recorded,
                                  std::optional<Duration> time_slice) {
    measure::ChildRequest request{.program = setting.program,
                                  .command = with_count(setting.question.command, cpus),
                                  .cpus = {setting.cpus.front()},
                                  .input = setting.streams.nothing(),
                                  .output = setting.streams.nothing(),
                                  .error = setting.streams.messages(),
                                  .time_slice = time_slice};
    limit_time(request, setting, recorded);
    return request;
}

}  // namespace

measure::HostLaboratory bare_laboratory(ScaleSetting const& setting, std::uint32_t cpus,
                                        Timeline const& recorded,
                                        std::vector<std::optional<Duration>> const& time_slices,
                                        std::string const& what) {
    std::vector<measure::ChildRequest> variants;
    for (auto const& time_slice : time_slices)
        variants.push_back(request_for(setting, cpus, recorded, time_slice));
    auto const longest = variants.front().time_limit.value_or(setting.question.time_limit);
    auto const before_run = [&setting, cpus, what, longest](std::size_t) -> Result<void> {
        if (auto ready = prepare_run(setting, cpus); !ready)
            return ready;
        setting.streams.clear();
        setting.say(what + " for " + counted(cpus, "CPU") + limit_words(longest) + " a run");
        return {};
    };
    return {setting.cpus, std::move(variants), before_run};
}

measure::Protocol bare_protocol(ScaleSetting const& setting) {
    return setting.question.measure ? measure::Protocol{}
                                    : measure::Protocol{.most_attempts = 1, .patience = Duration{0}};
}

std::vector<measure::ChildRun> runs_of(measure::Series const& series) {
    std::vector<measure::ChildRun> runs;
    for (measure::ObservedRun const& observed : series.runs)
        runs.push_back(observed.run);
    return runs;
}

}  // namespace parcast::study
