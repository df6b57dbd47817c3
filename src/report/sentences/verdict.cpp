#include "report/sentences/sentences.h"

#include <algorithm>

#include <fmt/core.h>

#include "answer/run_sentences.h"
#include "report/format.h"
#include "report/names.h"

namespace parcast::report {

namespace {

Row const* run_on(Answer const& prediction, std::uint32_t cpus) {
    auto const found = std::find_if(prediction.rows.begin(), prediction.rows.end(),
                                    [&](Row const& run) { return run.cpus == cpus && !run.run.deadlock; });
    return found == prediction.rows.end() ? nullptr : &*found;
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

// What a page shows beside the sentence, to be typed; empty if it announces nothing.
std::string command_of(Sentence const& sentence, std::uint32_t cpus, Answer const& prediction) {
    if (!sentence.command.empty() || !sentence.text.ends_with(':'))
        return with_names(sentence.command, prediction.recording().catalogue,
                          prediction.recording().provenance.command);
    std::string const file = command_line({prediction.file});
    return sentence.table == PageTable::objects
               ? "parcast info " + file
               : fmt::format("parcast predict {} --cpus {} --threads-table", file, cpus);
}

RunSentences sentences_of(Row const& run, Answer const& prediction) {
    return run_sentences({.cpus = run.cpus,
                          .accounts = run.run.accounts,
                          .limits = run.limits,
                          .threads = prediction.recording().catalogue.threads.size(),
                          .busiest = run.busiest,
                          .speed_up = run.speed_up},
                         {.shown_cpus = prediction.recording().provenance.pretended_cpus.value_or(1),
                          .memory_share = prediction.recording().machine.memory_share});
}

}  // namespace

Verdict verdict(Answer const& prediction) {
    std::uint32_t last = 0;
    for (auto const& run : prediction.rows)
        last = run.run.deadlock ? last : run.cpus;
    if (last <= 1 || !prediction.recording().time_on_one)
        return {};
    std::uint32_t const at = prediction.scaling.first_beyond.value_or(last);
    Row const& run = *run_on(prediction, at);
    // What limits it is the order that the last resort keeps.
    if (is_last_resort(prediction)) {
        return {{fmt::format(
                    "In the recorded order {} are {} times as fast as one. How far the program scales in "
                    "another order is not known.",
                    counted(at, "CPU"), speed_up_text(run.speed_up))},
                {}};
    }
    Verdict whole{{extent_text(prediction.scaling, run.speed_up), counts_to_add(prediction.scaling)}, {}};
    if (notable_loss(run.limits)) {
        auto const says = sentences_of(run, prediction);
        for (auto const& text : {says.limits.text, bottleneck_text(run.busiest), says.attempt.text})
            whole.sentences.push_back(with_names(text, prediction.recording().catalogue));
        whole.next_command = command_of(says.attempt, at, prediction);
    }
    std::erase(whole.sentences, std::string());
    return whole;
}

}  // namespace parcast::report
