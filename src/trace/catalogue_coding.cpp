#include "trace/catalogue_coding.h"

#include <concepts>
#include <limits>
#include <type_traits>

#include "trace/recording_file.h"

namespace parcast::trace {

namespace {

// The fields of each type stand once, in their order in the file: code(part, ...) writes them or reads them.
// Ids are numbers from one up; 0 is none.

template <class Part, class Type>
concept Of = std::same_as<std::remove_const_t<Part>, Type>;

void code_fields(auto& code, Of<Frame> auto& frame) {
    code(frame.function, frame.file, frame.line);
}
void code_fields(auto& code, Of<Site> auto& site) {
    code(site.address, site.module_offset, site.module, site.frames);
    if (code.version >= 8)
        code(site.library_type);
}
void code_fields(auto& code, Of<Object> auto& object) {
    code.word(object.kind, object_kind_count - 1);
    code(object.address, object.name, object.first_site, object.initial_value);
}
void code_fields(auto& code, Of<Thread> auto& thread) {
    code(thread.name, thread.function, thread.start_site, thread.parent, thread.created_at,
         thread.start_words, thread.kernel_id);
}
void code_fields(auto& code, Of<CallStack> auto& stack) {
    code(stack.caller, stack.function);
}
void code_fields(auto& code, Of<Catalogue> auto& catalogue) {
    code(catalogue.sites, catalogue.objects, catalogue.threads);
    if (code.version >= 4)
        code(catalogue.stacks);
}
void code_fields(auto& code, Of<CallProbes> auto& probes) {
    code(probes.depth, probes.inside_ns, probes.outside_ns, probes.deeper_ns, probes.share_ns);
}
void code_fields(auto& code, Of<Sampling> auto& sampling) {
    code(sampling.period_ns, sampling.samples, sampling.lost);
}
void code_fields(auto& code, Of<SystemWork> auto& work) {
    code(work.cpu_ns, work.page_faults);
}
void code_fields(auto& code, Of<Cut> auto& cut) {
    code.word(cut.reason, static_cast<std::size_t>(CutReason::unrecorded_program));
    code(cut.run_ns);
}
void code_fields(auto& code, Of<BusyWait> auto& wait) {
    code(wait.thread, wait.site, wait.at_ns);
    if (code.version >= 6)
        code(wait.cpu_ns);
}
void code_fields(auto& code, Of<Setting> auto& setting) {
    code(setting.name, setting.value);
}
void code_fields(auto& code, Of<Sensed> auto& sensed) {
    code(sensed.value, sensed.low, sensed.high);
}
void code_fields(auto& code, Of<MemorySensing> auto& memory) {
    code(memory.sensitivity, memory.pressure, memory.slowdown, memory.compute_slowdown,
         memory.memory_slowdown, memory.pressing_cpus, memory.runs);
}
void code_fields(auto& code, Of<BareRun> auto& run) {
    code(run.wall_ns, run.user_ns, run.system_ns, run.others);
}
void code_fields(auto& code, Of<MeasuredCpus> auto& measured) {
    code(measured.cpus, measured.runs);
}
void code_fields(auto& code, Of<WakeUpTimes> auto& times) {
    code(times.latency, times.call, times.creation);
}
void code_fields(auto& code, Of<Module> auto& module) {
    code(module.path, module.build_id, module.load_bias);
}
void code_fields(auto& code, Of<Provenance> auto& p) {
    code(p.command, p.working_directory, p.host, p.kernel, p.cpu_model, p.date, p.parcast_version, p.process,
         p.parent_process, p.recorded_cpu, p.pretended_cpus);
    code.word(p.clock, static_cast<std::size_t>(ClockMethod::thread_clock));
    code(p.event_cost_ns, p.clock_read_ns, p.wall_ns, p.cpu_ns, p.rusage_cpu_ns);
    if (code.version >= 3)
        code(p.system_work);
    code(p.exit_status, p.death_signal, p.lost_events, p.ended_regularly, p.replaced_by, p.cut, p.busy_waits,
         p.modules);
    if (code.version >= 4)
        code(p.call_probes, p.sampling);
    if (code.version >= 5)
        code(p.settings);
    if (code.version >= 6)
        code(p.memory, p.event_cost_uncertainty);
    if (code.version >= 7)
        code(p.unmeasured_cost_ns, p.unmeasured_events, p.map_change_note_ns, p.map_fault_note_ns);
    if (code.version >= 8)
        code(p.others_cpu_ns, p.measured);
    if (code.version >= 9)
        code(p.wake_ups);
}

class FieldWriter {
public:
    explicit FieldWriter(ByteWriter& writer) : writer_(writer) {}

    void operator()(auto const&... values) { (put(values), ...); }
    void word(auto value, std::size_t) { writer_.varint(static_cast<std::uint64_t>(value)); }

    static constexpr unsigned version = recording_version;

private:
    void put(std::string const& value) { writer_.text(value); }
    void put(double value) { writer_.real(value); }
    void put(std::unsigned_integral auto value) { writer_.varint(value); }
    void put(std::signed_integral auto value) { writer_.signed_varint(value); }
    template <class Tag>
    void put(Id<Tag> id) {
        writer_.varint(id.value + std::uint32_t{1});
    }
    template <class Value>
    void put(std::optional<Value> const& value) {
        put(value.has_value());
        if (value)
            put(*value);
    }
    template <class Value>
    void put(std::vector<Value> const& values) {
        writer_.varint(values.size());
        for (Value const& value : values)
            put(value);
    }
    template <class Part>
        requires std::is_class_v<Part>
    void put(Part const& part) {
        code_fields(*this, part);
    }

    ByteWriter& writer_;
};

class FieldReader {
public:
    FieldReader(ByteReader& reader, unsigned version_of_file) : version(version_of_file), reader_(reader) {}

    void operator()(auto&... values) { (take(values), ...); }
    template <class Word>
    void word(Word& value, std::size_t last) {
        value = static_cast<Word>(reader_.varint_up_to(last));
    }

    unsigned const version;

private:
    void take(std::string& value) { value = reader_.text(); }
    void take(double& value) { value = reader_.real(); }
    template <std::unsigned_integral Number>
    void take(Number& value) {
        value = static_cast<Number>(reader_.varint_up_to(std::numeric_limits<Number>::max()));
    }
    template <std::signed_integral Number>
    void take(Number& value) {
        std::int64_t const read = reader_.signed_varint();
        bool const fits =
            read >= std::numeric_limits<Number>::min() && read <= std::numeric_limits<Number>::max();
        value = static_cast<Number>(fits ? read : static_cast<std::int64_t>(reader_.fail()));
    }
    template <class Tag>
    void take(Id<Tag>& id) {
        std::uint64_t const number = reader_.varint_up_to(std::numeric_limits<std::uint32_t>::max());
        id = number == 0 ? Id<Tag>::none() : Id<Tag>(static_cast<std::size_t>(number - 1));
    }
    template <class Value>
    void take(std::optional<Value>& value) {
        bool is_there = false;
        take(is_there);
        if (is_there)
            take(value.emplace());
    }
    // No memory is reserved for the count: a list grows as its bytes turn out to be there.
    template <class Value>
    void take(std::vector<Value>& values) {
        for (std::size_t left = reader_.count(); left > 0 && !reader_.has_failed(); --left)
            take(values.emplace_back());
    }
    template <class Part>
        requires std::is_class_v<Part>
    void take(Part& part) {
        code_fields(*this, part);
    }

    ByteReader& reader_;
};

}  // namespace

void write_catalogue(Catalogue const& catalogue, ByteWriter& writer) {
    FieldWriter{writer}(catalogue);
}

Catalogue read_catalogue(ByteReader& reader, unsigned version) {
    Catalogue catalogue;
    FieldReader{reader, version}(catalogue);
    return catalogue;
}

void write_provenance(Provenance const& provenance, ByteWriter& writer) {
    FieldWriter{writer}(provenance);
}

Provenance read_provenance(ByteReader& reader, unsigned version) {
    Provenance provenance;
    FieldReader{reader, version}(provenance);
    return provenance;
}

}  // namespace parcast::trace
