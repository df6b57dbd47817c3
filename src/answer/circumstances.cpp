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
            .has_files = std::ranges::any_of(catalogue.objects, is_file),
            .is_worthless = withholds_conclusions(prediction.findings)};
}

}  // namespace parcast
