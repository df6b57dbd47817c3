#include "pages/kept_executions.h"

#include <algorithm>
#include <iterator>

namespace parcast::pages {

namespace {

constexpr std::size_t most_kept_bytes = std::size_t{1} << 30;  // but the last one is kept in any case

}  // namespace

page::Content KeptExecutions::find(std::string const& question) {
    std::lock_guard const lock(mutex_);
    auto const entry = std::ranges::find(executions_, question, &Kept::question);
    if (entry == executions_.end())
        return nullptr;
    executions_.splice(executions_.begin(), executions_, entry);
    return entry->content;
}

void KeptExecutions::keep(std::string const& question, page::Content const& content) {
    std::lock_guard const lock(mutex_);
    executions_.push_front({question, content});
    std::size_t bytes = content->size();
    auto const first_too_many =
        std::find_if(std::next(executions_.begin()), executions_.end(), [&](Kept const& each) {
            bytes += each.content->size();
            return bytes > most_kept_bytes;
        });
    executions_.erase(first_too_many, executions_.end());
}

}  // namespace parcast::pages
