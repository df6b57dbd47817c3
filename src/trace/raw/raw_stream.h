// Decodes one stream of a raw recording: its words in order, thread after thread.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/cpu_account.h"
#include "trace/raw/raw_meaning.h"
#include "trace/raw/raw_threads.h"

namespace parcast::trace {

class StreamDecoder {
public:
    // Adds threads and numberings to `result`, which must outlive the decoder.
    // Ticks are CPU time while the thread is not switched out, unless `clock` reads the CPU clock at every
    // event.
    StreamDecoder(TickScale const& scale, wire::Clock clock, std::int64_t end_ns, RawThreads& result)
        : scale_(scale),
          ticks_are_cpu_time_(clock != wire::Clock::thread_clock),
          end_ns_(end_ns),
          result_(result) {}

    // Chunks of the stream, in order. Errors: malformed, with the byte offset.
    Result<void> decode(RawChunk const& chunk);

    // After the last chunk: ends a thread that is still alive. `final_clocks`: by thread number, its CPU
    // clock when the recording ended.
    void finish(std::unordered_map<std::uint64_t, std::int64_t> const& final_clocks);

private:
    struct Word {
        std::uint64_t word;
        std::array<std::uint64_t, 4> payload;
        wire::Kind kind() const { return wire::kind_of(word); }
        std::uint64_t flags() const { return wire::flags_of(word); }
    };
    struct Slot {
        std::uint64_t address = 0;
        std::optional<ObjectKind> kind;  // of `number`; none until first used
        std::uint32_t number = 0;        // in RawThreads::objects, or sites
    };

    // Each returns what is wrong with the word, or null.
    char const* interpret(Word const& word);
    char const* advance_to(std::uint64_t ticks);
    char const* synchronise(Word const& word);
    char const* begin_thread(Word const& word);
    char const* define(Word const& word);
    char const* describe_thread(Word const& word);
    char const* add_event(Word const& word, RawMeaning const& meaning);
    char const* find_object(Word const& word, ObjectKind kind, Event& event);
    void fill_payload(Word const& word, RawMeaning const& meaning, Event& event);
    void close_call(std::int64_t result, std::uint64_t flags);
    void read_clock(std::int64_t clock_ns, CpuAccount::Open open);
    bool is_waiting() const;
    void abandon_call();
    void end_thread();
    void return_debt();

    TickScale const& scale_;
    bool ticks_are_cpu_time_;
    std::int64_t end_ns_;
    RawThreads& result_;

    std::uint64_t ticks_ = 0;
    std::int64_t now_ns_ = 0;
    std::array<Slot, wire::slot_count> objects_{};
    std::array<Slot, wire::slot_count> sites_{};

    std::optional<RawThread> thread_;  // the one that occupies the stream
    CpuAccount cpu_;
    bool switched_ = false;           // since the last event, or since arrival while in a call
    bool leaving_ = false;            // the thread has begun to end the process, or to replace its program
    std::optional<RawMeaning> call_;  // the last event waits for `resumed`
    CpuAccount at_arrival_;           // at that call
    std::vector<std::size_t> unread_waits_;  // events of this thread
};

}  // namespace parcast::trace
