// Decodes one stream of a raw recording: its words in order, thread after thread. An event is handed over
// once nothing that follows can change it: a reading of the CPU clock tells what the waits before it took,
// and the end of a thread takes back what was attributed to its last events beyond the clock. So only the
// events since the last reading lie in memory, and the last ones that account for that debt.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/cpu_account.h"
#include "trace/raw/hold_times.h"
#include "trace/raw/raw_layout.h"
#include "trace/raw/raw_meaning.h"
#include "trace/raw/raw_shares.h"
#include "trace/raw/raw_threads.h"

namespace parcast::trace {

// What all streams of a recording share.
struct StreamSetting {
    StreamSetting(RawLayout const& layout, TickScale const& ticks, std::int64_t end);

    TickScale const& scale;  // the caller's, as long as streams are read
    wire::Clock clock;
    std::int64_t end_ns;
    std::uint64_t brief_ticks;  // wire::brief_ns
    std::uint64_t saved_ticks;  // by a release that is not measured
    std::unordered_map<std::uint64_t, std::int64_t>
        final_clocks;  // by thread number, its CPU clock when the recording ended
};

class StreamDecoder {
public:
    // `numbers` and `remarks` get what is new in this stream; all are the caller's, as long as it decodes.
    // Ticks are CPU time while the thread is not switched out, unless the clock is the CPU clock, read at
    // every event.
    StreamDecoder(StreamSetting const& setting, RawNumbers& numbers, RawRemarks& remarks)
        : setting_(setting),
          ticks_are_cpu_time_(setting.clock != wire::Clock::thread_clock),
          numbers_(numbers),
          remarks_(remarks) {}

    // What of its chunk follows the words that are decoded; cut_off: the file ends in it.
    enum class Rest : std::uint8_t { more, nothing, cut_off };
    struct Decoded {
        std::size_t bytes = 0;
        bool is_chunk_over = false;
    };

    // Words of the stream, in order, of which it decodes those up to the end of a thread. `offset`: in the
    // file. Errors: malformed, with the byte offset.
    Result<Decoded> decode(std::span<std::byte const> words, std::uint64_t offset, Rest rest);

    // After the last chunk: ends a thread that is still alive.
    void finish();

    // For the thread that is being read, or comes next. None: it is not taken back, but noted.
    void expect_debt(std::optional<std::int64_t> debt_ns) { expected_debt_ns_ = debt_ns; }
    // Those that nothing can change any more, perhaps none though there are some.
    std::span<Event> final_events();
    // What is known of the work before that many of them.
    std::span<WorkShare const> final_shares(std::size_t events) const {
        return shares_.before(static_cast<std::uint32_t>(handed_over_ + events));
    }
    // So many of them were used.
    void drop(std::size_t events);
    // The one that they belong to. REQUIRES: there are some.
    RawThread& thread() { return *thread_; }
    // If it has ended.
    std::optional<RawThread> take_ended();

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
        std::uint32_t number = 0;        // in RawNumbers::objects, or sites
    };

    // Each returns what is wrong with the word, or null.
    char const* interpret(Word const& word);
    char const* interpret_timed(Word const& word, bool is_switch);
    char const* add_unmeasured_release(std::uint64_t next_ticks, bool was_switched);
    bool is_switch(Word const& word, std::uint64_t ticks) const;
    void learn_from(Word const& word, std::uint64_t ticks, bool is_switch);
    bool ends_hold(Word const& word) const;
    void follow_hold(Word const& word);
    char const* advance_to(std::uint64_t ticks);
    char const* synchronise(Word const& word, bool switched);
    char const* note_run_delay(Word const& word);
    char const* begin_thread(Word const& word);
    char const* define(Word const& word);
    char const* divide_work(Word const& word);
    char const* describe_thread(Word const& word);
    char const* add_event(Word const& word, RawMeaning const& meaning);
    void append(Event const& event);
    std::int64_t preempted_part(std::int64_t hold_ns) const;
    char const* find_object(Word const& word, ObjectKind kind, Event& event);
    void fill_payload(Word const& word, RawMeaning const& meaning, Event& event);
    void close_call(std::int64_t result, std::uint64_t flags);
    void read_clock(std::int64_t clock_ns, CpuAccount::Open open);
    bool is_waiting() const;
    void abandon_call();
    void end_thread();
    void return_debt(std::int64_t debt_ns);
    std::size_t final_count() const;

    StreamSetting const& setting_;
    bool ticks_are_cpu_time_;
    RawNumbers& numbers_;
    RawRemarks& remarks_;

    std::uint64_t ticks_ = 0;
    std::uint64_t word_ticks_ = 0;  // of the last word that has a time
    std::int64_t now_ns_ = 0;
    std::array<Slot, wire::slot_count> objects_{};
    std::array<Slot, wire::slot_count> sites_{};
    std::array<HoldTimes, wire::slot_count> holds_{};  // by the slot of the lock's call site
    std::optional<Event> unmeasured_;                  // a release that came before the next timed word
    unsigned unmeasured_site_ = 0;                     // of its lock
    std::uint64_t last_word_ = 0;                      // in this chunk
    std::uint64_t last_event_ = 0;
    std::uint64_t event_ticks_ = 0;
    bool switched_since_event_ = false;
    unsigned last_hold_ = 0;  // the site of the lock that the last event released, if it followed it
    std::uint64_t lock_ = 0;  // the word of the lock that the last event took, or waits for
    bool ends_preempted_hold_ = false;  // this word does, of that lock

    std::optional<RawThread> thread_;  // the one that occupies the stream
    bool has_ended_ = false;
    std::vector<Event> open_;      // its last ones
    std::size_t handed_over_ = 0;  // before them
    std::size_t look_at_ = 0;      // no event is looked for that is final before there are so many
    std::optional<std::int64_t> expected_debt_ns_;
    RawShares shares_;
    CpuAccount cpu_;
    bool switched_ = false;           // since the last event, or since arrival while in a call
    bool leaving_ = false;            // the thread has begun to end the process, or to replace its program
    std::optional<RawMeaning> call_;  // the last event waits for `resumed`
    CpuAccount at_arrival_;           // at that call
    std::vector<std::size_t> unread_waits_;           // events of this thread
    std::optional<std::uint64_t> run_delay_ns_;       // of this thread so far, as it was looked up last
    std::optional<std::uint64_t> call_run_delay_ns_;  // in `call_`
};

}  // namespace parcast::trace
