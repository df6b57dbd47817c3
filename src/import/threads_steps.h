// The steps of a written program of threads (docs/formats/threads.md): which word stands for which operation.
// One row per word and kind of operation; the reader, the writer and their messages go by these rows.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "core/catalogue.h"
#include "program/operation_kind.h"

namespace parcast {

// What a word says about the thing that it names. The steps treat an object as something: by its kind, or by
// what it is said to be used as.
enum class StepSubject : std::uint8_t {
    nothing,
    thread,
    lock,
    reader_writer_lock,
    condition,
    barrier,
    semaphore,
    descriptor,
    any_object,
};

struct StepRow {
    std::string_view word;
    OperationKind kind;
    StepSubject subject;
    std::string_view form;  // how it is written, for messages and the manual
};

inline constexpr auto step_rows = [] {
    using enum OperationKind;
    using On = StepSubject;
    return std::to_array<StepRow>({
        {"work", work_only, On::nothing, "work TIME [FUNCTION]"},
        {"lock", lock, On::lock, "lock MUTEX [tried]"},
        {"unlock", unlock, On::lock, "unlock LOCK"},
        {"unlock", read_write_unlock, On::reader_writer_lock, "unlock LOCK"},
        {"release", unlock, On::lock, "release LOCK"},
        {"release", read_write_unlock, On::reader_writer_lock, "release LOCK"},
        {"read", read_lock, On::reader_writer_lock, "read LOCK [tried]"},
        {"write", write_lock, On::reader_writer_lock, "write LOCK [tried]"},
        {"wait", semaphore_wait, On::semaphore, "wait SEMAPHORE [#UNIT]"},
        {"wait", condition_wait, On::condition, "wait CONDITION [MUTEX] [#TOKEN [at_once]]"},
        {"post", semaphore_post, On::semaphore, "post SEMAPHORE [UNITS [#FIRST]]"},
        {"signal", condition_signal, On::condition, "signal CONDITION [TOKENS [#FIRST]]"},
        {"barrier", barrier_wait, On::barrier, "barrier BARRIER [THREADS]"},
        {"barrier", condition_barrier, On::condition, "barrier CONDITION [MUTEX] THREADS"},
        {"create", create, On::thread, "create THREAD"},
        {"join", join, On::thread, "join THREAD, join, or join any THREAD"},
        {"join", join_any, On::nothing, "join THREAD, join, or join any THREAD"},
        {"sleep", delay, On::any_object, "sleep TIME [OBJECT]"},
        {"sleep_until", sleep_until, On::nothing, "sleep_until TIME"},
        {"io", input_output, On::any_object, "io [OBJECT] TIME"},
        {"yield", yield, On::nothing, "yield"},
        {"cpus", set_affinity, On::nothing, "cpus 0,1 or cpus all"},
        {"nice", set_priority, On::nothing, "nice LEVEL"},
        {"real_time", set_priority, On::nothing, "real_time LEVEL"},
        {"round_robin", set_priority, On::nothing, "round_robin LEVEL"},
        {"concurrency", set_concurrency, On::nothing, "concurrency LWPS"},
        {"activate", activate, On::thread, "activate THREAD [#NUMBER]"},
        {"accept", accept, On::nothing, "accept [#NUMBER]"},
    });
}();

static_assert(
    [] {
        for (auto const& traits : operation_kinds)
            if (traits.kind != OperationKind::end &&
                std::ranges::find(step_rows, traits.kind, &StepRow::kind) == step_rows.end())
                return false;
        return true;
    }(),
    "every operation can be written but the end, which every list has");

// What an object of a kind is to the steps.
constexpr StepSubject subject_of(ObjectKind kind) {
    switch (kind) {
        case ObjectKind::mutex:
        case ObjectKind::spin_lock: return StepSubject::lock;
        case ObjectKind::reader_writer_lock: return StepSubject::reader_writer_lock;
        case ObjectKind::condition:
        case ObjectKind::once:
        case ObjectKind::futex: return StepSubject::condition;
        case ObjectKind::barrier: return StepSubject::barrier;
        case ObjectKind::semaphore: return StepSubject::semaphore;
        case ObjectKind::descriptor:
        case ObjectKind::message: break;
    }
    return StepSubject::descriptor;
}

// The kind of object that usually is that to the steps.
constexpr ObjectKind usual_kind(StepSubject subject) {
    switch (subject) {
        case StepSubject::reader_writer_lock: return ObjectKind::reader_writer_lock;
        case StepSubject::condition: return ObjectKind::condition;
        case StepSubject::barrier: return ObjectKind::barrier;
        case StepSubject::semaphore: return ObjectKind::semaphore;
        case StepSubject::descriptor: return ObjectKind::descriptor;
        default: return ObjectKind::mutex;
    }
}

}  // namespace parcast
