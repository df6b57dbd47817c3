#include "study/counts.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <sys/resource.h>

#include "answer/measured.h"
#include "core/counted.h"
#include "core/time_text.h"
#include "forecast/ranges.h"
#include "forecast/recording.h"
#include "measure/clock.h"
#include "measure/host_laboratory.h"
#include "measure/idle_time.h"
#include "record/run.h"
#include "record/trace_files.h"
#include "study/event_price.h"
#include "study/placeholder.h"
#include "timeline/recording_cost.h"

namespace parcast::study {

namespace {

using record::RecordedRun;

using Recorded = Result<RecordedRun>;

// A run is slower, never faster, for what the machine does besides, and some programs take a tenth more or
// less CPU time from run to run: one recording is a sample of one.
constexpr unsigned most_recordings = 3;

std::string words_for(std::uint32_t cpus) {
    return "for " + counted(cpus, "CPU");
}

// A recorded run as the protocol of measurements sees it. Its own time includes that of reading the
// recording.
class RecordingLaboratory : public measure::Laboratory {
public:
    RecordingLaboratory(ScaleSetting const& setting, std::uint32_t cpus, measure::Protocol const& protocol)
        : setting_(setting), cpus_(cpus), protocol_(protocol) {}

    double rest(Duration pause) override {
        auto const longest = protocol_.patience * static_cast<std::int64_t>(protocol_.runs);
        setting_.say("waiting for a quiet machine, to record " + words_for(cpus_) + limit_words(longest));
        return measure::HostLaboratory(setting_.cpus, {}, {}).rest(pause);
    }
    Result<measure::ObservedRun> run(std::size_t) override;

    // REQUIRES: a run. The one with the least CPU time that succeeded and was not disturbed; if all
    // were disturbed, the one that was least; or why there is none.
    Recorded take() { return std::move(*best_); }

    // CPU times of the recorded processes, first that of the one to take.
    std::vector<Duration> const& cpu_times() const { return cpu_times_; }

private:
    void keep_if_better(Recorded recorded, measure::ObservedRun const& observed);

    ScaleSetting const& setting_;
    std::uint32_t cpus_;
    measure::Protocol protocol_;
    std::optional<Recorded> best_;
    measure::ObservedRun best_observed_;
    std::vector<Duration> cpu_times_;
};

Duration own_processor_time() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    auto const ns = [](timeval const& time) {
        return (std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec) * 1'000;
    };
    return {ns(used.ru_utime) + ns(used.ru_stime)};
}

// How it ended, in words; none if it succeeded.
std::optional<std::string> failure_of(record::ProgramEnd const& end, Duration time_limit) {
    if (end.stopped)
        return "was ended after " + time_text(time_limit) + ", its time limit,";
    if (end.death_signal) {
        return "was killed by signal " + std::to_string(*end.death_signal) + " (" +
               strsignal(*end.death_signal) + ")";
    }
    int const status = record::shell_status(end);
    return status == 0 ? std::nullopt : std::optional("ended with status " + std::to_string(status));
}

Recorded record_once(ScaleSetting const& setting, std::uint32_t cpus) {
    if (auto const ready = prepare_run(setting, cpus); !ready)
        return pass_on(ready);
    setting.say("recording " + words_for(cpus) + limit_words(setting.question.time_limit));
    setting.streams.clear();
    auto run = record::run_recorded(
        {with_count(setting.question.command, cpus),
         {},
         cpus,
         {setting.streams.nothing(), setting.streams.nothing(), setting.streams.messages()},
         setting.question.time_limit,
         {},
         setting.forecasting.parcast_version,
         setting.tell,
         record::SignalsAreFor::parcast});
    if (!run)
        return run;
    if (auto const failure = failure_of(run->end, setting.question.time_limit))
        return fail(failed_run(setting, *failure, "while it was recorded " + words_for(cpus)));
    return run;
}

Result<measure::ObservedRun> RecordingLaboratory::run(std::size_t) {
    auto const idle_before = measure::read_idle_time(setting_.cpus);
    Duration const own_before = own_processor_time();
    Instant const start = measure::kernel_now();
    auto recorded = record_once(setting_, cpus_);
    Duration const wall = measure::kernel_now() - start;
    auto const idle_after = measure::read_idle_time(setting_.cpus);
    if (!recorded) {
        auto error = pass_on(std::as_const(recorded));
        if (!best_)
            best_ = std::move(recorded);
        return error;
    }
    double disturbance = 0;
    if (idle_before && idle_after) {
        Duration const own = Duration{recorded->end.cpu_ns} + (own_processor_time() - own_before);
        disturbance = measure::share_of_others(*idle_after - *idle_before, own, wall, setting_.cpus.size());
    }
    measure::ObservedRun observed{{}, disturbance};
    observed.run.user = Duration{recorded->end.cpu_ns};  // with the system's share
    keep_if_better(std::move(recorded), observed);
    return observed;
}

void RecordingLaboratory::keep_if_better(Recorded recorded, measure::ObservedRun const& observed) {
    bool const is_better = cpu_times_.empty() || measure::is_better(observed, best_observed_, {});
    cpu_times_.insert(is_better ? cpu_times_.begin() : cpu_times_.end(), observed.run.user);
    if (is_better) {
        best_ = std::move(recorded);
        best_observed_ = observed;
    }
}

// And the CPU time of each recording that was made, that of the one that is returned first.
std::pair<Recorded, std::vector<Duration>> record(ScaleSetting const& setting, std::uint32_t cpus) {
    if (!setting.question.measure) {
        auto recorded = record_once(setting, cpus);
        std::vector<Duration> cpu_times;
        if (recorded)
            cpu_times.emplace_back(recorded->end.cpu_ns);
        return {std::move(recorded), std::move(cpu_times)};
    }
    measure::Protocol const protocol{.runs = std::min(most_recordings, setting.question.runs)};
    RecordingLaboratory laboratory(setting, cpus, protocol);
    // Its errors are in the recording. A run that fails after one that did not is no reason to do without it.
    (void)measure::measure_interleaved(1, protocol, laboratory);
    auto recorded = laboratory.take();
    return {std::move(recorded), laboratory.cpu_times()};
}

Result<RecordedImage> image_of(RecordedRun&& run) {
    auto const index = record::most_worthwhile(run.images);
    if (!index || run.images[*index].timeline.events.empty()) {
        std::string const why = run.images.empty() ? "the recorder did not start in it"
                                : index            ? "no thread of it was seen"
                                                   : run.images.front().problem;
        return fail(make_error(ErrorCode::not_recorded, "nothing of " + run.program + " was recorded: " + why,
                               "See \"When nothing is recorded\" in docs/record.md."));
    }
    return std::move(run.images[*index]);
}

// NAME.COUNT.parcast
Result<std::string> keep(RecordedImage const& image, std::string const& folder, std::uint32_t cpus) {
    std::string const name =
        (std::filesystem::path(folder) / (image.program + "." + std::to_string(cpus) + ".parcast")).string();
    auto const written = record::write_trace(image.timeline, name);
    if (!written) {
        return fail(with_code(ErrorCode::not_written, written.error(),
                              "Name a folder on a disk with space with --keep."));
    }
    return written->file;
}

double turn_share(std::optional<Turns> const& turns) {
    return turns && turns->answer == TurnAnswer::priced ? turns->share->median : 0;
}

std::vector<std::uint32_t> rising(std::vector<std::uint32_t> counts) {
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

}  // namespace

Result<ScaledCount> record_and_predict(ScaleSetting const& setting, std::uint32_t cpus) {
    auto [run, cpu_times] = record(setting, cpus);
    if (!run)
        return pass_on(run);
    ScaledCount count;
    count.cpus = cpus;
    count.command = with_count(setting.question.command, cpus);
    count.compared_cpus = std::min(cpus, static_cast<std::uint32_t>(setting.cpus.size()));
    count.recorded_cpu = std::move(cpu_times);
    // Unrecorded runs are charged to all processes of the program together.
    bool const is_one_process = run->images.size() == 1;
    auto image = image_of(std::move(*run));
    if (!image)
        return pass_on(image);
    count.events = event_count(image->timeline);
    if (is_one_process)
        count.event_price = measure_event_price(setting, cpus, image->timeline);
    if (count.event_price)
        use(*count.event_price, image->timeline.provenance);
    image->timeline.provenance.wake_ups = setting.wake_ups;
    count.recording_share = recording_share(image->timeline);
    if (setting.question.keep) {
        auto name = keep(*image, *setting.question.keep, cpus);
        if (!name)
            return pass_on(name);
        count.file = std::move(*name);
    }
    count.turns = measure_turns(setting, cpus, image->timeline);
    setting.say("predicting " + words_for(cpus));
    Question question = setting.forecasting.question;
    question.cpus = rising({1, count.compared_cpus, cpus});
    question.replay.turn_share = turn_share(count.turns);
    auto predicted = forecast::forecast_recording(count.file.value_or("FILE"), std::move(image->timeline),
                                                  setting.forecasting.machine, question);
    if (!predicted)
        return pass_on(predicted);
    if (question.ranges.is_asked) {
        if (auto const added = forecast::add_ranges(*predicted, question.ranges, question.workers); !added)
            return pass_on(added);
    }
    count.prediction = std::move(predicted->answer);
    if (setting.question.measure && count.compared_cpus > 1)
        std::erase(count.prediction.recording().machine.notes, not_measured_note);
    return count;
}

}  // namespace parcast::study
