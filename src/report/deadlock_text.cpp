#include "report/deadlock_text.h"

#include <algorithm>

#include <fmt/core.h>

#include "report/format.h"
#include "report/names.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr std::size_t most_threads = 12;

std::string stuck_text(StuckThread const& stuck, Catalogue const& catalogue) {
    std::string text = shown(catalogue, stuck.thread);
    if (!stuck.object.is_none()) {
        text += " waits for " + shown(catalogue, stuck.object);
    } else if (!stuck.awaited_thread.is_none()) {
        text += " waits for " + shown(catalogue, stuck.awaited_thread);
    } else {
        text += " waits for any thread to end";
    }
    if (!stuck.holder.is_none()) {
        text += ", held by " + shown(catalogue, stuck.holder);
    }
    return stuck.site.is_none() ? text : text + ", at " + shown(catalogue, stuck.site);
}

}  // namespace

std::string deadlock_text(PredictedRun const& run, Catalogue const& catalogue, Layout const& layout) {
    Deadlock const& deadlock = *run.deadlock;
    std::string text =
        wrapped(fmt::format("On {} the replay deadlocks after {}; {} cannot go on:", counted(run.cpus, "CPU"),
                            time_text(deadlock.when - Instant{0}),
                            counted(static_cast<std::int64_t>(deadlock.threads.size()), "thread")),
                layout.width) +
        '\n';
    std::size_t const all = deadlock.threads.size();
    std::size_t const rows = layout.detail == Detail::all ? all : std::min(all, most_threads);
    for (std::size_t i = 0; i < rows; ++i) {
        text += wrapped("  " + stuck_text(deadlock.threads[i], catalogue), layout.width, 6) + '\n';
    }
    if (rows < all) {
        text += fmt::format("  ... and {} more: --json\n", all - rows);
    }
    return text;
}

}  // namespace parcast::report
