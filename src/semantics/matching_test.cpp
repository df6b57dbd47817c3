#include "semantics/matching.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "program/message_program.h"

namespace parcast::semantics {
namespace {

constexpr std::optional<std::uint32_t> nothing;

TEST(Matching, MessageTakesTheReceiveThatWaitsForIt) {
    Matching matching(2);
    EXPECT_EQ(matching.post({1, 0, 7}, 10), nothing);
    EXPECT_EQ(matching.arrive({1, 0, 7}, 20), 10U);
    EXPECT_EQ(matching.posted().size(), 0U);
}

TEST(Matching, ReceiveTakesTheMessageThatIsThere) {
    Matching matching(2);
    EXPECT_EQ(matching.arrive({1, 0, 7}, 20), nothing);
    EXPECT_EQ(matching.post({1, 0, 7}, 10), 20U);
    EXPECT_EQ(matching.unexpected().size(), 0U);
}

TEST(Matching, RankSenderAndTagMustAllFit) {
    Matching matching(3);
    EXPECT_EQ(matching.post({1, 0, 7}, 10), nothing);
    EXPECT_EQ(matching.arrive({1, 0, 8}, 20), nothing) << "another tag";
    EXPECT_EQ(matching.arrive({1, 2, 7}, 21), nothing) << "another sender";
    EXPECT_EQ(matching.arrive({2, 0, 7}, 22), nothing) << "for another rank";
    EXPECT_EQ(matching.arrive({1, 0, 7}, 23), 10U);
}

TEST(Matching, AlikeMessagesDoNotOvertake) {
    Matching matching(1);
    for (std::uint32_t message = 20; message < 23; ++message)
        EXPECT_EQ(matching.arrive({0, 5, 7}, message), nothing);
    for (std::uint32_t message = 20; message < 23; ++message)
        EXPECT_EQ(matching.post({0, 5, 7}, 10), message);
}

TEST(Matching, AlikeReceivesAreServedInTheirOrder) {
    Matching matching(1);
    for (std::uint32_t receive = 10; receive < 13; ++receive)
        EXPECT_EQ(matching.post({0, 5, 7}, receive), nothing);
    for (std::uint32_t receive = 10; receive < 13; ++receive)
        EXPECT_EQ(matching.arrive({0, 5, 7}, 20), receive);
}

TEST(Matching, TheReceiveThatWasPostedFirstWinsOverTheOneThatFitsBetter) {
    Matching matching(1);
    matching.post({0, any_peer, 7}, 10);
    matching.post({0, 5, 7}, 11);
    matching.post({0, 5, any_tag}, 12);
    matching.post({0, any_peer, any_tag}, 13);
    for (std::uint32_t receive = 10; receive < 14; ++receive)
        EXPECT_EQ(matching.arrive({0, 5, 7}, 20), receive);
}

TEST(Matching, OpenReceiveTakesTheFirstMessageThatItAsksFor) {
    Matching matching(1);
    matching.arrive({0, 4, 1}, 20);
    matching.arrive({0, 5, 2}, 21);
    matching.arrive({0, 4, 2}, 22);
    EXPECT_EQ(matching.post({0, any_peer, 2}, 10), 21U);
    EXPECT_EQ(matching.post({0, 4, any_tag}, 11), 20U);
    EXPECT_EQ(matching.post({0, any_peer, any_tag}, 12), 22U);
}

TEST(Matching, OpenReceiveOfAnotherRankIsNotServed) {
    Matching matching(2);
    matching.post({0, any_peer, any_tag}, 10);
    EXPECT_EQ(matching.arrive({1, 0, 0}, 20), nothing);
}

TEST(Matching, ListsWhatWaitsByRankAndOrder) {
    Matching matching(3);
    matching.post({2, 0, 0}, 10);
    matching.post({1, 0, 5}, 11);
    matching.post({1, 0, 4}, 12);
    std::vector<std::uint32_t> items;
    for (auto const& entry : matching.posted())
        items.push_back(entry.item);
    EXPECT_EQ(items, (std::vector<std::uint32_t>{11, 12, 10}));
}

// The rules as they are said in the standard: two lists, looked through from the front.
class ListMatching {
public:
    std::optional<std::uint32_t> post(Envelope const& wanted, std::uint32_t item) {
        return take(messages_, receives_, wanted, item,
                    [&](Envelope const& message) { return asks_for(wanted, message); });
    }
    std::optional<std::uint32_t> arrive(Envelope const& message, std::uint32_t item) {
        return take(receives_, messages_, message, item,
                    [&](Envelope const& wanted) { return asks_for(wanted, message); });
    }

private:
    using List = std::deque<std::pair<Envelope, std::uint32_t>>;

    static bool asks_for(Envelope const& wanted, Envelope const& message) {
        return wanted.rank == message.rank && (wanted.peer == any_peer || wanted.peer == message.peer) &&
               (wanted.tag == any_tag || wanted.tag == message.tag);
    }
    template <class Fits>
    static std::optional<std::uint32_t> take(List& from, List& otherwise, Envelope const& envelope,
                                             std::uint32_t item, Fits&& fits) {
        for (auto each = from.begin(); each != from.end(); ++each)
            if (fits(each->first)) {
                auto const found = each->second;
                from.erase(each);
                return found;
            }
        otherwise.emplace_back(envelope, item);
        return std::nullopt;
    }

    List receives_;
    List messages_;
};

TEST(Matching, AgreesWithListsThatAreLookedThrough) {
    for (unsigned const wildcard_percent : {0U, 3U, 40U})
        for (unsigned seed = 0; seed < 20; ++seed) {
            std::mt19937 random(seed);
            auto const below = [&](unsigned limit) { return static_cast<std::uint32_t>(random() % limit); };
            Matching matching(4);
            ListMatching lists;
            for (std::uint32_t item = 0; item < 3000; ++item) {
                Envelope envelope{below(4), below(5), below(3)};
                if (below(1000) < 500 + (seed % 3) * 10) {
                    ASSERT_EQ(matching.arrive(envelope, item), lists.arrive(envelope, item)) << seed;
                    continue;
                }
                if (below(100) < wildcard_percent)
                    envelope.peer = any_peer;
                if (below(100) < wildcard_percent)
                    envelope.tag = any_tag;
                ASSERT_EQ(matching.post(envelope, item), lists.post(envelope, item)) << seed;
            }
        }
}

}  // namespace
}  // namespace parcast::semantics
