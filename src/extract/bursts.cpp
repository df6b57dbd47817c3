#include "extract/bursts.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace parcast::extract {

namespace {

constexpr std::size_t shortest_row = 64;
// Lumps are of the whole row, but a thread that gets slower after a while is to get slower here, too.
constexpr std::size_t longest_part = 4'096;

bool is_of_lock(Operation const& operation) {
    auto const role = traits_of(operation.kind()).role;
    return role == Role::takes_lock || role == Role::releases_lock;
}

void spread_work_of(std::span<Operation> row, Role role) {
    auto const is_meant = [role](Operation const& each) { return traits_of(each.kind()).role == role; };
    std::int64_t work = 0;
    std::int64_t many = 0;
    for (auto const& operation : row)
        if (is_meant(operation)) {
            work += operation.work_ns;
            ++many;
        }
    for (auto& operation : row)
        if (is_meant(operation)) {
            operation.work_ns = work / many;
            work -= operation.work_ns;
            --many;
        }
}

void spread_if_dense(std::span<Operation> row) {
    auto const empty = std::ranges::count(row, std::int64_t{0}, &Operation::work_ns);
    if (row.size() < shortest_row || 4 * static_cast<std::size_t>(empty) < 3 * row.size())
        return;
    spread_work_of(row, Role::takes_lock);
    spread_work_of(row, Role::releases_lock);
}

}  // namespace

void spread_over_bursts(std::vector<Operation>& list) {
    for (auto at = list.begin(); at != list.end();) {
        if (!is_of_lock(*at)) {
            ++at;
            continue;
        }
        auto const end = std::find_if(at, list.end(), [&](Operation const& each) {
            return !is_of_lock(each) || each.object != at->object;
        });
        // The work before the first one is what the thread did before.
        for (auto begin = at + 1; begin < end;) {
            auto const part = std::min<std::ptrdiff_t>(end - begin, longest_part);
            spread_if_dense({begin, begin + part});
            begin += part;
        }
        at = end;
    }
}

}  // namespace parcast::extract
