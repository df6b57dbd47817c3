#include "trace/recording_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "trace/byte_stream.h"

namespace parcast::trace {
namespace {

Event end_event(std::int64_t wall_ns) {
    Event event;
    event.kind = EventKind::thread_end;
    event.wall_ns = wall_ns;
    return event;
}

Timeline smallest() {
    Timeline timeline;
    timeline.catalogue.threads.resize(1);
    timeline.events = {{end_event(10)}};
    timeline.length.ns = 10;
    return timeline;
}

// A timeline with every field in use, of about `events_each` events a thread, by a fixed seed.
Timeline random_timeline(std::uint64_t seed, std::size_t threads, std::size_t events_each) {
    std::mt19937_64 random(seed);
    auto const below = [&](std::uint64_t limit) { return random() % limit; };
    auto const ns = [&] { return static_cast<std::int64_t>(random() >> (24 + below(40))); };
    Timeline timeline;
    Catalogue& catalogue = timeline.catalogue;
    for (std::size_t i = 0; i < 5; ++i) {
        catalogue.sites.push_back(
            {random(), random(), "/bin/program", {{"f<" + std::to_string(i) + ">", "f.cpp", 7}, {}}});
        catalogue.objects.push_back({static_cast<ObjectKind>(below(object_kind_count)),
                                     random(),
                                     i % 2 ? "" : "lock",
                                     i == 3 ? SiteId::none() : SiteId(below(i + 1)),
                                     {}});
    }
    catalogue.objects[1].initial_value = -5;
    catalogue.sites[2].library_type = "std::barrier";
    for (std::size_t i = 0; i < threads; ++i) {
        Thread thread{"name " + std::to_string(i),
                      "worker(int)",
                      SiteId(std::size_t{1}),
                      ThreadId::none(),
                      SiteId::none(),
                      {1, 0, ~0ull},
                      4711};
        thread.parent = i == 0 ? ThreadId::none() : ThreadId(below(i));
        catalogue.threads.push_back(thread);
        EventList events;
        std::int64_t now = 0;
        for (std::size_t k = below(events_each + 1); k > 0; --k) {
            Event event;
            event.kind = static_cast<EventKind>(below(event_kind_count));
            event.outcome = static_cast<Outcome>(below(4));
            event.blocked = below(2) == 0;
            event.switched = below(2) == 0;
            now += ns();
            event.wall_ns = now;
            event.cpu_ns = ns();
            event.cpu_inside_ns = below(3) ? 0 : ns();
            event.span_ns = below(3) ? 0 : ns();
            now += event.span_ns;
            event.value = static_cast<std::int64_t>(random());
            event.object = below(3) ? ObjectId(below(5)) : ObjectId::none();
            event.site = below(3) ? SiteId(below(5)) : SiteId::none();
            event.unmeasured = below(4) == 0;
            bool const relates =
                event.kind == EventKind::thread_join || event.kind == EventKind::condition_wait;
            event.related = relates ? 0 : 0xffffffff;
            events.push_back(event);
        }
        events.push_back(end_event(now));
        timeline.length.ns = std::max(timeline.length.ns, now);
        timeline.events.push_back(std::move(events));
    }
    Provenance& provenance = timeline.provenance;
    provenance.command = {"program", "", "an argument"};
    provenance.host = "host";
    provenance.process = 4711;
    provenance.pretended_cpus = 8;
    provenance.clock = ClockMethod::perf_page;
    provenance.event_cost_ns = 13.4;
    provenance.clock_read_ns = 1070.5;
    provenance.rusage_cpu_ns = 77;
    provenance.system_work = SystemWork{33, 44};
    provenance.cut = Cut{CutReason::time_limit, 88};
    provenance.busy_waits = {{ThreadId(std::size_t{0}), SiteId(std::size_t{2}), 99, 7}, {}};
    provenance.death_signal = 9;
    provenance.replaced_by = "/bin/true";
    provenance.modules = {{"/bin/program", "abcdef", 0x555500000000}};
    provenance.call_probes = CallProbes{16, 10.5, 11.25, 1.5, 3};
    provenance.sampling = Sampling{1'000'000, 77, 1};
    provenance.settings.emplace(std::vector<Setting>{{"OMP_WAIT_POLICY", "active"}, {"OMP_NUM_THREADS", ""}});
    provenance.event_cost_uncertainty = 0.125;
    provenance.unmeasured_cost_ns = 4.25;
    provenance.unmeasured_events = 1'234;
    provenance.map_change_note_ns = 900;
    provenance.map_fault_note_ns = 120.5;
    provenance.others_cpu_ns = 1'900'000'000;
    provenance.measured = {{1, {{500, 400, 50, 0.01}, {510, 410, 60, 0}}},
                           {2, {{260, 420, 70, 0.25}, {270, 430, 80, 0}}}};
    provenance.wake_ups = WakeUpTimes{{31'000, 9'000, 70'000}, {8'000, 2'500, 8'000}, 7'000};
    provenance.memory = MemorySensing{{0.4, 0.3, 0.5}, {0.25, 0.2, 0.375}, 1.2, 1.01, 1.5, 3, 5};
    for (std::size_t i = 0; i < 5; ++i)
        catalogue.stacks.push_back({i == 0 ? StackId::none() : StackId(below(i)), SiteId(below(5))});
    for (auto const& events : timeline.events) {
        auto& shares = timeline.shares.emplace_back();
        for (std::uint32_t event = 0; event < events.size(); ++event)
            for (std::size_t k = below(3); k > 0; --k)
                shares.push_back({event, below(3) ? StackId(below(5)) : StackId::none(), ns() >> 8,
                                  static_cast<std::uint32_t>(random()),
                                  static_cast<std::uint32_t>(below(9))});
    }
    return timeline;
}

// The work before each event of the only thread, half of it by a function that the other one calls.
void divide_work(Timeline& timeline) {
    timeline.catalogue.sites.resize(2);
    timeline.catalogue.stacks = {{StackId::none(), SiteId(std::size_t{0})},
                                 {StackId(std::size_t{0}), SiteId(std::size_t{1})}};
    timeline.shares.resize(1);
    for (std::uint32_t event = 0; event < timeline.events[0].size(); ++event) {
        timeline.shares[0].push_back({event, StackId(std::size_t{1}), 500, 3, 1});
        timeline.shares[0].push_back({event, StackId(std::size_t{0}), 500, 0, 0});
    }
}

// The last one before the index, as the index says.
std::size_t offset_of_last_block(std::vector<std::byte> const& file) {
    std::uint64_t stored = 0;
    std::memcpy(&stored, file.data() + file.size() - 32, sizeof stored);
    return file.size() - 32 - static_cast<std::size_t>(stored) - 1;
}

void expect_equal(Timeline const& read, Timeline const& written) {
    EXPECT_EQ(read.origin, written.origin);
    EXPECT_EQ(read.catalogue, written.catalogue);
    EXPECT_EQ(read.provenance, written.provenance);
    EXPECT_TRUE(read.events == written.events);
    EXPECT_EQ(read.shares, written.shares);
    EXPECT_EQ(read.cpus, written.cpus);
    EXPECT_EQ(read.length, written.length);
}

TEST(RecordingFile, ReadsBackWhatWasWritten) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        auto const written = random_timeline(seed, 1 + seed % 7, seed * 3);
        ASSERT_TRUE(check(written)) << seed << ": " << describe(check(written).error());
        auto const read = read_recording(write_recording(written));
        ASSERT_TRUE(read) << "seed " << seed << ": " << describe(read.error());
        expect_equal(*read, written);
    }
}

TEST(RecordingFile, AThreadMayFillManyBlocks) {
    auto const written = random_timeline(5, 3, 300'000);
    ASSERT_GT(event_count(written), 200'000);
    auto const read = read_recording(write_recording(written));
    ASSERT_TRUE(read) << describe(read.error());
    expect_equal(*read, written);
}

// What parcast info rests on: a recording of a hundred million events was read into memory as a whole.
TEST(RecordingFile, OnlyABlockOfALongRecordingLiesInMemory) {
    auto const written = random_timeline(5, 3, 300'000);
    auto const bytes = write_recording(written);
    std::size_t largest_piece = 0;
    FileBytes file(bytes.size(), [&](std::uint64_t offset, std::span<std::byte> to) {
        largest_piece = std::max(largest_piece, to.size());
        std::memcpy(to.data(), bytes.data() + offset, to.size());
        return true;
    });
    auto const read = read_recording(file, keep_recording);
    ASSERT_TRUE(read) << describe(read.error());
    expect_equal(*read, written);
    EXPECT_LT(largest_piece, bytes.size() / 2);
}

TEST(RecordingFile, AFileThatCannotBeReadAnyFurtherIsRefused) {
    auto const bytes = write_recording(random_timeline(2, 3, 20));
    for (std::uint64_t readable = 0; readable < bytes.size(); ++readable) {
        FileBytes file(bytes.size(), [&](std::uint64_t offset, std::span<std::byte> to) {
            std::memcpy(to.data(), bytes.data() + offset, to.size());
            return offset + to.size() <= readable;
        });
        auto const read = read_recording(file, keep_recording);
        ASSERT_FALSE(read) << readable << " of " << bytes.size() << " bytes";
        EXPECT_EQ(read.error().code, ErrorCode::truncated);
    }
}

// A loop of lock, work, unlock with a jitter of some nanoseconds, as programs do.
TEST(RecordingFile, ARegularProgramTakesAtMostSixBytesAnEvent) {
    std::mt19937_64 random(3);
    Timeline timeline = smallest();
    timeline.catalogue.objects.resize(1);
    timeline.catalogue.sites.resize(2);
    auto& events = timeline.events[0];
    events = {};
    std::int64_t now = 0;
    for (std::size_t i = 0; i < 200'000; ++i) {
        Event event;
        event.kind = i % 2 ? EventKind::unlock : EventKind::lock;
        event.cpu_ns = static_cast<std::int64_t>((i % 2 ? 5'000 : 200) + random() % 64);
        now += event.cpu_ns;
        event.wall_ns = now;
        event.object = ObjectId(std::size_t{0});
        event.site = SiteId(i % 2);
        events.push_back(event);
    }
    events.push_back(end_event(now));
    timeline.length.ns = now;
    auto const file = write_recording(timeline);
    EXPECT_LE(static_cast<double>(file.size()) / static_cast<double>(events.size()), 6.0);
    auto const read = read_recording(file);
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_TRUE(read->events == timeline.events);
}

TEST(RecordingFile, EventsThatAreAllTheSameCompressWithoutBreakingTheBoundOnExpansion) {
    Timeline timeline = smallest();
    timeline.events[0] = std::vector<Event>(500'000, end_event(0));
    auto const file = write_recording(timeline);
    auto const read = read_recording(file);
    ASSERT_TRUE(read) << describe(read.error());
    expect_equal(*read, timeline);
}

TEST(RecordingFile, EveryTruncationIsRefused) {
    auto const file = write_recording(random_timeline(2, 3, 20));
    for (std::size_t size = 0; size < file.size(); ++size) {
        auto const read = read_recording(std::span(file).first(size));
        ASSERT_FALSE(read) << size << " of " << file.size() << " bytes";
        EXPECT_NE(read.error().code, ErrorCode::inconsistent);
    }
}

TEST(RecordingFile, EveryFlippedBitIsNoticed) {
    auto file = write_recording(random_timeline(2, 3, 20));
    for (std::size_t i = 0; i < file.size(); ++i) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            file[i] ^= static_cast<std::byte>(1u << bit);
            ASSERT_FALSE(read_recording(file)) << "byte " << i << ", bit " << bit;
            file[i] ^= static_cast<std::byte>(1u << bit);
        }
    }
    EXPECT_TRUE(read_recording(file));
}

TEST(RecordingFile, AppendedBytesAreNoticed) {
    auto file = write_recording(smallest());
    file.push_back(std::byte{0});
    EXPECT_FALSE(read_recording(file));
}

ErrorCode code_of(std::span<std::byte const> file) {
    auto const read = read_recording(file);
    EXPECT_FALSE(read);
    return read ? ErrorCode::not_found : read.error().code;
}

TEST(RecordingFile, SaysWhatIsWrong) {
    auto const good = write_recording(smallest());
    EXPECT_EQ(code_of({}), ErrorCode::truncated);
    EXPECT_EQ(code_of(std::as_bytes(std::span("#!/bin/sh\n"))), ErrorCode::unsupported);
    EXPECT_EQ(code_of(std::span(good).first(30)), ErrorCode::truncated);
    EXPECT_EQ(code_of(std::span(good).first(good.size() - 1)), ErrorCode::truncated);
    auto changed = good;
    for (unsigned const version : {oldest_readable_version - 1, recording_version + 1}) {
        changed[8] = static_cast<std::byte>(version);
        EXPECT_EQ(code_of(changed), ErrorCode::unsupported) << "version " << version;
    }
    changed = good;
    changed[20] ^= std::byte{1};
    auto const damaged = read_recording(changed);
    ASSERT_FALSE(damaged);
    EXPECT_EQ(damaged.error().code, ErrorCode::corrupted);
    ASSERT_TRUE(damaged.error().place);
    EXPECT_EQ(damaged.error().place->byte_offset, 16u);
}

TEST(RecordingFile, ATimelineThatBreaksItsInvariantsIsRefusedWithTheReason) {
    Timeline timeline = smallest();
    timeline.events[0].edit(0)->object = ObjectId(std::size_t{77});
    auto const read = read_recording(write_recording(timeline));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::malformed);
    EXPECT_NE(read.error().message.find("event 0 of thread 0"), std::string::npos) << read.error().message;
}

TEST(RecordingFile, SharesThatNobodyAsksForAreNotReadButChecked) {
    Timeline timeline = smallest();
    divide_work(timeline);
    auto bytes = write_recording(timeline);
    for (bool const is_damaged : {false, true}) {
        if (is_damaged)
            bytes[offset_of_last_block(bytes)] ^= std::byte{1};
        FileBytes file(bytes);
        auto const read = read_recording(
            file, [&](Timeline&) { return RecordingSink{[](ThreadId, std::span<Event const>) {}}; });
        ASSERT_EQ(bool(read), !is_damaged);
        EXPECT_TRUE(!is_damaged || read.error().code == ErrorCode::corrupted);
    }
}

TEST(RecordingFile, SharesThatContradictTheEventsAreRefused) {
    auto const is_read = [](auto change) {
        Timeline timeline = smallest();
        divide_work(timeline);
        change(timeline.shares[0].back());
        return bool(read_recording(write_recording(timeline)));
    };
    EXPECT_TRUE(is_read([](WorkShare&) {}));
    EXPECT_FALSE(is_read([](WorkShare& share) { share.piece = 77; })) << "no such event";
    EXPECT_FALSE(is_read([](WorkShare& share) { share.stack = StackId(std::size_t{5}); })) << "no such stack";
}

// Tables are made of the events as they come: an id out of range would be a place outside of them.
TEST(RecordingFile, NoEventThatBreaksAnInvariantIsHandedOver) {
    Timeline timeline = smallest();
    timeline.events[0] = {Event{}, Event{}, end_event(10)};
    timeline.events[0].edit(1)->site = SiteId(std::size_t{77});
    auto const bytes = write_recording(timeline);
    FileBytes file(bytes);
    std::size_t events = 0;
    auto const read = read_recording(file, [&](Timeline&) {
        return RecordingSink{[&](ThreadId, std::span<Event const> some) { events += some.size(); }};
    });
    EXPECT_FALSE(read);
    EXPECT_EQ(events, 0u);
}

TEST(ByteStream, IntegersKeepTheirValue) {
    std::uint64_t const values[] = {0, 1, 127, 128, 16'383, 16'384, 1'000'000'001, 1ull << 63, ~0ull};
    ByteWriter writer;
    for (std::uint64_t const value : values) {
        writer.varint(value);
        writer.signed_varint(static_cast<std::int64_t>(value));
    }
    ByteReader reader(writer.bytes());
    for (std::uint64_t const value : values) {
        EXPECT_EQ(reader.varint(), value);
        EXPECT_EQ(reader.signed_varint(), static_cast<std::int64_t>(value));
    }
    EXPECT_TRUE(reader.is_complete());
}

TEST(ByteStream, RefusesWhatIsNotThere) {
    struct Case {
        std::vector<unsigned char> bytes;
        char const* because;
    };
    Case const cases[] = {
        {{}, "nothing"},
        {{0x80}, "an integer without its last byte"},
        {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}, "an integer of 65 bits"},
        {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, "an integer of eleven bytes"},
    };
    for (Case const& item : cases) {
        ByteReader reader(std::as_bytes(std::span(item.bytes)));
        reader.varint();
        EXPECT_TRUE(reader.has_failed()) << item.because;
    }
    std::vector<unsigned char> const text = {200, 1, 'a'};
    ByteReader reader(std::as_bytes(std::span(text)));
    EXPECT_EQ(reader.text(), "") << "a length beyond the end";
    EXPECT_TRUE(reader.has_failed());
}

}  // namespace
}  // namespace parcast::trace
