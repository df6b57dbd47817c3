#include "study/cpu_times.h"

#include <algorithm>
#include <utility>

#include "core/counted.h"
#include "measure/affinity.h"
#include "measure/host_laboratory.h"
#include "measure/time_slice.h"
#include "measure/turn_cost.h"
#include "record/start.h"
#include "study/counts.h"
#include "study/placeholder.h"

namespace parcast::study {

namespace {

constexpr Duration longer_slice{50'000'000};

struct Variant {
    std::uint32_t told;
    std::optional<Duration> slice;
};

Result<void> check_question(ScaleQuestion const& question) {
    if (!has_placeholder(question.command))
        return fail(
            make_error(ErrorCode::unasked,
                       "the command has no {cpus}: on one CPU nobody tells the program how many threads to "
                       "create",
                       "Put {cpus} where the command sets the number of threads."));
    if (std::ranges::find(question.cpus, 1U) == question.cpus.end())
        return fail(make_error(ErrorCode::unasked, "CPU times are relative to that of one thread",
                               "Name 1 among the counts, such as --cpus 1,2,4."));
    return {};
}

Spread cpu_time_of(measure::Series const& series) {
    std::vector<double> times;
    for (auto const& observed : series.runs)
        times.push_back(to_real(observed.run.processor_time()).ns);
    return spread_of(std::move(times));
}

double turn_share_of(measure::Series const& usual, measure::Series const& longer) {
    auto const cost = measure::turn_cost(runs_of(usual), runs_of(longer));
    return cost && cost->is_clear ? cost->share.median : 0;
}

}  // namespace

Result<CpuTimes> measure_cpu_times(ScaleQuestion const& question, Listener const& tell) {
    if (auto const checked = check_question(question); !checked)
        return pass_on(checked);
    auto program = record::find_host_program(question.command.front());
    if (!program)
        return pass_on(program);
    auto cpus = measure::allowed_cpus();
    if (cpus.empty())
        return fail(record::no_cpus());
    Forecasting const nothing{};
    ScaleSetting const setting{question, nothing, tell, std::move(*program), {cpus.front()}};

    bool const sees_turns = measure::grants_slices(longer_slice);
    std::vector<Variant> variants;
    std::vector<measure::ChildRequest> requests;
    for (auto const count : question.cpus)
        for (auto const& slice : {std::optional<Duration>(), std::optional(longer_slice)}) {
            if (slice && (count == 1 || !sees_turns))
                continue;
            variants.push_back({count, slice});
            requests.push_back({.program = setting.program,
                                .command = with_count(question.command, count),
                                .cpus = setting.cpus,
                                .input = setting.streams.nothing(),
                                .output = setting.streams.nothing(),
                                .error = setting.streams.messages(),
                                .time_limit = question.time_limit,
                                .time_slice = slice});
        }
    auto const before_run = [&](std::size_t variant) -> Result<void> {
        if (auto ready = prepare_run(setting, variants[variant].told); !ready)
            return ready;
        setting.streams.clear();
        setting.say("measuring the CPU time for " + counted(variants[variant].told, "CPU") +
                    limit_words(question.time_limit) + " a run");
        return {};
    };
    measure::HostLaboratory laboratory(setting.cpus, std::move(requests), before_run);
    auto const series = measure::measure_interleaved(variants.size(), {.runs = question.runs}, laboratory);
    if (!series)
        return fail(series.error().code == ErrorCode::program_failed
                        ? series.error()
                        : failed_run(setting, series.error().message, "while it was measured"));
    CpuTimes times{question.command, {}};
    for (std::size_t i = 0; i < variants.size(); ++i)
        if (variants[i].slice)
            times.counts.back().turn_share = turn_share_of((*series)[i - 1], (*series)[i]);
        else
            times.counts.push_back({variants[i].told, cpu_time_of((*series)[i]), 0});
    return times;
}

}  // namespace parcast::study
