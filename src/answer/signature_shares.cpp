#include "answer/signature_shares.h"

#include <algorithm>
#include <vector>

#include "core/listed.h"
#include "core/percent_text.h"

namespace parcast {

namespace {

constexpr double notable_share = 0.1;

// The lock, or another object, that threads wait for longest.
std::string longest_wait(RecordingSignature const& recording, bool is_lock) {
    for (auto const& wait : recording.waits)
        if (wait.is_lock == is_lock)
            return wait.object;
    return {};
}

}  // namespace

SignatureShares shares_of_time(RecordingSignature const& recording) {
    SignatureShares shares;
    double all = 0;
    for (auto const& row : recording.rows) {
        if (!row.is_counted || !row.is_in_means)
            continue;
        all += recording.time_ns;
        shares.active += row.active_ns;
        shares.communicating += row.communicating_ns;
        shares.algorithmic += row.algorithmic_ns;
        shares.other += row.other_blocking_ns;
        shares.outside += row.outside_ns;
    }
    if (all <= 0)
        return {};
    for (auto* const share :
         {&shares.active, &shares.communicating, &shares.algorithmic, &shares.other, &shares.outside})
        *share /= all;
    return shares;
}

std::int64_t threads_at_work(RecordingSignature const& recording) {
    return std::ranges::count(recording.rows, true, &ThreadSignature::is_counted);
}

std::int64_t threads_in_means(RecordingSignature const& recording) {
    return std::ranges::count_if(
        recording.rows, [](ThreadSignature const& row) { return row.is_counted && row.is_in_means; });
}

std::string time_sentence(RecordingSignature const& last) {
    auto const shares = shares_of_time(last);
    std::vector<std::string> parts;
    auto const add = [&](double share, std::string const& what) {
        if (share >= notable_share)
            parts.push_back(percent_text(share) + " " + what);
    };
    auto const lock = longest_wait(last, true);
    auto const other = longest_wait(last, false);
    bool const is_lock = !lock.empty() && last.waits.front().is_lock;
    add(shares.active, "active");
    add(shares.communicating, "communicating");
    add(shares.algorithmic,
        "waiting for results of other threads" + (other.empty() ? "" : ", most at " + other));
    add(shares.other,
        is_lock ? "waiting for locks, most for " + lock : "waiting for wake-ups, input, output or a CPU");
    add(shares.outside, "not created yet or ended");
    return parts.empty() ? "" : " A thread spends its time " + listed(parts, " and ") + ".";
}

}  // namespace parcast
