#include "answer/circumstances.h"

#include <algorithm>

#include "answer/answer.h"
#include "answer/thread_count.h"

namespace parcast {

namespace {

constexpr std::uint64_t last_standard_stream = 2;

bool is_file(Object const& object) {
    return object.kind == ObjectKind::descriptor && object.address > last_standard_stream;
}

// "-f", "-kf", "--force": what it wrote before does not keep it from running.
bool is_forced(std::string_view word) {
    bool const is_short = word.size() > 1 && word[0] == '-' && word[1] != '-';
    return word == "--force" || (is_short && word.ends_with('f'));
}

// The launcher knows what the system charged to the process that it started, if that started no others.
bool is_child(Provenance const& recorded) {
    return !recorded.rusage_cpu_ns && !recorded.death_signal && !recorded.replaced_by && !recorded.cut;
}

}  // namespace

Circumstances circumstances_of(Answer const& prediction) {
    auto const& recording = prediction.recording();
    auto const& catalogue = recording.catalogue;
    auto const& recorded = recording.provenance;
    bool const is_told =
        recorded && thread_count_word(recorded->command, catalogue.threads.size()).has_value();
    return {.model = recording.model,
            .shown_cpus = recorded ? recorded->pretended_cpus.value_or(1) : 0,
            .memory_share = recording.machine.memory_share,
            .is_told_its_threads = is_told,
            .has_files = std::ranges::any_of(catalogue.objects, is_file) &&
                         !(recorded && std::ranges::any_of(recorded->command, is_forced)),
            .is_child = recorded && is_child(*recorded),
            .starts_others = has_finding(prediction.findings, FindingKind::further_processes),
            .is_worthless = withholds_conclusions(prediction.findings)};
}

}  // namespace parcast
