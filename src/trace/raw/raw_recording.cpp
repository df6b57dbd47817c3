#include "trace/raw/raw_recording.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "timeline/event_check.h"
#include "trace/raw/raw_layout.h"
#include "trace/raw/stream_reader.h"
#include "trace/recording_file.h"

namespace parcast::trace {

namespace {

std::string iso_date(std::uint64_t since_epoch_ns) {
    auto const seconds = static_cast<std::time_t>(since_epoch_ns / 1'000'000'000);
    std::tm calendar{};
    char text[32] = {};
    gmtime_r(&seconds, &calendar);
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &calendar);
    return text;
}

std::vector<std::string> split_texts(std::string_view text) {
    std::vector<std::string> arguments;
    while (!text.empty()) {
        std::size_t const end = std::min(text.find('\0'), text.size());
        arguments.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return arguments;
}

// "NAME=VALUE"; what is none is left out.
std::vector<Setting> split_settings(std::string_view text) {
    std::vector<Setting> settings;
    for (auto const& each : split_texts(text))
        if (auto const equals = each.find('='); equals != std::string::npos)
            settings.push_back({each.substr(0, equals), each.substr(equals + 1)});
    return settings;
}

// "BASE SIZE PATH" a line; a line that is cut off or does not scan is left out.
std::vector<Module> split_modules(std::string_view text) {
    std::vector<Module> modules;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        std::string_view const line = text.substr(0, end);
        text.remove_prefix(end + 1);
        Module module;
        auto const base = std::from_chars(line.data(), line.data() + line.size(), module.load_bias, 16);
        std::size_t const size_at = line.find(' ');
        std::size_t const path_at = size_at == line.npos ? line.npos : line.find(' ', size_at + 1);
        if (base.ec != std::errc() || path_at == line.npos || path_at + 1 == line.size())
            continue;
        module.path = line.substr(path_at + 1);
        if (std::find(modules.begin(), modules.end(), module) == modules.end())
            modules.push_back(std::move(module));
    }
    return modules;
}

Result<Provenance> provenance_of(RawLayout const& layout) {
    wire::Header const& header = layout.header;
    auto const is_price = [](double ns) { return std::isfinite(ns) && ns >= 0; };
    if (!is_price(header.event_cost_ns) || !is_price(header.clock_read_ns) ||
        !is_price(header.definition_cost_ns) || !is_price(header.call_inside_ns) ||
        !is_price(header.call_outside_ns) || !is_price(header.deeper_call_ns) ||
        !is_price(header.stack_time_ns) || !is_price(header.unmeasured_cost_ns) ||
        static_cast<std::uint32_t>(header.clock) > static_cast<std::uint32_t>(wire::Clock::thread_clock)) {
        return fail(ErrorCode::malformed, "the header of the recording holds impossible values");
    }
    Provenance provenance;
    provenance.command = split_texts(layout.command);
    provenance.working_directory = layout.working_directory;
    provenance.date = iso_date(header.realtime_ns);
    provenance.process = header.process;
    provenance.parent_process = header.parent_process;
    provenance.recorded_cpu = header.recorded_cpu;
    if (header.pretended_cpus != 0)
        provenance.pretended_cpus = header.pretended_cpus;
    provenance.clock = static_cast<ClockMethod>(header.clock);
    provenance.event_cost_ns = header.event_cost_ns;  // but for what events share
    provenance.unmeasured_cost_ns = header.unmeasured_cost_ns;
    provenance.clock_read_ns = header.clock_read_ns;
    if (header.has_call_costs)
        provenance.call_probes = CallProbes{header.call_depth, header.call_inside_ns, header.call_outside_ns,
                                            header.deeper_call_ns, header.stack_time_ns};
    provenance.lost_events =
        static_cast<std::int64_t>(std::min<std::uint64_t>(header.lost_events, longest_ns));
    provenance.ended_regularly = header.ending != wire::Ending::none;
    if (header.ending == wire::Ending::exit || header.ending == wire::Ending::immediate_exit)
        provenance.exit_status = static_cast<int>(header.exit_status & 0xff);
    if (header.ending == wire::Ending::exec && !layout.exec_target.empty())
        provenance.replaced_by = layout.exec_target;
    provenance.modules = split_modules(layout.modules);
    provenance.settings = split_settings(layout.settings);
    return provenance;
}

// How long the process ran is not known here: as long as it was recorded, at least.
std::optional<Cut> cut_of(wire::Ending ending, std::int64_t recorded_ns) {
    switch (ending) {
        case wire::Ending::size_limit: return Cut{CutReason::size_limit, recorded_ns};
        case wire::Ending::no_space: return Cut{CutReason::no_space, recorded_ns};
        case wire::Ending::sandbox: return Cut{CutReason::sandbox, recorded_ns};
        case wire::Ending::ticks_forbidden: return Cut{CutReason::ticks_forbidden, recorded_ns};
        case wire::Ending::shared_thread: return Cut{CutReason::shared_thread, recorded_ns};
        case wire::Ending::clock_failed: return Cut{CutReason::clock_failed, recorded_ns};
        default: return std::nullopt;
    }
}

// By the process's clock if it could be read at the end, else what its threads' events account for.
std::int64_t process_cpu_ns(wire::Header const& header, std::int64_t accounted_ns) {
    if (header.process_cpu_end_ns >= header.process_cpu_begin_ns && header.process_cpu_end_ns != 0) {
        return static_cast<std::int64_t>(
            std::min<std::uint64_t>(header.process_cpu_end_ns - header.process_cpu_begin_ns, longest_ns));
    }
    return accounted_ns;
}

// Per measured event, ns, what was paid now and then for many: memory for the words, looking up run delays,
// and defining objects and sites.
double shared_cost_ns(wire::Header const& header, RawThreads const& raw) {
    std::int64_t events = -raw.remarks.unmeasured;
    for (RawThread const& thread : raw.threads)
        events += thread.events;
    double const all_ns = static_cast<double>(header.shared_cost_ns) +
                          header.definition_cost_ns * static_cast<double>(raw.remarks.definitions);
    return events <= 0 ? 0 : all_ns / static_cast<double>(events);
}

Instant last_instant(RawThreads const& raw) {
    Instant last;
    for (RawThread const& thread : raw.threads)
        last = std::max(last, Instant{thread.last.wall_ns + thread.last.span_ns});
    return last;
}

// Reads threads in the order of their numbers. Threads have taken turns in streams, nearly always in that
// order, too; a stream is copied where one is passed over.
class ThreadsInOrder {
public:
    ThreadsInOrder(FileBytes& file, RawLayout& layout, StreamSetting const& setting, RawThreads& raw)
        : file_(file), raw_(raw) {
        for (auto& chunks : layout.streams)
            readers_.push_back({&chunks, nullptr, 0});
        for (std::size_t stream = 0; stream < raw.streams.size(); ++stream)
            for (std::uint32_t const number : raw.streams[stream])
                stream_of_.emplace(number, stream);
        setting_ = &setting;
    }

    Result<void> read(RawThread const& thread, StreamReader::Sink const& take) {
        std::size_t const stream = stream_of_.at(thread.number);
        if (auto passed = passed_over_.extract(thread.number))
            return read_with(*passed.mapped(), thread, take);
        Reader& at = readers_[stream];
        if (!at.reader)
            at.reader = std::make_unique<StreamReader>(*setting_, *at.chunks, raw_.numbers, remarks_);
        auto const& numbers = raw_.streams[stream];
        for (; numbers[at.threads_read] != thread.number; ++at.threads_read) {
            passed_over_.emplace(numbers[at.threads_read], std::make_unique<StreamReader>(*at.reader));
            auto skipped = at.reader->read_thread(
                file_, 0, [](RawThread&, std::span<Event>, std::span<WorkShare const>) {});
            if (!skipped)
                return pass_on(skipped);
        }
        auto const result = read_with(*at.reader, thread, take);
        if (++at.threads_read == numbers.size())
            at.reader.reset();
        return result;
    }

private:
    struct Reader {
        std::vector<RawChunk>* chunks;
        std::unique_ptr<StreamReader> reader;
        std::size_t threads_read;
    };

    Result<void> read_with(StreamReader& reader, RawThread const& thread, StreamReader::Sink const& take) {
        auto read = reader.read_thread(file_, thread.debt_ns, take);
        if (!read)
            return pass_on(read);
        return {};
    }

    FileBytes& file_;
    RawThreads& raw_;
    StreamSetting const* setting_;
    RawRemarks remarks_;  // known from the first reading
    std::vector<Reader> readers_;
    std::unordered_map<std::uint32_t, std::size_t> stream_of_;
    std::unordered_map<std::uint32_t, std::unique_ptr<StreamReader>> passed_over_;  // each before its thread
};

}  // namespace

Result<RawRecording> RawRecording::open(FileBytes& file, std::optional<wire::ClockPair> end) {
    auto layout = read_layout(file);
    if (!layout)
        return pass_on(layout);
    wire::Header& header = layout->header;
    if (header.end.ticks == 0 && end)
        header.end = *end;
    auto const scale = TickScale::between(header.begin, header.end);
    auto provenance = provenance_of(*layout);
    if (!scale || !provenance)
        return tl::unexpected(scale ? provenance.error() : scale.error());
    auto const end_ns = scale->nanoseconds(header.end.ticks);
    if (!end_ns)
        return fail(ErrorCode::malformed, "the recording claims to have lasted for years");
    auto raw = survey_threads(file, *layout, *scale, *end_ns);
    if (!raw)
        return pass_on(raw);
    RawRecording result(std::move(*layout), *scale, *end_ns, std::move(*raw));
    result.recorded_.provenance = std::move(*provenance);
    result.complete_provenance();
    return result;
}

RawRecording::RawRecording(RawLayout&& layout, TickScale scale, std::int64_t end_ns, RawThreads&& raw)
    : layout_(std::move(layout)),
      scale_(scale),
      end_ns_(end_ns),
      raw_(std::move(raw)),
      names_(raw_),
      added_cpu_ns_(raw_.threads.size()) {
    recorded_.catalogue = std::move(names_.catalogue());
    recorded_.length = std::max(Instant{end_ns}, last_instant(raw_)) - Instant{};
}

void RawRecording::complete_provenance() {
    Provenance& provenance = recorded_.provenance;
    provenance.wall_ns = end_ns_;
    provenance.cut = cut_of(layout_.header.ending, end_ns_);
    provenance.lost_events += raw_.remarks.strays;
    provenance.unmeasured_events = raw_.remarks.unmeasured;
    provenance.cpu_ns = process_cpu_ns(layout_.header, cpu_ns());
    provenance.event_cost_ns += shared_cost_ns(layout_.header, raw_);
}

std::int64_t RawRecording::cpu_ns() const {
    std::int64_t sum = 0;
    for (RawThread const& thread : raw_.threads)
        sum = sum_up_to_all(sum, thread.cpu_ns);
    return sum;
}

void RawRecording::add_cpu_time(ThreadId thread, std::int64_t ns) {
    raw_.threads[thread.index()].cpu_ns += ns;
    added_cpu_ns_[thread.index()] += ns;
}

Result<void> RawRecording::hand_over(FileBytes& file, Timeline const& recorded, RecordingSink const& take) {
    StreamSetting const setting(layout_, scale_, end_ns_);
    ThreadsInOrder threads(file, layout_, setting, raw_);
    EventCheck check(recorded.catalogue, recorded.length);
    for (std::uint32_t i = 0; i < raw_.threads.size() && check.is_sound(); ++i) {
        RawThread const& thread = raw_.threads[i];
        std::int64_t left = thread.events;
        auto const pass = [&](RawThread&, std::span<Event> events, std::span<WorkShare const> shares) {
            for (Event& event : events)
                names_.resolve(raw_, i, event);
            left -= std::ssize(events);
            if (left == 0)
                events.back().cpu_ns += added_cpu_ns_[i];
            check.add(ThreadId(i), events);
            if (check.is_sound())
                take.events(ThreadId(i), events);
            if (check.is_sound() && take.shares && !shares.empty())
                take.shares(ThreadId(i), shares);
        };
        if (i == 0 && !raw_.has_initial) {
            auto events = events_of_made_up_thread(end_ns_);
            RawThread made_up;
            pass(made_up, events, {});
        } else if (auto read = threads.read(thread, pass); !read) {
            return pass_on(read);
        }
    }
    return check.finish();
}

Result<Timeline> read_raw_recording(std::span<std::byte const> bytes) {
    FileBytes file(bytes);
    auto recording = RawRecording::open(file);
    if (!recording)
        return pass_on(recording);
    Timeline recorded = std::move(recording->recorded());
    auto const read = recording->hand_over(file, recorded, keep_recording(recorded));
    if (!read)
        return pass_on(read);
    return recorded;
}

}  // namespace parcast::trace
