#include "trace/catalogue_coding.h"

#include <limits>

namespace parcast::trace {

namespace {

// Ids as numbers from one up; 0 is none.
template <class Tag>
void write_id(Id<Tag> id, ByteWriter& writer) {
    writer.varint(id.value + std::uint32_t{1});
}

template <class IdType>
IdType read_id(ByteReader& reader) {
    std::uint64_t const number = reader.varint_up_to(std::numeric_limits<std::uint32_t>::max());
    return number == 0 ? IdType::none() : IdType(static_cast<std::size_t>(number - 1));
}

void write_flag(bool value, ByteWriter& writer) {
    writer.varint(value ? 1 : 0);
}
bool read_flag(ByteReader& reader) {
    return reader.varint_up_to(1) != 0;
}

template <class Value, class Write>
void write_optional(std::optional<Value> const& value, ByteWriter& writer, Write write) {
    write_flag(value.has_value(), writer);
    if (value)
        write(*value);
}

template <class Read>
auto read_optional(ByteReader& reader, Read read) -> std::optional<decltype(read())> {
    if (!read_flag(reader))
        return std::nullopt;
    return read();
}

template <class Value, class Write>
void write_list(std::vector<Value> const& values, ByteWriter& writer, Write write) {
    writer.varint(values.size());
    for (Value const& value : values)
        write(value);
}

// No memory is reserved for the count: a list grows as its bytes turn out to be there.
template <class Read>
auto read_list(ByteReader& reader, Read read) -> std::vector<decltype(read())> {
    std::vector<decltype(read())> values;
    for (std::size_t left = reader.count(); left > 0 && !reader.has_failed(); --left)
        values.push_back(read());
    return values;
}

int read_int(ByteReader& reader) {
    std::int64_t const value = reader.signed_varint();
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
        reader.fail();
        return 0;
    }
    return static_cast<int>(value);
}

}  // namespace

void write_catalogue(Catalogue const& catalogue, ByteWriter& writer) {
    write_list(catalogue.sites, writer, [&](Site const& site) {
        writer.varint(site.address);
        writer.varint(site.module_offset);
        writer.text(site.module);
        write_list(site.frames, writer, [&](Frame const& frame) {
            writer.text(frame.function);
            writer.text(frame.file);
            writer.varint(frame.line);
        });
    });
    write_list(catalogue.objects, writer, [&](Object const& object) {
        writer.varint(static_cast<std::uint64_t>(object.kind));
        writer.varint(object.address);
        writer.text(object.name);
        write_id(object.first_site, writer);
        write_optional(object.initial_value, writer,
                       [&](std::int64_t value) { writer.signed_varint(value); });
    });
    write_list(catalogue.threads, writer, [&](Thread const& thread) {
        writer.text(thread.name);
        writer.text(thread.function);
        write_id(thread.start_site, writer);
        write_id(thread.parent, writer);
        write_id(thread.created_at, writer);
        write_list(thread.start_words, writer, [&](std::uint64_t word) { writer.varint(word); });
        writer.varint(thread.kernel_id);
    });
}

Catalogue read_catalogue(ByteReader& reader) {
    Catalogue catalogue;
    catalogue.sites = read_list(reader, [&] {
        Site site;
        site.address = reader.varint();
        site.module_offset = reader.varint();
        site.module = reader.text();
        site.frames = read_list(reader, [&] {
            Frame frame;
            frame.function = reader.text();
            frame.file = reader.text();
            frame.line =
                static_cast<std::uint32_t>(reader.varint_up_to(std::numeric_limits<std::uint32_t>::max()));
            return frame;
        });
        return site;
    });
    catalogue.objects = read_list(reader, [&] {
        Object object;
        object.kind = static_cast<ObjectKind>(reader.varint_up_to(object_kind_count - 1));
        object.address = reader.varint();
        object.name = reader.text();
        object.first_site = read_id<SiteId>(reader);
        object.initial_value = read_optional(reader, [&] { return reader.signed_varint(); });
        return object;
    });
    catalogue.threads = read_list(reader, [&] {
        Thread thread;
        thread.name = reader.text();
        thread.function = reader.text();
        thread.start_site = read_id<SiteId>(reader);
        thread.parent = read_id<ThreadId>(reader);
        thread.created_at = read_id<SiteId>(reader);
        thread.start_words = read_list(reader, [&] { return reader.varint(); });
        thread.kernel_id =
            static_cast<std::uint32_t>(reader.varint_up_to(std::numeric_limits<std::uint32_t>::max()));
        return thread;
    });
    return catalogue;
}

void write_provenance(Provenance const& provenance, ByteWriter& writer) {
    write_list(provenance.command, writer, [&](std::string const& argument) { writer.text(argument); });
    writer.text(provenance.working_directory);
    writer.text(provenance.host);
    writer.text(provenance.kernel);
    writer.text(provenance.cpu_model);
    writer.text(provenance.date);
    writer.text(provenance.parcast_version);
    writer.signed_varint(provenance.process);
    writer.signed_varint(provenance.parent_process);
    writer.signed_varint(provenance.recorded_cpu);
    write_optional(provenance.pretended_cpus, writer, [&](std::int64_t cpus) { writer.signed_varint(cpus); });
    writer.varint(static_cast<std::uint64_t>(provenance.clock));
    writer.real(provenance.event_cost_ns);
    writer.real(provenance.clock_read_ns);
    writer.signed_varint(provenance.wall_ns);
    writer.signed_varint(provenance.cpu_ns);
    write_optional(provenance.rusage_cpu_ns, writer, [&](std::int64_t ns) { writer.signed_varint(ns); });
    write_optional(provenance.system_work, writer, [&](SystemWork const& work) {
        writer.signed_varint(work.cpu_ns);
        writer.signed_varint(work.page_faults);
    });
    write_optional(provenance.exit_status, writer, [&](int status) { writer.signed_varint(status); });
    write_optional(provenance.death_signal, writer, [&](int signal) { writer.signed_varint(signal); });
    writer.signed_varint(provenance.lost_events);
    write_flag(provenance.ended_regularly, writer);
    write_optional(provenance.replaced_by, writer, [&](std::string const& path) { writer.text(path); });
    write_optional(provenance.cut, writer, [&](Cut const& cut) {
        writer.varint(static_cast<std::uint64_t>(cut.reason));
        writer.signed_varint(cut.run_ns);
    });
    write_list(provenance.busy_waits, writer, [&](BusyWait const& wait) {
        write_id(wait.thread, writer);
        write_id(wait.site, writer);
        writer.signed_varint(wait.at_ns);
    });
    write_list(provenance.modules, writer, [&](Module const& module) {
        writer.text(module.path);
        writer.text(module.build_id);
        writer.varint(module.load_bias);
    });
}

Provenance read_provenance(ByteReader& reader, unsigned version) {
    Provenance provenance;
    provenance.command = read_list(reader, [&] { return reader.text(); });
    provenance.working_directory = reader.text();
    provenance.host = reader.text();
    provenance.kernel = reader.text();
    provenance.cpu_model = reader.text();
    provenance.date = reader.text();
    provenance.parcast_version = reader.text();
    provenance.process = reader.signed_varint();
    provenance.parent_process = reader.signed_varint();
    provenance.recorded_cpu = reader.signed_varint();
    provenance.pretended_cpus = read_optional(reader, [&] { return reader.signed_varint(); });
    provenance.clock =
        static_cast<ClockMethod>(reader.varint_up_to(static_cast<std::uint64_t>(ClockMethod::thread_clock)));
    provenance.event_cost_ns = reader.real();
    provenance.clock_read_ns = reader.real();
    provenance.wall_ns = reader.signed_varint();
    provenance.cpu_ns = reader.signed_varint();
    provenance.rusage_cpu_ns = read_optional(reader, [&] { return reader.signed_varint(); });
    if (version >= 3) {
        provenance.system_work = read_optional(reader, [&] {
            std::int64_t const cpu_ns = reader.signed_varint();
            return SystemWork{cpu_ns, reader.signed_varint()};
        });
    }
    provenance.exit_status = read_optional(reader, [&] { return read_int(reader); });
    provenance.death_signal = read_optional(reader, [&] { return read_int(reader); });
    provenance.lost_events = reader.signed_varint();
    provenance.ended_regularly = read_flag(reader);
    provenance.replaced_by = read_optional(reader, [&] { return reader.text(); });
    provenance.cut = read_optional(reader, [&] {
        Cut cut;
        cut.reason =
            static_cast<CutReason>(reader.varint_up_to(static_cast<std::uint64_t>(CutReason::time_limit)));
        cut.run_ns = reader.signed_varint();
        return cut;
    });
    provenance.busy_waits = read_list(reader, [&] {
        BusyWait wait;
        wait.thread = read_id<ThreadId>(reader);
        wait.site = read_id<SiteId>(reader);
        wait.at_ns = reader.signed_varint();
        return wait;
    });
    provenance.modules = read_list(reader, [&] {
        Module module;
        module.path = reader.text();
        module.build_id = reader.text();
        module.load_bias = reader.varint();
        return module;
    });
    return provenance;
}

}  // namespace parcast::trace
