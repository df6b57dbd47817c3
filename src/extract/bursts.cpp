#include "extract/bursts.h"

#include <algorithm>
#include <cstdint>

namespace parcast::extract {

namespace {

constexpr std::size_t shortest_row = 64;
// Lumps are of the whole row, but a thread that gets slower after a while is to get slower here, too.
constexpr std::size_t longest_part = 4'096;

bool is_of_lock(Operation const& operation) {
    auto const role = traits_of(operation.kind()).role;
    return role == Role::takes_lock || role == Role::releases_lock;
}

// Operations [first, last) of a list.
struct Row {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t size() const { return last - first; }
};

void spread_work_of(OperationList& list, Row row, Role role) {
    auto const is_meant = [&](std::size_t i) { return traits_of(list[i].kind()).role == role; };
    std::int64_t work = 0;
    std::int64_t many = 0;
    for (auto i = row.first; i < row.last; ++i)
        if (is_meant(i)) {
            work += list[i].work_ns;
            ++many;
        }
    for (auto i = row.first; i < row.last; ++i)
        if (is_meant(i)) {
            auto const own = work / many;
            list.set_work(i, own);
            work -= own;
            --many;
        }
}

void spread_if_dense(OperationList& list, Row row) {
    std::size_t empty = 0;
    for (auto i = row.first; i < row.last; ++i)
        empty += list[i].work_ns == 0 ? 1 : 0;
    if (row.size() < shortest_row || 4 * empty < 3 * row.size())
        return;
    spread_work_of(list, row, Role::takes_lock);
    spread_work_of(list, row, Role::releases_lock);
}

}  // namespace

void spread_over_bursts(OperationList& list) {
    for (std::size_t at = 0; at < list.size();) {
        auto const first = list[at];
        if (!is_of_lock(first)) {
            ++at;
            continue;
        }
        auto const is_of_burst = [&](Operation const& each) {
            return is_of_lock(each) && each.object == first.object;
        };
        auto end = at + 1;
        while (end < list.size() && is_of_burst(list[end]))
            ++end;
        // The work before the first one is what the thread did before.
        for (auto begin = at + 1; begin < end;) {
            auto const part = std::min(end - begin, longest_part);
            spread_if_dense(list, {begin, begin + part});
            begin += part;
        }
        at = end;
    }
}

}  // namespace parcast::extract
