#include "trace/exports/writers.h"

#include <array>
#include <string_view>

#include <protozero/pbf_writer.hpp>

#include "trace/exports/perfetto_fields.h"
#include "trace/exports/track_walk.h"

namespace parcast::trace {

namespace {

using protozero::pbf_writer;

// Ours is the only process of the trace; its threads are numbered from the process on, as in Linux.
constexpr std::int32_t process_id = 1;

namespace track_id {
constexpr std::uint64_t process = 1;
constexpr std::uint64_t cpus = 2;
constexpr std::uint64_t critical_path = 3;
constexpr std::uint64_t running = 4;
constexpr std::uint64_t ready = 5;
constexpr std::uint64_t waiting = 6;
constexpr std::uint64_t first_thread = std::uint64_t{1} << 32;
constexpr std::uint64_t first_cpu = std::uint64_t{1} << 33;
}  // namespace track_id

std::uint64_t id_of(Track track) {
    switch (track.kind) {
        case Track::Kind::thread: return track_id::first_thread + track.index;
        case Track::Kind::cpu: return track_id::first_cpu + track.index;
        case Track::Kind::critical_path: return track_id::critical_path;
    }
    return 0;
}

// What slices are annotated with. Interned under their position + 1.
enum class Annotation : std::uint8_t {
    object,
    place,
    released_by,
    releases,
    thread,
    cpu,
    from,
    to,
    bytes,
    tag,
    delay,
    late_ns
};
constexpr std::array<std::string_view, 12> annotation_names{"object", "place", "released by", "releases",
                                                            "thread", "cpu",   "from",        "to",
                                                            "bytes",  "tag",   "delay",       "late_ns"};

// What happens at an instant and is no operation.
constexpr std::array<std::string_view, 3> instant_names{"releases", "sends", "receives"};

// Categories are interned under their position + 1, too.
std::uint64_t category_id(Category category) {
    return static_cast<std::uint64_t>(category) + 1;
}

// Texts that are written where they are first used, and from then on by number.
class Interned {
public:
    explicit Interned(std::size_t size) : is_known_(size) {}
    // Whether it is the first time.
    bool is_new(std::size_t index) {
        bool const known = is_known_[index];
        is_known_[index] = true;
        return !known;
    }

private:
    std::vector<bool> is_known_;
};

class PerfettoSink {
public:
    PerfettoSink(Execution const& execution, ExportNames const& names, SliceNames const& slice_names,
                 Output& output)
        : execution_(&execution),
          names_(&names),
          slice_names_(&slice_names),
          output_(&output),
          known_names_(slice_names.size() + instant_names.size()),
          known_texts_(names.threads.size() + names.objects.size() + names.sites.size() +
                       message_delays.size()) {}

    void write_head();
    void begin(Track track, Instant when, Slice const& slice);
    void end(Track track, Instant when, Slice const& slice);
    void departs(Track track, Instant when, std::uint64_t arrow, ThreadId to);
    void mark(Track track, Instant when, Mark const& mark);
    void message(Track track, Instant when, std::uint32_t number, MessageEnds::End end);
    void parallelism(ParallelismStep const& step);

private:
    void write_tables();
    void write_track(std::uint64_t id, std::uint64_t parent, std::string_view name, std::int32_t rank);
    void write_process();
    void write_thread(ThreadId thread);
    void write_counter(std::uint64_t id, std::string_view name, std::int32_t rank);
    void write_descriptor(std::string const& descriptor);

    pbf_writer start_event(Track track, std::int32_t type);
    void finish_event(Instant when);
    void count(std::uint64_t track, Instant when, std::uint32_t value);
    void write_packet();

    std::uint64_t name_id(std::uint32_t name);
    void intern(perfetto::Field table, std::uint64_t id, std::string_view text);
    void annotate(pbf_writer& event, Annotation what, ThreadId thread);
    void annotate(pbf_writer& event, Annotation what, ObjectId object);
    void annotate(pbf_writer& event, Annotation what, SiteId site);
    void annotate_text(pbf_writer& event, Annotation what, std::size_t text, std::string const& value);
    static void annotate_number(pbf_writer& event, Annotation what, std::uint64_t value);

    // Names of instants, behind those of slices.
    std::uint32_t instant_name(std::size_t instant) const {
        return static_cast<std::uint32_t>(slice_names_->size() + instant);
    }

    Execution const* execution_;
    ExportNames const* names_;
    SliceNames const* slice_names_;
    Output* output_;
    Interned known_names_;
    Interned known_texts_;
    // For the packet being made; members to keep their memory.
    std::string packet_;
    std::string event_;
    std::string interned_;
    std::string frame_;
};

void PerfettoSink::write_packet() {
    frame_.clear();
    pbf_writer(frame_).add_message(perfetto::trace_file::packet, packet_);
    output_->add(frame_);
    packet_.clear();
}

// The first packet of the sequence, with what is small and always needed.
void PerfettoSink::write_tables() {
    for (std::size_t i = 0; i < category_count; ++i)
        intern(perfetto::interned_data::event_categories, i + 1, name_of(static_cast<Category>(i)));
    for (std::size_t i = 0; i < annotation_names.size(); ++i)
        intern(perfetto::interned_data::debug_annotation_names, i + 1, annotation_names[i]);
    pbf_writer packet(packet_);
    packet.add_uint32(perfetto::trace_packet::trusted_packet_sequence_id, 1);
    packet.add_uint32(
        perfetto::trace_packet::sequence_flags,
        perfetto::trace_packet::incremental_state_cleared | perfetto::trace_packet::needs_incremental_state);
    packet.add_message(perfetto::trace_packet::interned_data, interned_);
    interned_.clear();
    write_packet();
}

void PerfettoSink::write_descriptor(std::string const& descriptor) {
    pbf_writer packet(packet_);
    packet.add_uint32(perfetto::trace_packet::trusted_packet_sequence_id, 1);
    packet.add_message(perfetto::trace_packet::track_descriptor, descriptor);
    write_packet();
}

void PerfettoSink::write_process() {
    std::string descriptor;
    pbf_writer track(descriptor);
    track.add_uint64(perfetto::track_descriptor::uuid, track_id::process);
    std::string process;
    pbf_writer writer(process);
    writer.add_int32(perfetto::process_descriptor::pid, process_id);
    writer.add_string(perfetto::process_descriptor::process_name, plain_name(execution_->title));
    track.add_message(perfetto::track_descriptor::process, process);
    track.add_int32(perfetto::track_descriptor::child_ordering,
                    perfetto::track_descriptor::explicit_ordering);
    write_descriptor(descriptor);
}

void PerfettoSink::write_thread(ThreadId thread) {
    std::string descriptor;
    pbf_writer track(descriptor);
    track.add_uint64(perfetto::track_descriptor::uuid, track_id::first_thread + thread.value);
    track.add_uint64(perfetto::track_descriptor::parent_uuid, track_id::process);
    std::string process;
    pbf_writer writer(process);
    writer.add_int32(perfetto::thread_descriptor::pid, process_id);
    writer.add_int32(perfetto::thread_descriptor::tid, process_id + static_cast<std::int32_t>(thread.value));
    writer.add_string(perfetto::thread_descriptor::thread_name, names_->threads[thread.index()]);
    track.add_message(perfetto::track_descriptor::thread, process);
    write_descriptor(descriptor);
}

void PerfettoSink::write_track(std::uint64_t id, std::uint64_t parent, std::string_view name,
                               std::int32_t rank) {
    std::string descriptor;
    pbf_writer track(descriptor);
    track.add_uint64(perfetto::track_descriptor::uuid, id);
    track.add_string(perfetto::track_descriptor::name, name.data(), name.size());
    track.add_uint64(perfetto::track_descriptor::parent_uuid, parent);
    track.add_int32(perfetto::track_descriptor::child_ordering,
                    perfetto::track_descriptor::explicit_ordering);
    track.add_int32(perfetto::track_descriptor::sibling_order_rank, rank);
    write_descriptor(descriptor);
}

void PerfettoSink::write_counter(std::uint64_t id, std::string_view name, std::int32_t rank) {
    std::string descriptor;
    pbf_writer track(descriptor);
    track.add_uint64(perfetto::track_descriptor::uuid, id);
    track.add_string(perfetto::track_descriptor::name, name.data(), name.size());
    track.add_uint64(perfetto::track_descriptor::parent_uuid, track_id::process);
    track.add_int32(perfetto::track_descriptor::sibling_order_rank, rank);
    std::string counter;
    pbf_writer(counter).add_int32(perfetto::counter_descriptor::unit, perfetto::counter_descriptor::count);
    track.add_message(perfetto::track_descriptor::counter, counter);
    write_descriptor(descriptor);
}

// Tracks are told in the order in which they are to be seen.
void PerfettoSink::write_head() {
    auto const& timeline = *execution_->timeline;
    write_tables();
    write_process();
    write_counter(track_id::running, "running threads", 0);
    write_counter(track_id::ready, "threads ready without a CPU", 1);
    write_counter(track_id::waiting, "threads waiting", 2);
    if (!timeline.critical_path.empty())
        write_track(track_id::critical_path, track_id::process, "critical path", 3);
    auto const& cpus = timeline.intervals->cpu;
    if (std::any_of(cpus.begin(), cpus.end(), [](CpuId cpu) { return !cpu.is_none(); })) {
        write_track(track_id::cpus, track_id::process, "CPUs", 4);
        for (std::uint32_t cpu = 0; cpu < timeline.cpus; ++cpu)
            write_track(track_id::first_cpu + cpu, track_id::cpus, "CPU " + std::to_string(cpu),
                        static_cast<std::int32_t>(cpu));
    }
    for (std::size_t thread = 0; thread < names_->threads.size(); ++thread)
        write_thread(ThreadId(thread));
}

pbf_writer PerfettoSink::start_event(Track track, std::int32_t type) {
    event_.clear();
    pbf_writer event(event_);
    event.add_int32(perfetto::track_event::type, type);
    event.add_uint64(perfetto::track_event::track_uuid, id_of(track));
    return event;
}

void PerfettoSink::finish_event(Instant when) {
    pbf_writer packet(packet_);
    packet.add_uint64(perfetto::trace_packet::timestamp, static_cast<std::uint64_t>(when.ns));
    packet.add_uint32(perfetto::trace_packet::trusted_packet_sequence_id, 1);
    packet.add_uint32(perfetto::trace_packet::sequence_flags,
                      perfetto::trace_packet::needs_incremental_state);
    if (!interned_.empty())
        packet.add_message(perfetto::trace_packet::interned_data, interned_);
    interned_.clear();
    packet.add_message(perfetto::trace_packet::track_event, event_);
    write_packet();
}

void PerfettoSink::intern(perfetto::Field table, std::uint64_t id, std::string_view text) {
    pbf_writer tables(interned_);
    pbf_writer entry(tables, table);
    entry.add_uint64(perfetto::interned_data::iid, id);
    entry.add_string(perfetto::interned_data::text, text.data(), text.size());
}

std::uint64_t PerfettoSink::name_id(std::uint32_t name) {
    if (known_names_.is_new(name))
        intern(perfetto::interned_data::event_names, name + 1,
               name >= instant_name(0) ? std::string(instant_names[name - instant_name(0)])
                                       : slice_names_->text(name));
    return name + 1;
}

void PerfettoSink::annotate_text(pbf_writer& event, Annotation what, std::size_t text,
                                 std::string const& value) {
    if (known_texts_.is_new(text))
        intern(perfetto::interned_data::debug_annotation_string_values, text + 1, value);
    pbf_writer annotation(event, perfetto::track_event::debug_annotations);
    annotation.add_uint64(perfetto::debug_annotation::name_iid, static_cast<std::uint64_t>(what) + 1);
    annotation.add_uint64(perfetto::debug_annotation::string_value_iid, text + 1);
}

void PerfettoSink::annotate_number(pbf_writer& event, Annotation what, std::uint64_t value) {
    pbf_writer annotation(event, perfetto::track_event::debug_annotations);
    annotation.add_uint64(perfetto::debug_annotation::name_iid, static_cast<std::uint64_t>(what) + 1);
    annotation.add_uint64(perfetto::debug_annotation::uint_value, value);
}

void PerfettoSink::annotate(pbf_writer& event, Annotation what, ThreadId thread) {
    if (!thread.is_none())
        annotate_text(event, what, thread.index(), names_->threads[thread.index()]);
}

void PerfettoSink::annotate(pbf_writer& event, Annotation what, ObjectId object) {
    if (!object.is_none())
        annotate_text(event, what, names_->threads.size() + object.index(), names_->objects[object.index()]);
}

void PerfettoSink::annotate(pbf_writer& event, Annotation what, SiteId site) {
    if (!site.is_none())
        annotate_text(event, what, names_->threads.size() + names_->objects.size() + site.index(),
                      names_->sites[site.index()]);
}

void PerfettoSink::begin(Track track, Instant when, Slice const& slice) {
    auto event = start_event(track, perfetto::track_event::slice_begin);
    event.add_uint64(perfetto::track_event::category_iids, category_id(slice.category));
    event.add_uint64(perfetto::track_event::name_iid, name_id(slice.name));
    annotate(event, Annotation::object, slice.object);
    annotate(event, Annotation::place, slice.site);
    annotate(event, Annotation::released_by, slice.releaser);
    if (!slice.cpu.is_none())
        annotate_number(event, Annotation::cpu, slice.cpu.value);
    if (slice.arriving)
        event.add_fixed64(perfetto::track_event::terminating_flow_ids, *slice.arriving);
    finish_event(when);
}

void PerfettoSink::end(Track track, Instant when, Slice const&) {
    start_event(track, perfetto::track_event::slice_end);
    finish_event(when);
}

void PerfettoSink::departs(Track track, Instant when, std::uint64_t arrow, ThreadId to) {
    auto event = start_event(track, perfetto::track_event::instant);
    event.add_uint64(perfetto::track_event::category_iids, category_id(Category::release));
    event.add_uint64(perfetto::track_event::name_iid, name_id(instant_name(0)));
    annotate(event, Annotation::releases, to);
    event.add_fixed64(perfetto::track_event::flow_ids, arrow);
    finish_event(when);
}

void PerfettoSink::mark(Track track, Instant when, Mark const& mark) {
    auto event = start_event(track, perfetto::track_event::instant);
    event.add_uint64(perfetto::track_event::category_iids, category_id(Category::operation));
    event.add_uint64(perfetto::track_event::name_iid, name_id(slice_names_->of_mark(mark.kind)));
    annotate(event, Annotation::object, mark.object);
    annotate(event, Annotation::thread, mark.other);
    annotate(event, Annotation::place, mark.site);
    finish_event(when);
}

// The flow of a message has its number + 1: there are no other flows beside messages.
void PerfettoSink::message(Track track, Instant when, std::uint32_t number, MessageEnds::End end) {
    auto const& message = execution_->timeline->messages[number];
    bool const is_sent = end == MessageEnds::End::sent;
    auto event = start_event(track, perfetto::track_event::instant);
    event.add_uint64(perfetto::track_event::category_iids, category_id(Category::message));
    event.add_uint64(perfetto::track_event::name_iid, name_id(instant_name(is_sent ? 1 : 2)));
    annotate(event, is_sent ? Annotation::to : Annotation::from, is_sent ? message.to : message.from);
    annotate_number(event, Annotation::bytes, message.bytes);
    annotate_number(event, Annotation::tag, message.tag);
    annotate_text(event, Annotation::delay,
                  names_->threads.size() + names_->objects.size() + names_->sites.size() +
                      static_cast<std::size_t>(message.delay),
                  std::string(row_of(message.delay).name));
    annotate_number(event, Annotation::late_ns, static_cast<std::uint64_t>(message.late.ns));
    event.add_fixed64(is_sent ? perfetto::track_event::flow_ids : perfetto::track_event::terminating_flow_ids,
                      std::uint64_t{number} + 1);
    finish_event(when);
}

void PerfettoSink::count(std::uint64_t track, Instant when, std::uint32_t value) {
    event_.clear();
    pbf_writer event(event_);
    event.add_int32(perfetto::track_event::type, perfetto::track_event::counter);
    event.add_uint64(perfetto::track_event::track_uuid, track);
    event.add_int64(perfetto::track_event::counter_value, value);
    finish_event(when);
}

void PerfettoSink::parallelism(ParallelismStep const& step) {
    count(track_id::running, step.begin, step.running);
    count(track_id::ready, step.begin, step.ready);
    count(track_id::waiting, step.begin, step.waiting);
}

}  // namespace

void write_perfetto(Execution const& execution, Output& output) {
    auto const names = export_names(execution.timeline->catalogue);
    SliceNames const slice_names(names, execution.mark_names);
    PerfettoSink sink(execution, names, slice_names, output);
    sink.write_head();
    TrackWalk(execution, slice_names, sink).walk();
}

}  // namespace parcast::trace
