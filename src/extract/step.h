// What one recorded event becomes in the program.

#pragma once

#include <cstdint>

#include "program/thread_program.h"

namespace parcast::extract {

inline constexpr std::uint32_t no_object = 0xffffffff;

struct Step {
    enum class Form : std::uint8_t {
        boundary,   // ends a segment without doing anything: work_only
        operation,  // `kind`
        absorbed,   // part of a later event of the thread: its CPU time goes on into the next segment
        last,       // never returned: the list ends here
    };
    Form form = Form::boundary;
    OperationKind kind = OperationKind::work_only;
    std::uint32_t object = no_object;
    std::uint32_t released_mutex =
        no_object;  // of a delay or join: unlocked before it, locked again after it; of the last: unlocked
    std::int64_t value = 0;
    std::uint32_t locked_mutex = no_object;  // of a wait for a condition: locked before it, and kept
};

inline Step operation(OperationKind kind, std::uint32_t object = no_object, std::int64_t value = 0) {
    return {Step::Form::operation, kind, object, no_object, value, no_object};
}
inline Step absorbed() {
    return {Step::Form::absorbed, OperationKind::work_only, no_object, no_object, 0, no_object};
}
inline Step last() {
    return {Step::Form::last, OperationKind::work_only, no_object, no_object, 0, no_object};
}

}  // namespace parcast::extract
