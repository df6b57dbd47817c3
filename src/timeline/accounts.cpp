#include "timeline/accounts.h"

#include <algorithm>
#include <numeric>

namespace parcast {

namespace {

bool conserves_time(ThreadAccount const& thread) {
    auto const spent = std::accumulate(thread.in_state.begin(), thread.in_state.end(), Duration{});
    return spent == thread.ended - thread.created;
}

}  // namespace

bool conserves_time(Accounts const& accounts) {
    auto const processors =
        accounts.busy + accounts.slowed + accounts.spinning + accounts.overhead + accounts.idle.total();
    return processors == accounts.completion * accounts.cpus &&
           std::all_of(accounts.threads.begin(), accounts.threads.end(),
                       [](ThreadAccount const& thread) { return conserves_time(thread); });
}

}  // namespace parcast
