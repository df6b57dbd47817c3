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
    if (!stuck.object.is_none())
        text += " waits for " + shown(catalogue, stuck.object);
    else if (!stuck.awaited_thread.is_none())
        text += " waits for " + shown(catalogue, stuck.awaited_thread);
    else
        text += " waits for any thread to end";
    if (!stuck.holder.is_none())
        text += ", held by " + shown(catalogue, stuck.holder);
    return stuck.site.is_none() ? text : text + ", at " + shown(catalogue, stuck.site);
}

std::string stuck_threads_text(Deadlock const& deadlock, Catalogue const& catalogue, Layout const& layout) {
    std::string text;
    std::size_t const all = deadlock.threads.size();
    std::size_t const rows = layout.detail == Detail::all ? all : std::min(all, most_threads);
    for (std::size_t i = 0; i < rows; ++i)
        text += wrapped("  " + stuck_text(deadlock.threads[i], catalogue), layout.width, 6) + '\n';
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
        std::string const when =
            fmt::format("On {} the {} model deadlocks after {}", counted(run.cpus, "CPU"), model,
                        time_text(run.run.deadlock->when - Instant{0}));
        if (last != nullptr && last->threads == run.run.deadlock->threads) {
            text += when + " in the same way.\n";
        } else {
            text +=
                fmt::format("\n{}; {} cannot go on:\n", when,
                            counted(static_cast<std::int64_t>(run.run.deadlock->threads.size()), "thread")) +
                stuck_threads_text(*run.run.deadlock, catalogue, layout);
        }
        last = &*run.run.deadlock;
    }
    return text;
}

}  // namespace parcast::report
