#pragma once

#include <algorithm>
#include <numeric>

#include "timeline/accounts.h"

namespace parcast {

// Laws (1) and (2) of accounts.h: true if every sum is exact.
inline bool conserves_time(Accounts const& accounts) {
    auto const processors =
        accounts.busy + accounts.slowed + accounts.spinning + accounts.overhead + accounts.idle.total();
    return processors == accounts.completion * accounts.cpus &&
           std::ranges::all_of(accounts.threads, [](ThreadAccount const& thread) {
               auto const spent = std::accumulate(thread.in_state.begin(), thread.in_state.end(), Duration{});
               return spent == thread.ended - thread.created;
           });
}

}  // namespace parcast
