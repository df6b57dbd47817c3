#include "analysis/alignment.h"

#include <gtest/gtest.h>

namespace parcast::analysis {
namespace {

Alignable thing(char const* identity, char const* neighbourhood, double weight = 1, char const* name = "") {
    return {.identity = identity,
            .neighbourhood = neighbourhood,
            .file = "a.c",
            .weight = weight,
            .thing = {.name = *name == '\0' ? identity : name, .place = {}, .count = 1}};
}

struct AlignmentCase {
    std::vector<Alignable> first;
    std::vector<Alignable> second;
    std::vector<Alignment> alignments;  // of the pairs
    char const* because;
};

TEST(Things, AreAlignedByNameThenByPlace) {
    using enum Alignment;
    AlignmentCase const cases[] = {
        {{thing("mutex q", "push")}, {thing("mutex q", "pop")}, {same}, "a name is enough"},
        {{thing("mutex q", "push")}, {thing("mutex r", "push")}, {renamed}, "the only one of its place"},
        {{thing("a.c:4", "push", 1, "mutex")}, {thing("a.c:9", "push", 1, "mutex")}, {moved}, "lines shift"},
        {{thing("mutex q", "push")}, {thing("mutex r", "pop")}, {gone, added}, "neither name nor place"},
        {{thing("mutex q", "")}, {thing("mutex r", "")}, {gone, added}, "no place is no common place"},
        {{thing("mutex q", "push", 1024)},
         {thing("mutex r", "push", 1)},
         {gone, added},
         "a lock for each body is not the one lock for all"},
        {{thing("mutex q", "push"), thing("mutex s", "push")},
         {thing("mutex r", "push")},
         {gone, gone, added},
         "nobody knows which of the two became r"},
        {{thing("mutex q", "push"), thing("mutex s", "push")},
         {thing("mutex q", "push"), thing("mutex r", "push")},
         {same, renamed},
         "what has its name leaves one for the other"},
        {{}, {}, {}, "nothing"},
    };
    for (auto const& row : cases) {
        std::vector<Alignment> found;
        for (auto const& pair : align(row.first, row.second))
            found.push_back(pair.thing.alignment);
        EXPECT_EQ(found, row.alignments) << row.because;
    }
}

TEST(Things, ThatCameIntoAnotherFileHaveMoved) {
    auto elsewhere = thing("solve", "b.c");
    elsewhere.file = "b.c";
    auto const here = thing("solve", "a.c");
    EXPECT_EQ(align({&here, 1}, {&elsewhere, 1}).front().thing.alignment, Alignment::moved);
}

}  // namespace
}  // namespace parcast::analysis
