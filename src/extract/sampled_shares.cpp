#include "extract/sampled_shares.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace parcast::extract {

namespace {

constexpr std::int64_t enough_samples = 20;
constexpr std::size_t most_shares = 8;  // of a piece that has them from others

// The calls before and after it.
std::uint64_t kind_of_piece(SiteId before, SiteId after) {
    return std::uint64_t{before.value} << 32 | after.value;
}

struct Pool {
    std::vector<WorkShare> shares;  // by what they have, most first
    std::int64_t total_ns = 0;
};

class Spreading {
public:
    explicit Spreading(Timeline& recorded)
        : recorded_(recorded), period_ns_(recorded.provenance.sampling->period_ns) {
        recorded.shares.resize(recorded.events.size());
        for_each_piece([&](std::uint64_t kind, std::span<WorkShare const> own, Event const&, std::uint32_t,
                           std::size_t) { add_to(pools_[kind], own); });
        for (auto& [kind, pool] : pools_)
            close(pool);
    }

    void spread() {
        std::vector<std::vector<WorkShare>> all(recorded_.shares.size());
        for_each_piece([&](std::uint64_t kind, std::span<WorkShare const> own, Event const& event,
                           std::uint32_t number, std::size_t thread) {
            std::int64_t own_ns = 0;
            for (WorkShare const& share : own)
                own_ns += share.ns;
            Pool const& pool = pools_[kind];
            bool const is_enough = own_ns >= enough_samples * period_ns_;
            write(is_enough ? own : std::span<WorkShare const>(pool.shares),
                  is_enough ? own_ns : pool.total_ns, event, number, all[thread]);
        });
        recorded_.shares = std::move(all);
    }

private:
    void for_each_piece(auto visit) {
        for (std::size_t thread = 0; thread < recorded_.events.size(); ++thread) {
            std::span<WorkShare const> left = recorded_.shares[thread];
            SiteId before = SiteId::none();
            std::uint32_t number = 0;
            for (Event const event : recorded_.events[thread]) {
                std::size_t own = 0;
                while (own < left.size() && left[own].piece == number)
                    ++own;
                visit(kind_of_piece(before, event.site), left.first(own), event, number, thread);
                left = left.subspan(own);
                before = event.site;
                ++number;
            }
        }
    }

    static void add_to(Pool& pool, std::span<WorkShare const> shares) {
        for (WorkShare const& share : shares) {
            auto const found = std::ranges::find(pool.shares, share.stack, &WorkShare::stack);
            if (found == pool.shares.end())
                pool.shares.push_back(share);
            else
                found->ns += share.ns;
        }
    }

    static void close(Pool& pool) {
        std::ranges::sort(pool.shares, [](WorkShare const& a, WorkShare const& b) {
            return a.ns != b.ns ? a.ns > b.ns : a.stack < b.stack;
        });
        pool.shares.resize(std::min(pool.shares.size(), most_shares));
        for (WorkShare const& share : pool.shares)
            pool.total_ns += share.ns;
    }

    // Nobody knows the stack that makes the call: none is the last one.
    static void write(std::span<WorkShare const> parts, std::int64_t total_ns, Event const& event,
                      std::uint32_t number, std::vector<WorkShare>& to) {
        if (total_ns <= 0)
            return;
        for (WorkShare const& part : parts) {
            double const share = static_cast<double>(part.ns) / static_cast<double>(total_ns);
            if (auto const ns = std::llround(share * static_cast<double>(event.cpu_ns)); ns > 0)
                to.push_back({number, part.stack, ns, 0, 0});
        }
        to.push_back({number, StackId::none(), 0, 0, 0});
    }

    Timeline& recorded_;
    std::int64_t period_ns_;
    std::unordered_map<std::uint64_t, Pool> pools_;
};

}  // namespace

void spread_samples(Timeline& recorded) {
    if (recorded.provenance.sampling)
        Spreading(recorded).spread();
}

}  // namespace parcast::extract
