#include "report/sentences/sentences.h"

#include <algorithm>

#include <fmt/core.h>

#include "answer/run_sentences.h"
#include "report/format.h"
#include "report/names.h"

namespace parcast::report {

namespace {

constexpr double notably_slower = 1.01;

Row const* run_on(Answer const& prediction, std::uint32_t cpus) {
    auto const found = std::find_if(prediction.rows.begin(), prediction.rows.end(),
                                    [&](Row const& run) { return run.cpus == cpus && !run.run.deadlock; });
    return found == prediction.rows.end() ? nullptr : &*found;
}

// The smallest count up to `most` than which no other one is notably faster.
Row const& fastest_up_to(Answer const& prediction, std::uint32_t most) {
    Row const* fastest = run_on(prediction, most);
    for (auto const& run : prediction.rows)
        if (run.cpus > 1 && run.cpus < most && !run.run.deadlock &&
            run.time_ns * notably_slower < fastest->time_ns)
            fastest = &run;
    return *fastest;
}

// What to ask for to know the counts in between; empty if nothing was left out.
std::string counts_to_add(Scaling const& scaling) {
    if (scaling.known_extent())
        return {};
    std::string counts = "1";
    for (std::uint64_t cpus = 2; cpus < *scaling.first_beyond; cpus *= 2)
        counts += fmt::format(",{}", cpus);
    return fmt::format("How far it scales: --cpus {},{}", counts, *scaling.first_beyond);
}

// Empty: of a program that was written down.
std::vector<std::string> command_of_program(Answer const& prediction) {
    auto const& recorded = prediction.recording().provenance;
    return recorded ? recorded->command : std::vector<std::string>();
}

// What a page shows beside the sentence, to be typed; empty if it announces nothing.
std::string command_of(Sentence const& sentence, std::uint32_t cpus, Answer const& prediction) {
    if (!sentence.command.empty() || !sentence.text.ends_with(':'))
        return with_names(sentence.command, prediction.recording().catalogue, command_of_program(prediction));
    auto const asked = command_line(input_words(prediction));
    if (sentence.table == PageTable::objects)
        return prediction.form() == Form::recording ? "parcast info " + command_line({prediction.file})
                                                    : "parcast view " + asked;
    return fmt::format("parcast predict {} --cpus {} --threads-table", asked, cpus);
}

RunSentences sentences_of(Row const& run, Answer const& prediction) {
    return run_sentences({.cpus = run.cpus,
                          .accounts = run.run.accounts,
                          .limits = run.limits,
                          .threads = prediction.recording().catalogue.threads.size(),
                          .busiest = run.busiest,
                          .speed_up = run.speed_up},
                         circumstances_of(prediction));
}

// What limits it is the order that the ordered model keeps.
std::string in_recorded_order(std::uint32_t cpus, double speed_up) {
    return fmt::format(
        "In the recorded order {} are {} times as fast as one. How far the program scales in another order "
        "is "
        "not known.",
        counted(cpus, "CPU"), speed_up_text(speed_up));
}

}  // namespace

Verdict verdict(Answer const& prediction) {
    std::uint32_t last = 0;
    for (auto const& run : prediction.rows)
        last = run.run.deadlock ? last : run.cpus;
    if (last <= 1 || !prediction.recording().time_on_one)
        return {};
    if (withholds_conclusions(prediction.findings))
        return {{withheld_conclusion}, {}};
    if (!prediction.scaling)
        return {{in_recorded_order(last, run_on(prediction, last)->speed_up)}, {}};
    std::uint32_t const beyond = prediction.scaling->first_beyond.value_or(last);
    double const speed_up_beyond = run_on(prediction, beyond)->speed_up;
    Verdict whole{{extent_text(*prediction.scaling, speed_up_beyond), counts_to_add(*prediction.scaling)},
                  {}};
    // More CPUs than are best are no place to look for what would help.
    Row const& run = fastest_up_to(prediction, beyond);
    std::uint32_t const at = run.cpus;
    if (at < beyond)
        whole.sentences.push_back(fmt::format("{} are faster than {}.", counted(at, "CPU"), beyond));
    if (notable_loss(run.limits)) {
        auto const says = sentences_of(run, prediction);
        for (auto const& text : {says.limits.text, bottleneck_text(run.busiest), says.attempt.text})
            whole.sentences.push_back(
                with_names(text, prediction.recording().catalogue, command_of_program(prediction)));
        whole.next_command = command_of(says.attempt, at, prediction);
    }
    std::erase(whole.sentences, std::string());
    return whole;
}

}  // namespace parcast::report
