// An execution as tracks of slices with arrows between them: the form that Perfetto's and Chrome's formats
// have in common. walk() tells it to a sink, track by track, each in time order.
//
// Invariants of what a sink hears: (1) The slices of a track follow each other, none inside another. (2) What
// happens at an instant within a track is told between the begin and the end of the slice that it belongs to;
// at the instant where two slices meet, to the one that was on a processor. (3) Every arrow departs once and
// arrives once, at the same instant. (4) The same names have the same numbers.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "timeline/lanes.h"
#include "trace/exports/execution.h"
#include "trace/exports/names_and_text.h"

namespace parcast::trace {

struct Track {
    enum class Kind : std::uint8_t { thread, cpu, critical_path };
    Kind kind = Kind::thread;
    std::uint32_t index = 0;  // of the thread or processor

    friend auto operator<=>(Track, Track) = default;
};

// By what a reader may want to show or hide: the states of threads, and then these.
enum class Category : std::uint8_t { critical_path = thread_state_count, release, operation, message };
inline constexpr std::size_t category_count = thread_state_count + 4;
constexpr Category category_of(ThreadState state) {
    return static_cast<Category>(state);
}
char const* name_of(Category category);

struct Slice {
    std::uint32_t name = 0;  // into SliceNames
    Category category = Category::critical_path;
    CpuId cpu = CpuId::none();
    ObjectId object = ObjectId::none();
    SiteId site = SiteId::none();
    ThreadId releaser = ThreadId::none();
    std::optional<std::uint64_t> arriving = std::nullopt;  // the arrow that ends where the slice begins
};

// Names of slices and instants, numbered: "running", "blocked on mutex queue_lock (queue.h:41)", "worker 3".
class SliceNames {
public:
    SliceNames(ExportNames const& names, std::span<char const* const> marks)
        : names_(&names), marks_(marks) {}

    std::uint32_t of(ThreadState state, ObjectId object) const {
        auto const group = object.is_none() ? 0 : object.index() + 1;
        return static_cast<std::uint32_t>(group * thread_state_count + static_cast<std::size_t>(state));
    }
    std::uint32_t of(ThreadId thread) const { return states() + thread.value; }
    std::uint32_t of_mark(std::uint8_t kind) const { return of(ThreadId(names_->threads.size())) + kind; }
    // A message on its way.
    std::uint32_t in_flight() const {
        return static_cast<std::uint32_t>(states() + names_->threads.size() + marks_.size());
    }
    std::size_t size() const { return std::size_t{in_flight()} + 1; }

    std::string text(std::uint32_t name) const {
        if (name == in_flight())
            return "message in flight";
        if (name >= states() + names_->threads.size())
            return marks_[name - states() - names_->threads.size()];
        if (name >= states())
            return names_->threads[name - states()];
        auto const state = static_cast<ThreadState>(name % thread_state_count);
        auto const group = name / thread_state_count;
        std::string const text = name_of(state);
        return group == 0 ? text : text + " on " + names_->objects[group - 1];
    }

private:
    std::uint32_t states() const {
        return static_cast<std::uint32_t>((names_->objects.size() + 1) * thread_state_count);
    }

    ExportNames const* names_;
    std::span<char const* const> marks_;
};

// Who is released or created by whom, by the thread that does it. Arrows are numbered from 1: those of rows,
// then those of creations. Cost: 4 bytes an arrow.
class Departures {
public:
    struct Departure {
        Instant when;
        std::uint64_t arrow = 0;
        ThreadId to;
    };

    Departures(Timeline const& timeline, std::span<std::uint32_t const> first);

    std::vector<Departure> of(ThreadId thread) const;  // in time order
    // The arrow that ends where the row begins.
    std::optional<std::uint64_t> arriving(std::size_t row) const;

private:
    std::uint64_t creation_of(std::size_t thread) const { return rows_->size() + thread + 1; }
    // By whom the thread of a lane was created, if its first row shows it.
    ThreadId creator(std::size_t thread) const;

    IntervalColumns const* rows_;
    Catalogue const* catalogue_;
    bool has_releases_;
    std::span<std::uint32_t const> lanes_;
    std::vector<std::uint32_t> first_;     // by thread
    std::vector<std::uint32_t> released_;  // the row that a release ended, or rows + thread for a creation
};

// Which messages a thread sends, and which it receives, each in time order. Cost: 8 bytes a message.
class MessageEnds {
public:
    enum class End : std::uint8_t { sent, received };
    explicit MessageEnds(Timeline const& timeline);

    std::span<std::uint32_t const> of(ThreadId thread, End end) const {
        auto const& [first, messages] = ends_[static_cast<std::size_t>(end)];
        return std::span(messages).subspan(first[thread.index()],
                                           first[thread.index() + 1] - first[thread.index()]);
    }

private:
    struct ByThread {
        std::vector<std::uint32_t> first;
        std::vector<std::uint32_t> messages;
    };
    std::array<ByThread, 2> ends_;
};

// Sink:
//   void begin(Track, Instant, Slice const&);         void end(Track, Instant, Slice const&);
//   void departs(Track, Instant, std::uint64_t arrow, ThreadId to);   void mark(Track, Instant, Mark const&);
//   void message(Track, Instant, std::uint32_t number, MessageEnds::End);
//   void parallelism(ParallelismStep const&);
template <class Sink>
class TrackWalk {
public:
    TrackWalk(Execution const& execution, SliceNames const& names, Sink& sink)
        : execution_(&execution),
          rows_(&*execution.timeline->intervals),
          names_(&names),
          sink_(&sink),
          lanes_(lane_first(*rows_, execution.timeline->catalogue.threads.size())),
          departures_(*execution.timeline, lanes_),
          messages_(*execution.timeline) {}

    void walk() {
        for (std::size_t thread = 0; thread + 1 < lanes_.size(); ++thread)
            walk_thread(ThreadId(thread));
        walk_cpus();
        walk_path();
        for (auto const& step : execution_->parallelism)
            sink_->parallelism(step);
    }

private:
    // Something that happens at an instant of a thread: an index into its marks or its departures, or a
    // message.
    struct Point {
        enum class What : std::uint8_t { mark, departure, sent, received };
        Instant when;
        std::uint32_t index = 0;
        What what = What::mark;
    };

    std::vector<Point> points(ThreadId thread) const {
        std::vector<Point> all;
        for (std::size_t i = 0; i < marks_.size(); ++i)
            all.push_back({marks_[i].when, static_cast<std::uint32_t>(i), Point::What::mark});
        for (std::size_t i = 0; i < leaving_.size(); ++i)
            all.push_back({leaving_[i].when, static_cast<std::uint32_t>(i), Point::What::departure});
        auto const& messages = execution_->timeline->messages;
        for (auto const number : messages_.of(thread, MessageEnds::End::received))
            all.push_back({messages[number].received, number, Point::What::received});
        for (auto const number : messages_.of(thread, MessageEnds::End::sent))
            all.push_back({messages[number].sent, number, Point::What::sent});
        std::stable_sort(all.begin(), all.end(),
                         [](Point const& a, Point const& b) { return a.when < b.when; });
        return all;
    }

    void tell(Track track, Point const& point) {
        switch (point.what) {
            case Point::What::mark: return sink_->mark(track, point.when, marks_[point.index]);
            case Point::What::departure:
                return sink_->departs(track, point.when, leaving_[point.index].arrow,
                                      leaving_[point.index].to);
            case Point::What::sent:
                return sink_->message(track, point.when, point.index, MessageEnds::End::sent);
            case Point::What::received:
                return sink_->message(track, point.when, point.index, MessageEnds::End::received);
        }
    }

    Slice thread_slice(std::size_t row) const {
        return {.name = names_->of(rows_->state[row], rows_->object[row]),
                .category = category_of(rows_->state[row]),
                .cpu = rows_->cpu[row],
                .object = rows_->object[row],
                .site = rows_->site[row],
                .releaser = rows_->releaser[row],
                .arriving = departures_.arriving(row)};
    }

    void walk_thread(ThreadId thread) {
        Track const track{Track::Kind::thread, thread.value};
        marks_ = execution_->marks ? execution_->marks(thread) : std::vector<Mark>{};
        leaving_ = departures_.of(thread);
        auto const all = points(thread);
        auto next = all.begin();
        auto const end = lanes_[thread.index() + 1];
        for (std::size_t row = lanes_[thread.index()]; row < end; ++row) {
            auto const slice = thread_slice(row);
            sink_->begin(track, rows_->begin[row], slice);
            bool const takes_end = is_on_processor(rows_->state[row]) || row + 1 == end;
            // What is sent there is of the slice that begins then.
            auto const is_in = [&](Point const& point) {
                return point.when < rows_->end[row] || (takes_end && point.when == rows_->end[row] &&
                                                        (point.what != Point::What::sent || row + 1 == end));
            };
            for (; next != all.end() && is_in(*next); ++next)
                tell(track, *next);
            sink_->end(track, rows_->end[row], slice);
        }
        for (; next != all.end(); ++next)
            tell(track, *next);
    }

    void walk_cpus() {
        auto const cpus = cpu_rows(*rows_, execution_->timeline->cpus);
        for (std::uint32_t cpu = 0; cpu + 1 < cpus.first.size(); ++cpu) {
            for (auto i = cpus.first[cpu]; i < cpus.first[cpu + 1]; ++i) {
                auto const row = cpus.row[i];
                one_slice(
                    {Track::Kind::cpu, cpu}, rows_->begin[row], rows_->end[row],
                    {.name = names_->of(rows_->thread[row]), .category = category_of(rows_->state[row])});
            }
        }
    }

    void walk_path() {
        for (auto const& segment : execution_->timeline->critical_path)
            one_slice({Track::Kind::critical_path, 0}, segment.begin, segment.end,
                      {.name = segment.is_in_flight ? names_->in_flight() : names_->of(segment.thread),
                       .category = Category::critical_path});
    }

    void one_slice(Track track, Instant begin, Instant end, Slice const& slice) {
        sink_->begin(track, begin, slice);
        sink_->end(track, end, slice);
    }

    Execution const* execution_;
    IntervalColumns const* rows_;
    SliceNames const* names_;
    Sink* sink_;
    std::vector<std::uint32_t> lanes_;
    Departures departures_;
    MessageEnds messages_;
    std::vector<Mark> marks_;                     // of the thread that is told
    std::vector<Departures::Departure> leaving_;  // likewise
};

}  // namespace parcast::trace
