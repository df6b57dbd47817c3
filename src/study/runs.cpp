#include "study/runs.h"

#include "core/time_text.h"
#include "measure/host_laboratory.h"
#include "study/placeholder.h"

namespace parcast::study {

std::string limit_words(Duration limit) {
    return ", at most " + time_text(limit);
}

Result<void> prepare_run(ScaleSetting const& setting, std::uint32_t cpus) {
    if (!setting.question.before)
        return {};
    std::string const command = with_count(*setting.question.before, cpus);
    setting.say("running the command of --before" + limit_words(setting.question.time_limit) + ": " +
                command);
    setting.streams.clear();
    measure::ChildRequest const request{"/bin/sh",
                                        {"sh", "-c", command},
                                        setting.cpus,
                                        setting.streams.nothing(),
                                        setting.streams.nothing(),
                                        setting.streams.messages(),
                                        setting.question.time_limit};
    auto const run = measure::run_child(request);
    if (run && run->succeeded())
        return {};
    std::string const end = run ? measure::end_of(*run, request.time_limit_name) : describe(run.error());
    return fail(make_error(ErrorCode::program_failed, "the command of --before, " + command + ", " + end,
                           setting.streams.last_words()));
}

Error failed_run(ScaleSetting const& setting, std::string const& end, std::string const& when) {
    std::string const words = setting.streams.last_words();
    return make_error(ErrorCode::program_failed, setting.program + " " + end + " " + when,
                      (words.empty() ? "It said nothing on standard error." : "It said: " + words + ".") +
                          " If it needs a fresh start each time, name a command with --before.");
}

}  // namespace parcast::study
