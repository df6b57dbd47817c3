#include "trace/exports/writers.h"

#include <array>
#include <string_view>

#include "trace/exports/names_and_text.h"
#include "trace/exports/track_walk.h"

namespace parcast::trace {

namespace {

// Numbers of the processes. Threads are numbered from 1, as a process has no thread 0 in Linux.
constexpr std::int64_t program = 1;
constexpr std::int64_t processors = 2;
constexpr std::int64_t path = 3;

std::int64_t process_of(Track track) {
    switch (track.kind) {
        case Track::Kind::thread: return program;
        case Track::Kind::cpu: return processors;
        case Track::Kind::critical_path: return path;
    }
    return 0;
}

// A name as JSON, made when it is first used.
class JsonNames {
public:
    explicit JsonNames(SliceNames const& names) : names_(&names), json_(names.size()) {}

    std::string_view of(std::uint32_t name) {
        if (json_[name].empty())
            json_[name] = json_string(names_->text(name));
        return json_[name];
    }

private:
    SliceNames const* names_;
    std::vector<std::string> json_;
};

class ChromeSink {
public:
    ChromeSink(Execution const& execution, ExportNames const& names, SliceNames const& slice_names,
               Output& output)
        : execution_(&execution),
          names_(&names),
          slice_names_(&slice_names),
          json_(slice_names),
          output_(&output) {
        for (auto const& site : names.sites)
            places_.push_back(json_string(site));
    }

    void write_head();
    void write_tail() { output_->add("\n]}\n"); }

    void begin(Track track, Instant when, Slice const& slice);
    void end(Track track, Instant when, Slice const& slice);
    void departs(Track track, Instant when, std::uint64_t arrow, ThreadId to);
    void mark(Track track, Instant when, Mark const& mark);
    void message(Track track, Instant when, std::uint32_t number, MessageEnds::End end);
    void parallelism(ParallelismStep const& step);

private:
    // An event up to its name, which the caller closes with "}".
    void start(char phase, Track track, Instant when);
    void write_slice(char phase, Track track, Instant when, Slice const& slice);
    void write_flow(char phase, Track track, Instant when, std::uint64_t arrow);
    void describe(std::string_view what, std::int64_t process, std::int64_t thread, std::string_view text);
    void order(std::string_view what, std::int64_t process, std::int64_t thread, std::int64_t index);
    void add_time(Instant when);

    Execution const* execution_;
    ExportNames const* names_;
    SliceNames const* slice_names_;
    JsonNames json_;
    std::vector<std::string> places_;
    Output* output_;
    bool is_first_ = true;
};

void ChromeSink::add_time(Instant when) {
    output_->add(when.ns / 1000);
    auto const rest = when.ns % 1000;
    std::array<char, 4> const decimals{'.', static_cast<char>('0' + rest / 100),
                                       static_cast<char>('0' + rest / 10 % 10),
                                       static_cast<char>('0' + rest % 10)};
    output_->add(std::string_view(decimals.data(), decimals.size()));
}

void ChromeSink::start(char phase, Track track, Instant when) {
    output_->add(is_first_ ? "\n" : ",\n");
    is_first_ = false;
    output_->add("{\"ph\":\"");
    output_->add(std::string_view(&phase, 1));
    output_->add("\",\"pid\":");
    output_->add(process_of(track));
    output_->add(",\"tid\":");
    output_->add(std::int64_t{track.index} + 1);
    output_->add(",\"ts\":");
    add_time(when);
}

// Metadata has no time; speedscope refuses files with events that have none.
void ChromeSink::describe(std::string_view what, std::int64_t process, std::int64_t thread,
                          std::string_view text) {
    output_->add(is_first_ ? "\n" : ",\n");
    is_first_ = false;
    output_->add("{\"ph\":\"M\",\"pid\":" + std::to_string(process) + ",\"tid\":" + std::to_string(thread) +
                 ",\"ts\":0,\"name\":\"" + std::string(what) + "\",\"args\":{\"name\":" + json_string(text) +
                 "}}");
}

void ChromeSink::order(std::string_view what, std::int64_t process, std::int64_t thread, std::int64_t index) {
    output_->add(",\n{\"ph\":\"M\",\"pid\":" + std::to_string(process) +
                 ",\"tid\":" + std::to_string(thread) + ",\"ts\":0,\"name\":\"" + std::string(what) +
                 "\",\"args\":{\"sort_index\":" + std::to_string(index) + "}}");
}

void ChromeSink::write_head() {
    auto const& timeline = *execution_->timeline;
    auto const title = plain_name(execution_->title);
    output_->add("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"title\":" + json_string(title) +
                 "},\"traceEvents\":[");
    describe("process_name", program, 0, title);
    order("process_sort_index", program, 0, 2);
    for (std::size_t thread = 0; thread < names_->threads.size(); ++thread) {
        auto const number = static_cast<std::int64_t>(thread) + 1;
        describe("thread_name", program, number, names_->threads[thread]);
        order("thread_sort_index", program, number, number);
    }
    auto const& cpus = timeline.intervals->cpu;
    if (std::any_of(cpus.begin(), cpus.end(), [](CpuId cpu) { return !cpu.is_none(); })) {
        describe("process_name", processors, 0, "CPUs");
        order("process_sort_index", processors, 0, 1);
        for (std::int64_t cpu = 0; cpu < timeline.cpus; ++cpu)
            describe("thread_name", processors, cpu + 1, "CPU " + std::to_string(cpu));
    }
    if (!timeline.critical_path.empty()) {
        describe("process_name", path, 0, "critical path");
        describe("thread_name", path, 1, "critical path");
        order("process_sort_index", path, 0, 0);
    }
}

void ChromeSink::write_slice(char phase, Track track, Instant when, Slice const& slice) {
    start(phase, track, when);
    output_->add(",\"cat\":\"");
    output_->add(name_of(slice.category));
    output_->add("\",\"name\":");
    output_->add(json_.of(slice.name));
    if (!slice.site.is_none()) {
        output_->add(",\"args\":{\"place\":");
        output_->add(places_[slice.site.index()]);
        output_->add("}");
    }
    output_->add("}");
}

// A flow belongs to the slice around its instant.
void ChromeSink::write_flow(char phase, Track track, Instant when, std::uint64_t arrow) {
    start(phase, track, when);
    output_->add(",\"cat\":\"release\",\"name\":\"release\",\"id\":");
    output_->add(static_cast<std::int64_t>(arrow));
    output_->add(phase == 'f' ? ",\"bp\":\"e\"}" : "}");
}

void ChromeSink::begin(Track track, Instant when, Slice const& slice) {
    write_slice('B', track, when, slice);
    if (slice.arriving)
        write_flow('f', track, when, *slice.arriving);
}

void ChromeSink::end(Track track, Instant when, Slice const& slice) {
    write_slice('E', track, when, slice);
}

void ChromeSink::departs(Track track, Instant when, std::uint64_t arrow, ThreadId) {
    write_flow('s', track, when, arrow);
}

void ChromeSink::mark(Track track, Instant when, Mark const& mark) {
    start('i', track, when);
    output_->add(",\"s\":\"t\",\"cat\":\"operation\",\"name\":");
    output_->add(json_.of(slice_names_->of_mark(mark.kind)));
    output_->add(",\"args\":{");
    std::string_view separator = "";
    auto const argument = [&](std::string_view name, std::string const& json) {
        output_->add(separator);
        output_->add(name);
        output_->add(json);
        separator = ",";
    };
    if (!mark.object.is_none())
        argument("\"object\":", json_string(names_->objects[mark.object.index()]));
    if (!mark.other.is_none())
        argument("\"thread\":", json_string(names_->threads[mark.other.index()]));
    if (!mark.site.is_none())
        argument("\"place\":", places_[mark.site.index()]);
    output_->add("}}");
}

// A flow with the number of the message; its begin has what is known of it.
void ChromeSink::message(Track track, Instant when, std::uint32_t number, MessageEnds::End end) {
    auto const& message = execution_->timeline->messages[number];
    bool const is_sent = end == MessageEnds::End::sent;
    start(is_sent ? 's' : 'f', track, when);
    output_->add(",\"cat\":\"message\",\"name\":\"message\",\"id\":");
    output_->add(std::int64_t{number} + 1);
    if (!is_sent)
        return output_->add(",\"bp\":\"e\"}");
    output_->add(",\"args\":{\"bytes\":");
    output_->add(static_cast<std::int64_t>(message.bytes));
    output_->add(",\"tag\":");
    output_->add(std::int64_t{message.tag});
    output_->add(",\"delay\":\"");
    output_->add(row_of(message.delay).name);
    output_->add("\",\"late_ns\":");
    output_->add(message.late.ns);
    output_->add("}}");
}

void ChromeSink::parallelism(ParallelismStep const& step) {
    start('C', {Track::Kind::thread, 0}, step.begin);
    output_->add(",\"name\":\"threads\",\"args\":{\"running\":");
    output_->add(std::int64_t{step.running});
    output_->add(",\"ready\":");
    output_->add(std::int64_t{step.ready});
    output_->add(",\"waiting\":");
    output_->add(std::int64_t{step.waiting});
    output_->add("}}");
}

}  // namespace

void write_chrome(Execution const& execution, Output& output) {
    auto const names = export_names(execution.timeline->catalogue);
    SliceNames const slice_names(names, execution.mark_names);
    ChromeSink sink(execution, names, slice_names, output);
    sink.write_head();
    TrackWalk(execution, slice_names, sink).walk();
    sink.write_tail();
}

}  // namespace parcast::trace
