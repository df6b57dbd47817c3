#include "view/execution.h"

#include <array>
#include <variant>

#include "analysis/limits.h"
#include "view/lanes.h"
#include "view/operation_events.h"
#include "view/parallelism.h"

namespace parcast::view {

namespace {

double real(Duration duration) {
    return static_cast<double>(duration.ns);
}
double real(Instant instant) {
    return static_cast<double>(instant.ns);
}
double real(std::int64_t count) {
    return static_cast<double>(count);
}
double real(bool is_so) {
    return is_so ? 1 : 0;
}

struct Contents {
    bool lanes = false;
    bool events = false;
};

Contents contents_of(Run const& run) {
    auto const& timeline = run.timeline;
    return {.lanes = timeline && timeline->intervals && timeline->intervals->size() <= most_intervals,
            .events = timeline && !timeline->arrivals.empty()};
}

void add_totals(SectionWriter& writer, Run const& run, Machine const& machine, simulate::Pairing pairing,
                Contents contents) {
    auto const& accounts = run.accounts;
    auto const& idle = accounts.idle;
    bool const is_recorded = run.timeline && run.timeline->origin == Origin::recorded;
    std::vector<double> const totals = {
        static_cast<double>(accounts.cpus),
        real(accounts.completion),
        real(accounts.busy),
        real(accounts.slowed),
        real(accounts.spinning),
        real(accounts.overhead),
        real(idle.ready),
        real(idle.locks),
        real(idle.conditions),
        real(idle.input_output),
        real(idle.sleeping),
        real(idle.joining),
        real(idle.no_thread),
        real(accounts.path_busy),
        real(accounts.operations),
        real(accounts.context_switches),
        real(accounts.migrations),
        real(run.deadlock.has_value()),
        run.deadlock ? real(run.deadlock->when) : 0,
        static_cast<double>(number_of(machine.scheduler)),
        real(pairing == simulate::Pairing::recorded),
        real(!contents.events),
        real(!is_recorded),
        real(!contents.lanes),
    };
    writer.add("totals", totals);
}

void add_threads(SectionWriter& writer, std::vector<ThreadAccount> const& threads) {
    auto const created = writer.add<double>("thread.created", threads.size());
    for (std::size_t thread = 0; thread < threads.size(); ++thread)
        created[thread] = real(threads[thread].created);
    auto const ended = writer.add<double>("thread.ended", threads.size());
    for (std::size_t thread = 0; thread < threads.size(); ++thread)
        ended[thread] = real(threads[thread].ended);
    auto const state = writer.add<double>("thread.state", threads.size() * thread_state_count);
    for (std::size_t thread = 0; thread < threads.size(); ++thread)
        for (std::size_t in = 0; in < thread_state_count; ++in)
            state[thread * thread_state_count + in] = real(threads[thread].in_state[in]);
}

template <class Attribute>
void add_object_column(SectionWriter& writer, char const* name, std::vector<ObjectAccount> const& objects,
                       Attribute const& attribute) {
    auto const column = writer.add<double>(name, objects.size());
    for (std::size_t object = 0; object < objects.size(); ++object)
        column[object] = real(attribute(objects[object]));
}

void add_objects(SectionWriter& writer, std::vector<ObjectAccount> const& objects) {
    using Account = ObjectAccount;
    add_object_column(writer, "object.operations", objects, [](Account const& a) { return a.operations; });
    add_object_column(writer, "object.blocked", objects,
                      [](Account const& a) { return a.blocked_operations; });
    add_object_column(writer, "object.waiting", objects, [](Account const& a) { return a.waiting; });
    add_object_column(writer, "object.idle", objects, [](Account const& a) { return a.idle_processors; });
    add_object_column(writer, "object.spinning", objects, [](Account const& a) { return a.spinning; });
}

void add_limits(SectionWriter& writer, Accounts const& accounts, Catalogue const& catalogue) {
    std::vector<std::uint8_t> cause;
    std::vector<std::uint32_t> object;
    std::vector<double> time;
    for (auto const& limit : analysis::limits(accounts, catalogue)) {
        cause.push_back(static_cast<std::uint8_t>(limit.cause));
        object.push_back(limit.object.value);
        time.push_back(real(limit.processor_time));
    }
    writer.add("limit.cause", cause);
    writer.add("limit.object", object);
    writer.add("limit.time", time);
}

void add_critical_path(SectionWriter& writer, std::vector<PathSegment> const& path) {
    auto const thread = writer.add<std::uint32_t>("path.thread", path.size());
    for (std::size_t i = 0; i < path.size(); ++i)
        thread[i] = path[i].thread.value;
    auto const begin = writer.add<double>("path.begin", path.size());
    for (std::size_t i = 0; i < path.size(); ++i)
        begin[i] = real(path[i].begin);
    auto const end = writer.add<double>("path.end", path.size());
    for (std::size_t i = 0; i < path.size(); ++i)
        end[i] = real(path[i].end);
}

void add_deadlock(SectionWriter& writer, Deadlock const& deadlock) {
    std::vector<std::uint32_t> thread, object, awaited, holder, site;
    for (auto const& stuck : deadlock.threads) {
        thread.push_back(stuck.thread.value);
        object.push_back(stuck.object.value);
        awaited.push_back(stuck.awaited_thread.value);
        holder.push_back(stuck.holder.value);
        site.push_back(stuck.site.value);
    }
    writer.add("stuck.thread", thread);
    writer.add("stuck.object", object);
    writer.add("stuck.awaited", awaited);
    writer.add("stuck.holder", holder);
    writer.add("stuck.site", site);
}

// Columns of 24 bytes an interval, 17 an event and 4 more by object, a third of 6 for nodes, 16 for steps.
std::size_t expected_bytes(Run const& run, Contents contents) {
    constexpr std::size_t of_interval = 24 + 4 + 2 + 16 + 8;
    constexpr std::size_t of_event = 21;
    auto const& accounts = run.accounts;
    auto bytes = (accounts.threads.size() * 16 + accounts.objects.size() * 6) * sizeof(double);
    if (contents.lanes)
        bytes += run.timeline->intervals->size() * of_interval;
    if (contents.events)
        bytes += static_cast<std::size_t>(accounts.operations) * of_event;
    return bytes;
}

}  // namespace

simulate::ReplayOptions options_for_view(ThreadProgram const& program, simulate::Pairing pairing) {
    return {
        .with_timeline = true, .with_arrivals = operation_count(program) <= most_events, .pairing = pairing};
}

Bytes execution_bytes(Run const& run, ThreadProgram const& program, Machine const& machine,
                      simulate::Pairing pairing) {
    auto const contents = contents_of(run);
    SectionWriter writer(execution_magic, expected_bytes(run, contents));
    add_totals(writer, run, machine, pairing, contents);
    add_threads(writer, run.accounts.threads);
    add_objects(writer, run.accounts.objects);
    add_limits(writer, run.accounts, program.catalogue);
    add_deadlock(writer, run.deadlock.value_or(Deadlock{}));
    // What is left out is empty, not absent: a reader needs no second way.
    add_critical_path(writer, run.timeline ? run.timeline->critical_path : std::vector<PathSegment>{});
    IntervalColumns const no_rows;
    auto const& rows = contents.lanes ? *run.timeline->intervals : no_rows;
    auto const cpus = run.accounts.cpus;
    add_thread_lanes(writer, rows, run.accounts);
    add_cpu_lanes(writer, rows, cpus);
    add_parallelism(writer,
                    contents.lanes ? parallelism(rows, cpus, run.accounts.completion) : std::vector<Step>{},
                    run.accounts.completion);
    if (contents.events)
        add_events(writer, program, run.timeline->arrivals);
    else
        add_events(writer, program, std::vector<std::vector<Instant>>(run.accounts.threads.size()));
    return writer.finish();
}

}  // namespace parcast::view
