// Claims: a trace takes at most 6 bytes an event, and is written and read at 20 million events a second or
// more, as is what the recorder leaves. Beside it, the obvious alternative: the events as an array,
// compressed by zstd at the same level.
//
//     trace_bench [ROUNDS]    (default 9)

#include <zstd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "measure/claims.h"
#include "measure/recorded_threads.h"
#include "support/raw_file_builder.h"
#include "trace/raw/raw_recording.h"
#include "trace/recording_file.h"

namespace {

using namespace parcast;
using namespace parcast::bench;

constexpr double million = 1e6;
constexpr Target at_least_20{Target::Kind::at_least, 20};
constexpr Target at_most_6{Target::Kind::at_most, 6};

Measured in_millions(Measured rate) {
    return {rate.median / million, rate.lowest / million, rate.highest / million};
}

Measured exactly(double value) {
    return {value, value, value};
}

// The alternative: Event after Event, as they are in memory, all of it in one zstd frame of level 1.
class CompressedArray {
public:
    explicit CompressedArray(Timeline const& timeline) {
        for (auto const& list : timeline.events)
            events_.insert(events_.end(), list.begin(), list.end());
        compressed_.resize(ZSTD_compressBound(bytes()));
        write();
    }

    void write() {
        size_ = ZSTD_compress(compressed_.data(), compressed_.size(), events_.data(), bytes(), 1);
        require(ZSTD_isError(size_) == 0);
    }
    void read() const {
        std::vector<Event> events(events_.size());
        require(ZSTD_decompress(events.data(), bytes(), compressed_.data(), size_) == bytes());
        keep(events);
    }
    std::size_t size() const { return size_; }

private:
    static void require(bool holds) {
        if (!holds)
            std::abort();
    }
    std::size_t bytes() const { return events_.size() * sizeof(Event); }

    std::vector<Event> events_;
    std::vector<char> compressed_;
    std::size_t size_ = 0;
};

void print_traces(std::int64_t size, Habit habit, int rounds) {
    Timeline const timeline = recorded_threads(8, size, habit);
    auto const events = static_cast<double>(event_count(timeline));
    auto const file = trace::write_recording(timeline);
    CompressedArray array(timeline);
    std::string const name = (habit == Habit::locks ? "locks, " : "hand-offs, ") + std::to_string(size);
    // A thousand events are a file of some kilobytes: what is claimed is claimed for recordings that take
    // time.
    bool const is_claimed = size >= 1'000'000;
    auto const if_claimed = [&](Target target) { return is_claimed ? std::optional(target) : std::nullopt; };

    print({name + ": size", "bytes an event", exactly(static_cast<double>(file.size()) / events),
           if_claimed(at_most_6), "array, zstd -1", exactly(static_cast<double>(array.size()) / events)});
    auto const written = rates_in_turn(
        events, rounds, [&] { keep(trace::write_recording(timeline)); }, [&] { array.write(); });
    print({name + ": write", "M events/s", in_millions(written.subject), if_claimed(at_least_20),
           "array, zstd -1", in_millions(written.baseline)});
    auto const read =
        rates_in_turn(events, rounds, [&] { keep(trace::read_recording(file)); }, [&] { array.read(); });
    print({name + ": read", "M events/s", in_millions(read.subject), if_claimed(at_least_20),
           "array, zstd -1", in_millions(read.baseline)});
}

// What the recorder would leave of one thread that locks and unlocks four mutexes.
std::vector<std::byte> raw_locks(std::int64_t events) {
    trace::RawFileBuilder file;
    constexpr std::int64_t events_of_a_chunk = 8'000;
    constexpr std::uint32_t event_ns = 500;
    file.header.end.ticks = file.header.begin.ticks + static_cast<std::uint64_t>(events + 2) * event_ns;
    file.header.end.monotonic_ns =
        file.header.begin.monotonic_ns + static_cast<std::uint64_t>(events + 2) * event_ns;
    file.stream(0).begin_thread(0, 100);
    for (unsigned slot = 1; slot <= 4; ++slot)
        file.object(slot, 0x1000 + slot).site(slot, 0x400000 + slot);
    for (std::int64_t i = 0; i < events; ++i) {
        if (i % events_of_a_chunk == events_of_a_chunk - 1)
            file.stream(0, static_cast<std::uint32_t>(i / events_of_a_chunk) + 1);
        auto const slot = static_cast<unsigned>(i / 2 % 4) + 1;
        file.event(i % 2 ? wire::Kind::mutex_unlock : wire::Kind::mutex_lock, event_ns, {}, slot, slot);
    }
    return file.event(wire::Kind::thread_end, event_ns).bytes();
}

void print_raw(std::int64_t size, int rounds) {
    auto const file = raw_locks(size);
    if (!trace::read_raw_recording(file))
        std::abort();
    std::vector<std::byte> copy(file.size());
    auto const read = rates_in_turn(
        static_cast<double>(size), rounds, [&] { keep(trace::read_raw_recording(file)); },
        [&] {
            std::memcpy(copy.data(), file.data(), file.size());
            keep(copy);
        });
    print({"raw, " + std::to_string(size) + ": read", "M events/s", in_millions(read.subject),
           size >= 1'000'000 ? std::optional(at_least_20) : std::nullopt, "memcpy of the file",
           in_millions(read.baseline)});
}

}  // namespace

int main(int argc, char** argv) {
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 9;
    print_title("Traces of 8 threads; medians of " + std::to_string(rounds) +
                " rounds, CPU time of one thread");
    for (std::int64_t const size : {1'000, 10'000, 100'000, 1'000'000})
        print_traces(size, Habit::locks, rounds);
    print_traces(1'000'000, Habit::hand_offs, rounds);
    for (std::int64_t const size : {10'000, 100'000, 1'000'000})
        print_raw(size, rounds);
}
