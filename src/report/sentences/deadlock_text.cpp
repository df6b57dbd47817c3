#include "report/sentences/sentences.h"

#include <algorithm>

#include <fmt/core.h>

#include "answer/run_sentences.h"
#include "report/format.h"
#include "report/names.h"
#include "report/text.h"

namespace parcast::report {

namespace {

std::string stuck_threads_text(Deadlock const& deadlock, Catalogue const& catalogue, Layout const& layout) {
    std::string text;
    std::size_t const all = deadlock.threads.size();
    std::size_t const rows = layout.detail == Detail::all ? all : std::min(all, most_stuck_threads);
    for (std::size_t i = 0; i < rows; ++i)
        text +=
            wrapped("  " + with_names(stuck_text(deadlock.threads[i]), catalogue), layout.width, 6) + '\n';
    if (rows < all)
        text += fmt::format("  ... and {} more: --json\n", all - rows);
    return text;
}

}  // namespace

std::string deadlocks_text(std::span<Row const> runs, std::string_view model, Catalogue const& catalogue,
                           Layout const& layout) {
    std::string text;
    Deadlock const* last = nullptr;
    for (Row const& run : runs) {
        if (!run.run.deadlock)
            continue;
        std::string const when = deadlock_text(run.cpus, model, *run.run.deadlock);
        if (last != nullptr && last->threads == run.run.deadlock->threads) {
            text += when + " in the same way.\n";
        } else {
            text +=
                fmt::format("\n{}; {} cannot go on:\n", when,
                            counted(static_cast<std::int64_t>(run.run.deadlock->threads.size()), "thread")) +
                stuck_threads_text(*run.run.deadlock, catalogue, layout);
            auto const cycle = lock_cycle_text(*run.run.deadlock);
            text += cycle.empty() ? "" : wrapped("  " + with_names(cycle, catalogue), layout.width, 6) + '\n';
        }
        last = &*run.run.deadlock;
    }
    return text;
}

}  // namespace parcast::report
