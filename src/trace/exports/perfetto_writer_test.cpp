#include "trace/exports/writers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include <protozero/pbf_reader.hpp>

#include "support/small_execution.h"
#include "trace/exports/names_and_text.h"
#include "trace/exports/perfetto_fields.h"

namespace parcast::trace {
namespace {

using protozero::pbf_reader;
using testing::ElementsAre;
using testing::HasSubstr;

struct ReadEvent {
    std::uint64_t when = 0;
    std::int32_t type = 0;
    std::string name;
    std::string category;
    std::map<std::string, std::string> annotations;
    std::vector<std::uint64_t> departing;
    std::vector<std::uint64_t> arriving;
    std::int64_t value = 0;
};

// Reads a trace as trace_processor does: tables and tracks are known once their packet was read.
class ReadTrace {
public:
    explicit ReadTrace(std::string const& bytes) {
        pbf_reader file(bytes);
        while (file.next(perfetto::trace_file::packet))
            read_packet(file.get_message());
    }

    std::map<std::uint64_t, std::string> tracks;           // name by id
    std::map<std::uint64_t, std::uint64_t> parents;        // by id
    std::map<std::string, std::vector<ReadEvent>> events;  // by the track's name, in the order of the file
    std::vector<ReadEvent> all;

private:
    using Table = std::map<std::uint64_t, std::string>;

    void read_packet(pbf_reader packet) {
        std::uint64_t when = 0;
        std::string event;
        while (packet.next()) {
            switch (packet.tag()) {
                case perfetto::trace_packet::timestamp: when = packet.get_uint64(); break;
                case perfetto::trace_packet::track_event: event = packet.get_string(); break;
                case perfetto::trace_packet::interned_data: read_tables(packet.get_message()); break;
                case perfetto::trace_packet::track_descriptor: read_track(packet.get_message()); break;
                default: packet.skip();
            }
        }
        if (!event.empty())
            read_event(when, pbf_reader(event));
    }

    void read_tables(pbf_reader tables) {
        while (tables.next()) {
            auto& table = tables_[tables.tag()];
            auto entry = tables.get_message();
            std::uint64_t id = 0;
            while (entry.next())
                if (entry.tag() == perfetto::interned_data::iid)
                    id = entry.get_uint64();
                else
                    EXPECT_TRUE(table.emplace(id, entry.get_string()).second) << "a number has one text";
        }
    }

    std::string text(perfetto::Field table, std::uint64_t id) {
        auto const found = tables_[table].find(id);
        EXPECT_NE(found, tables_[table].end()) << "number " << id << " of table " << table << " has a text";
        return found == tables_[table].end() ? "" : found->second;
    }

    void read_track(pbf_reader track) {
        std::uint64_t id = 0;
        while (track.next()) {
            switch (track.tag()) {
                case perfetto::track_descriptor::uuid: id = track.get_uint64(); break;
                case perfetto::track_descriptor::name: tracks[id] = track.get_string(); break;
                case perfetto::track_descriptor::parent_uuid: parents[id] = track.get_uint64(); break;
                case perfetto::track_descriptor::thread:
                case perfetto::track_descriptor::process: tracks[id] = last_text(track.get_message()); break;
                default: track.skip();
            }
        }
        EXPECT_FALSE(tracks[id].empty()) << "track " << id;
    }

    static std::string last_text(pbf_reader descriptor) {
        std::string name;
        while (descriptor.next())
            if (descriptor.wire_type() == protozero::pbf_wire_type::length_delimited)
                name = descriptor.get_string();
            else
                descriptor.skip();
        return name;
    }

    void read_event(std::uint64_t when, pbf_reader message) {
        ReadEvent event;
        event.when = when;
        std::uint64_t track = 0;
        while (message.next()) {
            switch (message.tag()) {
                case perfetto::track_event::type: event.type = message.get_int32(); break;
                case perfetto::track_event::track_uuid: track = message.get_uint64(); break;
                case perfetto::track_event::name_iid:
                    event.name = text(perfetto::interned_data::event_names, message.get_uint64());
                    break;
                case perfetto::track_event::category_iids:
                    event.category = text(perfetto::interned_data::event_categories, message.get_uint64());
                    break;
                case perfetto::track_event::debug_annotations:
                    read_annotation(message.get_message(), event);
                    break;
                case perfetto::track_event::flow_ids: event.departing.push_back(message.get_fixed64()); break;
                case perfetto::track_event::terminating_flow_ids:
                    event.arriving.push_back(message.get_fixed64());
                    break;
                case perfetto::track_event::counter_value: event.value = message.get_int64(); break;
                default: ADD_FAILURE() << "unknown field " << message.tag(); message.skip();
            }
        }
        ASSERT_TRUE(tracks.contains(track)) << "an event of a track that nobody declared";
        events[tracks[track]].push_back(event);
        all.push_back(event);
    }

    void read_annotation(pbf_reader annotation, ReadEvent& event) {
        std::string name;
        while (annotation.next()) {
            auto const value = annotation.get_uint64();
            if (annotation.tag() == perfetto::debug_annotation::name_iid)
                name = text(perfetto::interned_data::debug_annotation_names, value);
            else if (annotation.tag() == perfetto::debug_annotation::string_value_iid)
                event.annotations[name] =
                    text(perfetto::interned_data::debug_annotation_string_values, value);
            else
                event.annotations[name] = std::to_string(value);
        }
    }

    std::map<perfetto::Field, Table> tables_;
};

ReadTrace written(Execution const& execution) {
    return ReadTrace(written_by(write_perfetto, execution));
}

std::string const worker = "<b>worker</b>\xEF\xBF\xBD\xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD";

TEST(PerfettoWriter, GivesEveryThreadAndProcessorATrackUnderTheProcess) {
    SmallExecution small;
    auto const trace = written(small.execution);
    std::set<std::string> names;
    for (auto const& [id, name] : trace.tracks)
        names.insert(name);
    EXPECT_THAT(names, testing::IsSupersetOf({"CPU 0", "CPU 1", "CPUs", "critical path", "running threads",
                                              "threads waiting"}));
    EXPECT_TRUE(names.contains(worker)) << "bytes that are no UTF-8 and control characters are replaced";
    EXPECT_EQ(trace.tracks.size(), 3u /* threads */ + 2 /* processors */ + 3 /* counters */ + 3);
    for (auto const& [id, parent] : trace.parents)
        EXPECT_TRUE(trace.tracks.contains(parent));
}

TEST(PerfettoWriter, ClosesEverySliceBeforeTheNextOfItsTrackBegins) {
    SmallExecution small;
    small.add_marks();
    for (auto const& [track, events] : written(small.execution).events) {
        std::uint64_t now = 0;
        int depth = 0;
        for (auto const& event : events) {
            EXPECT_GE(event.when, now) << track;
            now = event.when;
            depth += event.type == perfetto::track_event::slice_begin ? 1
                     : event.type == perfetto::track_event::slice_end ? -1
                                                                      : 0;
            EXPECT_TRUE(depth == 0 || depth == 1) << track;
        }
        EXPECT_EQ(depth, 0) << track;
    }
}

TEST(PerfettoWriter, DrawsAFlowFromEachReleaseAndCreationToWhatFollowed) {
    SmallExecution small;
    std::map<std::uint64_t, std::uint64_t> departures;
    std::map<std::uint64_t, std::uint64_t> arrivals;
    for (auto const& event : written(small.execution).all) {
        for (auto const flow : event.departing)
            EXPECT_TRUE(departures.emplace(flow, event.when).second) << "departs once";
        for (auto const flow : event.arriving)
            EXPECT_TRUE(arrivals.emplace(flow, event.when).second) << "arrives once";
    }
    EXPECT_EQ(departures, arrivals);
    std::multiset<std::uint64_t> times;
    for (auto const& [flow, when] : departures)
        times.insert(when);
    EXPECT_THAT(times, ElementsAre(10, 20, 60, 90)) << "two creations, two releases";
}

TEST(PerfettoWriter, DrawsAFlowForEachMessage) {
    SmallExecution small;
    small.timeline.messages = {{ThreadId(std::size_t{0}),
                                ThreadId(std::size_t{1}),
                                {20},
                                {25},
                                {40},
                                {65},
                                512,
                                7,
                                MessageDelay::receiver_busy,
                                {20}}};
    std::map<std::uint64_t, std::int64_t> departures;
    std::map<std::uint64_t, std::int64_t> arrivals;
    for (auto const& event : written(small.execution).all) {
        for (auto const flow : event.departing)
            departures[flow] = static_cast<std::int64_t>(event.when);
        for (auto const flow : event.arriving)
            arrivals[flow] = static_cast<std::int64_t>(event.when);
    }
    EXPECT_EQ(departures[1], 20);
    EXPECT_EQ(arrivals[1], 65);
}

TEST(PerfettoWriter, TellsAReleaseWithinTheSliceThatWasOnAProcessor) {
    SmallExecution small;
    auto trace = written(small.execution);
    auto const& events = trace.events[worker];
    ASSERT_GE(events.size(), 2u);
    auto const& release = events[events.size() - 2];
    EXPECT_EQ(release.name, "releases") << "at 90, where its last running slice ends";
    EXPECT_EQ(release.when, 90u);
    EXPECT_EQ(events.back().type, perfetto::track_event::slice_end);
}

TEST(PerfettoWriter, SaysOfASliceWhatItWaitedForWhereAndWhoEndedIt) {
    SmallExecution small;
    auto trace = written(small.execution);
    auto const& events = trace.events[worker];
    auto const blocked = std::find_if(events.begin(), events.end(),
                                      [](auto const& event) { return event.category == "blocked"; });
    ASSERT_NE(blocked, events.end());
    EXPECT_EQ(blocked->name, "blocked on mutex queue\\lock");
    EXPECT_EQ(blocked->when, 30u);
    EXPECT_EQ(blocked->annotations.at("place"), "put</script>, buffer \xc3\xa4.cpp:41");
    EXPECT_THAT(blocked->annotations.at("released by"), HasSubstr("main \"quoted\""));
    EXPECT_EQ(events.front().annotations.at("cpu"), "1");
}

TEST(PerfettoWriter, CountsRunningAndReadyThreads) {
    SmallExecution small;
    auto trace = written(small.execution);
    std::vector<std::int64_t> running;
    for (auto const& event : trace.events["running threads"])
        running.push_back(event.value);
    EXPECT_THAT(running, ElementsAre(1, 2, 2, 0));
}

TEST(PerfettoWriter, WritesOperationsAsInstantsIfThereAreAny) {
    SmallExecution small;
    auto const count = [](ReadTrace const& trace) {
        return std::count_if(trace.all.begin(), trace.all.end(),
                             [](auto const& event) { return event.category == "operation"; });
    };
    EXPECT_EQ(count(written(small.execution)), 0);
    small.add_marks();
    EXPECT_EQ(count(written(small.execution)), 2);
}

TEST(PerfettoWriter, CutsNamesThatWouldFillTheFile) {
    SmallExecution small;
    for (auto const& [track, name] : written(small.execution).tracks)
        EXPECT_LE(name.size(), longest_name);
}

TEST(PerfettoWriter, WritesAnExecutionWithoutIntervals) {
    Timeline timeline;
    timeline.intervals.emplace();
    timeline.catalogue.threads.resize(1);
    Execution execution;
    execution.title = "nothing";
    execution.timeline = &timeline;
    EXPECT_TRUE(written(execution).all.empty());
}

}  // namespace
}  // namespace parcast::trace
