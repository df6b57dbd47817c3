// The sends and receives of a rank that were started and not yet waited for, as traces name them: by sender,
// receiver and tag, the oldest first.

#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace parcast {

class PendingRequests {
public:
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // sender, receiver, tag

    void add(Key const& key, std::uint32_t operation) { pending_.emplace(key, operation); }

    // Is pending no longer. None: there is none with this key.
    std::optional<std::uint32_t> take(Key const& key) {
        auto const found = pending_.lower_bound(key);
        if (found == pending_.end() || found->first != key)
            return std::nullopt;
        auto const operation = found->second;
        pending_.erase(found);
        return operation;
    }

    std::vector<std::uint32_t> take_all() {
        std::vector<std::uint32_t> operations;
        for (auto const& each : pending_)
            operations.push_back(each.second);
        pending_.clear();
        std::ranges::sort(operations);
        return operations;
    }

private:
    std::multimap<Key, std::uint32_t> pending_;  // equal keys in the order of their insertion
};

}  // namespace parcast
