#include "timeline/share_check.h"

namespace parcast {

void ShareCheck::add(ThreadId thread, std::span<WorkShare const> shares) {
    std::string const of_thread = " of thread " + std::to_string(thread.value);
    if (thread.index() < thread_)
        violation_ = "the shares of work" + of_thread + " come too late";
    thread_ = thread.index();
    if (pieces_.size() <= thread_)
        pieces_.resize(thread_ + 1, 0);
    for (WorkShare const& share : shares) {
        if (violation_)
            return;
        bool const is_known = share.stack.is_none() || share.stack.index() < catalogue_.stacks.size();
        bool const is_sound = is_known && share.ns >= 0 &&
                              share.piece + std::uint64_t{1} >= pieces_[thread_] &&
                              !__builtin_add_overflow(total_ns_, share.ns, &total_ns_);
        if (!is_sound)
            violation_ = "a share of the work before event " + std::to_string(share.piece) + of_thread +
                         " is impossible";
        pieces_[thread_] = share.piece + std::uint64_t{1};
    }
}

Result<void> ShareCheck::finish(std::span<std::uint64_t const> events) const {
    if (violation_)
        return fail(ErrorCode::inconsistent, *violation_);
    for (std::size_t thread = 0; thread < pieces_.size(); ++thread)
        if (pieces_[thread] > (thread < events.size() ? events[thread] : 0))
            return fail(ErrorCode::inconsistent,
                        "the work of thread " + std::to_string(thread) + " is divided beyond its last event");
    return {};
}

}  // namespace parcast
