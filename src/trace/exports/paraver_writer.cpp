#include "trace/exports/writers.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <queue>
#include <string_view>
#include <tuple>

#include "timeline/lanes.h"
#include "trace/exports/names_and_text.h"
#include "trace/exports/track_walk.h"

namespace parcast::trace {

namespace {

// Numbers of event types; ours to choose.
constexpr std::int64_t object_type = 62000001;
constexpr std::int64_t place_type = 62000002;
constexpr std::int64_t operation_type = 62000003;
constexpr std::int64_t operation_object_type = 62000004;
constexpr std::int64_t operation_place_type = 62000005;

struct StateLabel {
    int number;  // as Extrae has it where it has the like; ready and sleeping are ours
    char const* name;
    char const* colour;
};

StateLabel label_of(ThreadState state) {
    switch (state) {
        case ThreadState::running: return {1, "Running", "{0,114,178}"};
        case ThreadState::switching: return {7, "Switching", "{240,228,66}"};
        case ThreadState::spinning: return {5, "Spinning", "{204,121,167}"};
        case ThreadState::ready: return {16, "Ready", "{230,159,0}"};
        case ThreadState::blocked: return {9, "Blocked", "{213,94,0}"};
        case ThreadState::sleeping: return {17, "Sleeping", "{153,153,153}"};
        case ThreadState::input_output: return {12, "Input and output", "{0,158,115}"};
        case ThreadState::communicating: return {10, "Sending and receiving", "{0,58,125}"};
    }
    return {};
}

// Of a rank that waits for messages, or to get its own away.
constexpr StateLabel waits_for_message{3, "Waiting for a message", "{166,86,40}"};

StateLabel label_of(Timeline const& timeline, std::size_t row) {
    auto const& rows = *timeline.intervals;
    auto const object = rows.object[row];
    bool const is_message = rows.state[row] == ThreadState::blocked && !object.is_none() &&
                            timeline.catalogue.objects[object.index()].kind == ObjectKind::message;
    return is_message ? waits_for_message : label_of(rows.state[row]);
}

// Where threads and CPUs are: tasks and nodes count from 1, and the CPUs of a node follow each other.
class Places {
public:
    explicit Places(Execution const& execution) {
        auto const& timeline = *execution.timeline;
        auto const threads = std::max<std::size_t>(timeline.catalogue.threads.size(), 1);
        if (!execution.ranks) {
            threads_each_ = static_cast<std::uint32_t>(threads);
            node_of_task_ = {0};
            cpus_of_node_ = {timeline.cpus};
            for (std::uint32_t cpu = 0; cpu < timeline.cpus; ++cpu)
                cpu_number_.push_back(cpu + 1);
            return;
        }
        threads_each_ = execution.ranks->threads_each;
        node_of_task_ = execution.ranks->node_of_rank;
        cpus_of_node_.resize(std::size_t{*std::ranges::max_element(node_of_task_)} + 1);
        for (auto const node : node_of_task_)
            cpus_of_node_[node] += threads_each_;
        std::vector<std::uint32_t> next(cpus_of_node_.size() + 1);
        std::partial_sum(cpus_of_node_.begin(), cpus_of_node_.end(), next.begin() + 1);
        for (auto const node : node_of_task_)
            for (std::uint32_t cpu = 0; cpu < threads_each_; ++cpu)
                cpu_number_.push_back(++next[node]);
    }

    // "2(4,4)", CPUs of nodes.
    std::string nodes() const {
        std::string text = std::to_string(cpus_of_node_.size()) + "(";
        for (auto const cpus : cpus_of_node_)
            text += (text.back() == '(' ? "" : ",") + std::to_string(cpus);
        return text + ")";
    }
    // "2(1:1,1:2)", threads and nodes of tasks.
    std::string tasks() const {
        std::string text = std::to_string(node_of_task_.size()) + "(";
        for (auto const node : node_of_task_)
            text += (text.back() == '(' ? "" : ",") + std::to_string(threads_each_) + ":" +
                    std::to_string(node + 1);
        return text + ")";
    }
    std::size_t task_count() const { return node_of_task_.size(); }
    std::size_t node_count() const { return cpus_of_node_.size(); }
    std::int64_t task(std::size_t thread) const {
        return static_cast<std::int64_t>(thread / threads_each_) + 1;
    }
    std::int64_t thread(std::size_t thread) const {
        return static_cast<std::int64_t>(thread % threads_each_) + 1;
    }
    // 0: none.
    std::int64_t cpu(CpuId cpu) const { return cpu.is_none() ? 0 : cpu_number_[cpu.index()]; }

private:
    std::uint32_t threads_each_ = 1;
    std::vector<std::uint32_t> node_of_task_;
    std::vector<std::uint32_t> cpus_of_node_;
    std::vector<std::uint32_t> cpu_number_;  // by CpuId
};

// The format's readers take bytes for letters.
std::string ascii(std::string_view text) {
    std::string plain;
    for (char const letter : text) {
        auto const byte = static_cast<unsigned char>(letter);
        if (byte < 0x80)
            plain += letter;
        else if (byte >= 0xC0)  // the first of a code point's bytes
            plain += '?';
    }
    return plain;
}

// "2026-11-21T16:55:16Z" as "21/11/2026 at 16:55".
std::string date_of(std::string const& date) {
    bool const is_date = date.size() >= 16 && date[4] == '-' && date[10] == 'T';
    if (!is_date)
        return "01/01/1970 at 00:00";
    auto const part = [&](std::size_t at, std::size_t size) {
        auto const text = date.substr(at, size);
        bool const is_number =
            std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
        return is_number ? text : std::string(size, '0');
    };
    return part(8, 2) + "/" + part(5, 2) + "/" + part(0, 4) + " at " + part(11, 2) + ":" + part(14, 2);
}

// What one record is made of; sorted by time, then in the order of the kinds: what ends before what begins.
struct Record {
    enum class Kind : std::uint8_t { end, communication, state, begin, operation, message };
    std::int64_t when_ns = 0;
    Kind kind = Kind::state;
    std::uint32_t thread = 0;
    std::size_t index = 0;  // a row, or a message; of an operation: into the thread's marks

    friend auto operator<=>(Record const&, Record const&) = default;
};

// The records of one thread, one after the other.
class ThreadRecords {
public:
    using Kind = Record::Kind;

    ThreadRecords(Execution const& execution, MessageEnds const& messages, std::uint32_t thread,
                  std::size_t first, std::size_t end)
        : timeline_(execution.timeline),
          rows_(&*execution.timeline->intervals),
          sent_(messages.of(ThreadId(std::size_t{thread}), MessageEnds::End::sent)),
          thread_(thread),
          row_(first),
          end_(end) {
        if (execution.marks)
            marks = execution.marks(ThreadId(std::size_t{thread}));
        if (row_ < end_)
            add_row();
    }

    bool is_empty() const { return waiting_.empty() && mark_ == marks.size() && sent_.empty(); }
    Record front() const {
        auto first =
            waiting_.empty() ? Record{std::numeric_limits<std::int64_t>::max(), {}, 0, 0} : waiting_.top();
        if (mark_ < marks.size())
            first = std::min(first, {marks[mark_].when.ns, Kind::operation, thread_, mark_});
        if (!sent_.empty())
            first = std::min(
                first, {timeline_->messages[sent_.front()].sent.ns, Kind::message, thread_, sent_.front()});
        return first;
    }
    void pop() {
        auto const popped = front();
        if (popped.kind == Kind::operation) {
            ++mark_;
            return;
        }
        if (popped.kind == Kind::message) {
            sent_ = sent_.subspan(1);
            return;
        }
        waiting_.pop();
        // The next row begins where this one ends: not before the records of this one's beginning.
        if (popped.kind == Kind::state && popped.index + 1 < end_) {
            row_ = popped.index + 1;
            add_row();
        }
    }

    std::vector<Mark> marks;

private:
    bool is_told(std::size_t row) const {
        return !rows_->object[row].is_none() || !rows_->site[row].is_none();
    }

    void add_row() {
        auto const begin = rows_->begin[row_].ns;
        waiting_.push({begin, Kind::state, thread_, row_});
        if (is_told(row_)) {
            waiting_.push({begin, Kind::begin, thread_, row_});
            waiting_.push({rows_->end[row_].ns, Kind::end, thread_, row_});
        }
        if (has_releases(*timeline_) && is_released(*rows_, row_))
            waiting_.push({rows_->end[row_].ns, Kind::communication, thread_, row_});
    }

    Timeline const* timeline_;
    IntervalColumns const* rows_;
    std::span<std::uint32_t const> sent_;  // messages that are still to be told
    std::uint32_t thread_;
    std::size_t row_;
    std::size_t end_;
    std::size_t mark_ = 0;
    std::priority_queue<Record, std::vector<Record>, std::greater<>> waiting_;
};

class RecordWriter {
public:
    RecordWriter(Execution const& execution, Output& output)
        : timeline_(execution.timeline),
          rows_(&*execution.timeline->intervals),
          lanes_(lane_first(*rows_, timeline_->catalogue.threads.size())),
          output_(&output),
          places_(execution),
          has_ranks_(execution.ranks.has_value()),
          messages_(*timeline_),
          cpu_(timeline_->catalogue.threads.size()) {
        for (std::size_t thread = 0; thread < cpu_.size(); ++thread)
            threads_.emplace_back(execution, messages_, static_cast<std::uint32_t>(thread), lanes_[thread],
                                  lanes_[thread + 1]);
    }

    void write() {
        write_header();
        std::priority_queue<Record, std::vector<Record>, std::greater<>> next;
        for (auto const& thread : threads_)
            if (!thread.is_empty())
                next.push(thread.front());
        while (!next.empty()) {
            auto const record = next.top();
            next.pop();
            write_record(record);
            auto& thread = threads_[record.thread];
            thread.pop();
            if (!thread.is_empty())
                next.push(thread.front());
        }
    }

private:
    void write_header() {
        output_->add("#Paraver (" + date_of(timeline_->provenance.date) +
                     "):" + std::to_string(timeline_->length.ns) + "_ns:" + places_.nodes() +
                     ":1:" + places_.tasks() + "\n");
    }

    void write_record(Record const& record) {
        switch (record.kind) {
            case Record::Kind::state: return write_state(record.index);
            case Record::Kind::begin:
                return write_waiting(record, number(rows_->object[record.index]),
                                     number(rows_->site[record.index]));
            case Record::Kind::end: return write_waiting(record, 0, 0);
            case Record::Kind::operation: return write_operation(record);
            case Record::Kind::communication: return write_release(record.index);
            case Record::Kind::message: return write_message(timeline_->messages[record.index]);
        }
    }

    void write_state(std::size_t row) {
        auto const thread = rows_->thread[row].index();
        // A rank's CPU is its thread's, also while it waits.
        cpu_[thread] = places_.cpu(has_ranks_ ? CpuId(thread) : rows_->cpu[row]);
        numbers({1, cpu_[thread], 1, places_.task(thread), places_.thread(thread), rows_->begin[row].ns,
                 rows_->end[row].ns, label_of(*timeline_, row).number});
        if (row == lanes_[thread])
            write_creation(thread);
    }

    void write_waiting(Record const& record, std::int64_t object, std::int64_t place) {
        numbers({2, cpu_[record.thread], 1, places_.task(record.thread), places_.thread(record.thread),
                 record.when_ns, object_type, object, place_type, place});
    }

    void write_operation(Record const& record) {
        Mark const& mark = threads_[record.thread].marks[record.index];
        numbers({2, cpu_[record.thread], 1, places_.task(record.thread), places_.thread(record.thread),
                 record.when_ns, operation_type, mark.kind + 1, operation_object_type, number(mark.object),
                 operation_place_type, number(mark.site)});
    }

    void write_release(std::size_t row) {
        write_arrow(rows_->releaser[row], rows_->thread[row], rows_->end[row].ns, row + 1);
    }

    void write_creation(std::size_t thread) {
        auto const parent = timeline_->catalogue.threads[thread].parent;
        if (!parent.is_none() && lanes_[parent.index()] < lanes_[parent.index() + 1])
            write_arrow(parent, ThreadId(thread), rows_->begin[lanes_[thread]].ns, lanes_[thread]);
    }

    // To the beginning of a row.
    void write_arrow(ThreadId from, ThreadId to, std::int64_t when_ns, std::size_t row) {
        numbers({3, cpu_[from.index()], 1, places_.task(from.index()), places_.thread(from.index()), when_ns,
                 when_ns, places_.cpu(rows_->cpu[row]), 1, places_.task(to.index()),
                 places_.thread(to.index()), when_ns, when_ns, 0, 0});
    }

    void write_message(Message const& message) {
        auto const [from, to] = std::pair(message.from.index(), message.to.index());
        numbers({3, places_.cpu(CpuId(from)), 1, places_.task(from), places_.thread(from), message.sent.ns,
                 message.left.ns, places_.cpu(CpuId(to)), 1, places_.task(to), places_.thread(to),
                 message.received.ns, message.arrived.ns, static_cast<std::int64_t>(message.bytes),
                 std::int64_t{message.tag}});
    }

    template <class AnyId>
    static std::int64_t number(AnyId id) {
        return id.is_none() ? 0 : std::int64_t{id.value} + 1;
    }

    void numbers(std::initializer_list<std::int64_t> all) {
        for (auto const* each = all.begin(); each != all.end(); ++each) {
            if (each != all.begin())
                output_->add(":");
            output_->add(*each);
        }
        output_->add("\n");
    }

    Timeline const* timeline_;
    IntervalColumns const* rows_;
    std::vector<std::uint32_t> lanes_;
    Output* output_;
    Places places_;
    bool has_ranks_;
    MessageEnds messages_;
    std::vector<std::int64_t> cpu_;  // by thread: of the row that it is in
    std::vector<ThreadRecords> threads_;
};

void write_type(Output& output, std::initializer_list<std::pair<std::int64_t, char const*>> types) {
    output.add("\nEVENT_TYPE\n");
    for (auto const& [number, name] : types)
        output.add("0    " + std::to_string(number) + "    " + name + "\n");
    output.add("VALUES\n0      none\n");
}

void write_values(Output& output, std::vector<std::string> const& names) {
    for (std::size_t i = 0; i < names.size(); ++i)
        output.add(std::to_string(i + 1) + "      " + ascii(names[i]) + "\n");
}

void write_level(Output& output, char const* level, std::vector<std::string> const& names) {
    output.add("LEVEL " + std::string(level) + " SIZE " + std::to_string(names.size()) + "\n");
    for (auto const& name : names)
        output.add(ascii(name) + "\n");
    output.add("\n");
}

}  // namespace

void write_paraver_records(Execution const& execution, Output& output) {
    RecordWriter(execution, output).write();
}

void write_paraver_labels(Execution const& execution, Output& output) {
    output.add(
        "DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n"
        "LOOK_BACK           100\nSPEED               1\nFLAG_ICONS          ENABLED\n"
        "NUM_OF_STATE_COLORS 1000\nYMAX_SCALE          37\n\n"
        "DEFAULT_SEMANTIC\n\nTHREAD_FUNC          State As Is\n\nSTATES\n0    Idle\n");
    for (std::size_t i = 0; i < thread_state_count; ++i) {
        auto const label = label_of(static_cast<ThreadState>(i));
        output.add(std::to_string(label.number) + "    " + label.name + "\n");
    }
    bool const has_messages = execution.ranks.has_value();
    if (has_messages)
        output.add(std::to_string(waits_for_message.number) + "    " + waits_for_message.name + "\n");
    output.add("\nSTATES_COLOR\n0    {255,255,255}\n");
    for (std::size_t i = 0; i < thread_state_count; ++i) {
        auto const label = label_of(static_cast<ThreadState>(i));
        output.add(std::to_string(label.number) + "    " + label.colour + "\n");
    }
    if (has_messages)
        output.add(std::to_string(waits_for_message.number) + "    " + waits_for_message.colour + "\n");
    auto const names = export_names(execution.timeline->catalogue);
    write_type(output, {{object_type, "Waits for"}, {operation_object_type, "Object of the operation"}});
    write_values(output, names.objects);
    write_type(output, {{place_type, "Waits at"}, {operation_place_type, "Place of the operation"}});
    write_values(output, names.sites);
    if (!execution.marks)
        return;
    write_type(output, {{operation_type, "Operation"}});
    write_values(output, {execution.mark_names.begin(), execution.mark_names.end()});
}

void write_paraver_names(Execution const& execution, Output& output) {
    std::vector<std::string> cpus;
    for (std::uint32_t cpu = 0; cpu < execution.timeline->cpus; ++cpu)
        cpus.push_back("CPU " + std::to_string(cpu));
    write_level(output, "CPU", cpus);
    if (!execution.ranks) {
        write_level(output, "NODE", {"machine"});
    } else {
        Places const places(execution);
        std::vector<std::string> nodes;
        for (std::size_t node = 0; node < places.node_count(); ++node)
            nodes.push_back("node " + std::to_string(node));
        write_level(output, "NODE", nodes);
        std::vector<std::string> ranks;
        for (std::size_t rank = 0; rank < places.task_count(); ++rank)
            ranks.push_back("rank " + std::to_string(rank));
        write_level(output, "TASK", ranks);
    }
    write_level(output, "THREAD", export_names(execution.timeline->catalogue).threads);
}

}  // namespace parcast::trace
