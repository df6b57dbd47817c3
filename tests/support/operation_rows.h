// Extracted programs as rows that tests compare and print: kind, work, object, value. Sites are left out,
// and the numbers of tokens and units: the value of a wait is its mutex (-1: none), that of a signal or post
// how many it grants, that of a wait for a semaphore 0.

#pragma once

#include <cstdint>
#include <ostream>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "extract/extract.h"
#include "program/thread_program.h"
#include "support/recording_builder.h"

namespace parcast::extract {

struct Row {
    OperationKind kind = OperationKind::end;
    std::int64_t work = 0;
    std::uint32_t object = 0xffffffff;
    std::int64_t value = 0;
    friend bool operator==(Row const&, Row const&) = default;
    friend void PrintTo(Row const& row, std::ostream* out) {
        *out << '{' << name_of(row.kind) << ' ' << row.work << ' ' << row.object << ' ' << row.value << '}';
    }
};
using Rows = std::vector<Row>;

inline std::int64_t shown_value(Operation const& operation) {
    if (operation.kind() == OperationKind::condition_wait) {
        auto const mutex = decode_wait(operation.value).mutex;
        return mutex.is_none() ? -1 : std::int64_t{mutex.value};
    }
    bool const grants = operation.kind() == OperationKind::condition_signal ||
                        operation.kind() == OperationKind::semaphore_post;
    if (grants)
        return decode_grant(operation.value).tokens;
    return operation.kind() == OperationKind::semaphore_wait ? 0 : operation.value;
}

inline Rows rows(ThreadProgram const& program, std::size_t thread) {
    Rows result;
    for (Operation const& each : program.lists[thread])
        result.push_back({each.kind(), each.work_ns, each.object, shown_value(each)});
    return result;
}

// The program of a recording; whatever the recording, it must keep the program's invariants.
inline ThreadProgram extracted(Recording& recording) {
    auto program = program_from(recording.timeline());
    EXPECT_TRUE(program.has_value()) << (program ? "" : program.error().message);
    auto checked = check(*program);
    EXPECT_TRUE(checked.has_value()) << (checked ? "" : checked.error().message);
    return std::move(*program);
}

}  // namespace parcast::extract
