#include "core/tournament.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace parcast {
namespace {

struct Key {
    std::int64_t time = std::numeric_limits<std::int64_t>::max();
    std::size_t slot = 0;
    friend auto operator<=>(Key const&, Key const&) = default;
};

void expect_first_of_all(Tournament<Key>& tournament, std::vector<Key>& pending, std::mt19937_64& random) {
    for (int step = 0; step < 500; ++step) {
        auto const slot = static_cast<std::size_t>(random() % pending.size());
        // Few different times, so that ties are broken by the slot.
        pending[slot] = random() % 4 == 0 ? Key{} : Key{static_cast<std::int64_t>(random() % 5), slot};
        tournament.set(slot, pending[slot]);
        ASSERT_EQ(tournament.first(), *std::ranges::min_element(pending));
        auto others = pending;
        others[slot] = Key{};
        auto const first_of_others = *std::ranges::min_element(others);
        ASSERT_EQ(tournament.first_but(slot), first_of_others);
        Lead<Key> lead(tournament, slot);
        for (std::int64_t time = 0; time < 6; ++time)
            ASSERT_EQ(lead.reaches({time, slot}), (Key{time, slot} < first_of_others)) << time;
    }
}

TEST(Tournament, FindsTheFirstAndTheFirstOfTheOthers) {
    std::mt19937_64 random(1);
    for (std::size_t slots : {1U, 2U, 3U, 8U, 13U, 64U}) {
        Tournament<Key> tournament(slots);
        EXPECT_EQ(tournament.first(), Key{}) << "nothing is pending";
        std::vector<Key> pending(slots);
        expect_first_of_all(tournament, pending, random);
    }
}

TEST(Tournament, KeepsItsEntriesWhenItGrows) {
    std::mt19937_64 random(1);
    Tournament<Key> tournament(3);
    std::vector<Key> pending(3);
    expect_first_of_all(tournament, pending, random);
    tournament.grow();
    pending.resize(tournament.slots());
    EXPECT_EQ(pending.size(), 8);
    expect_first_of_all(tournament, pending, random);
}

}  // namespace
}  // namespace parcast
