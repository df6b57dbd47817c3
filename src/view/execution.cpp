#include "view/execution.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>

#include "analysis/limits.h"
#include "analysis/scaling.h"
#include "analysis/waits.h"
#include "answer/message_sentences.h"
#include "timeline/run_of_messages.h"
#include "view/columns.h"
#include "view/lane_groups.h"
#include "view/parallelism.h"
#include "view/totals.h"

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

Contents contents_of(Run const& run) {
    auto const& timeline = run.timeline;
    return {.lanes = timeline && timeline->intervals && timeline->intervals->size() <= most_intervals,
            .events = timeline && !timeline->arrivals.empty() && run.accounts.operations <= most_events};
}

void add_totals(SectionWriter& writer, std::vector<Total> const& totals) {
    auto const column = writer.add<double>("totals", totals.size());
    for (std::size_t i = 0; i < totals.size(); ++i)
        column[i] = totals[i].value;
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

void add_limits(SectionWriter& writer, std::vector<Limit> const& limits) {
    std::vector<std::uint8_t> cause;
    std::vector<std::uint32_t> object;
    std::vector<double> time;
    for (auto const& limit : limits) {
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
    auto const flight = writer.add<std::uint8_t>("path.flight", path.size());
    for (std::size_t i = 0; i < path.size(); ++i)
        flight[i] = path[i].is_in_flight ? 1 : 0;
}

template <class Number, class Attribute>
void add_message_column(SectionWriter& writer, char const* name, std::span<Message const> messages,
                        Attribute const& attribute) {
    auto const column = writer.add<Number>(name, messages.size());
    for (std::size_t message = 0; message < messages.size(); ++message)
        column[message] = static_cast<Number>(attribute(messages[message]));
}

void add_messages(SectionWriter& writer, std::span<Message const> messages) {
    using Each = Message const&;
    add_message_column<std::uint32_t>(writer, "message.from", messages, [](Each m) { return m.from.value; });
    add_message_column<std::uint32_t>(writer, "message.to", messages, [](Each m) { return m.to.value; });
    add_message_column<double>(writer, "message.sent", messages, [](Each m) { return m.sent.ns; });
    add_message_column<double>(writer, "message.arrived", messages, [](Each m) { return m.arrived.ns; });
    add_message_column<double>(writer, "message.received", messages, [](Each m) { return m.received.ns; });
    add_message_column<double>(writer, "message.bytes", messages, [](Each m) { return m.bytes; });
    add_message_column<std::uint32_t>(writer, "message.tag", messages, [](Each m) { return m.tag; });
    add_message_column<std::uint8_t>(writer, "message.delay", messages, [](Each m) { return m.delay; });
    add_message_column<double>(writer, "message.late", messages, [](Each m) { return m.late.ns; });
}

void add_deadlock(SectionWriter& writer, Deadlock const& deadlock) {
    auto const thread = writer.add<std::uint32_t>("stuck.thread", deadlock.threads.size());
    for (std::size_t i = 0; i < deadlock.threads.size(); ++i)
        thread[i] = deadlock.threads[i].thread.value;
}

constexpr char const* word_of(PageTable table) {
    constexpr std::array words = {"", "threads", "objects", "parallelism"};
    return words[static_cast<std::size_t>(table)];
}

// A line each: what it is, its table, its text, its command, with tabs between them.
void add_sentences(SectionWriter& writer, RunSentences const& sentences) {
    std::string lines;
    auto const add = [&lines](char const* part, Sentence const& sentence) {
        if (!sentence.text.empty())
            lines += std::string(part) + '\t' + word_of(sentence.table) + '\t' + sentence.text + '\t' +
                     sentence.command + '\n';
    };
    add("limits", sentences.limits);
    add("where", sentences.where);
    add("attempt", sentences.attempt);
    for (auto const& stuck : sentences.stuck)
        add("stuck", stuck);
    auto const column = writer.add<std::uint8_t>("sentences", lines.size());
    std::copy(lines.begin(), lines.end(), column.begin());
}

// Columns of 24 bytes an interval, 17 an event and 4 more by object, a third of 6 for nodes, 16 for steps.
std::size_t expected_bytes(Run const& run, Contents contents) {
    constexpr std::size_t of_interval = 24 + 4 + 2 + 16 + 8;
    constexpr std::size_t of_event = 21;
    constexpr std::size_t of_message = 53;
    auto const& accounts = run.accounts;
    auto bytes = (accounts.threads.size() * 16 + accounts.objects.size() * 6) * sizeof(double);
    if (contents.lanes)
        bytes += run.timeline->intervals->size() * of_interval;
    if (contents.events)
        bytes += static_cast<std::size_t>(accounts.operations) * of_event;
    if (run.timeline)
        bytes += run.timeline->messages.size() * of_message;
    return bytes;
}

// What a run has beside its accounts and its timeline, if a program of threads was replayed.
struct ReplayOrigin {
    ThreadProgram const& program;
    ReplaySettings settings;
};

// What differs from one form of program to another.
struct OfItsForm {
    AlikeLanes alike;
    Catalogue const& catalogue;  // of its objects
    std::optional<ReplayOrigin> replay;
    Meaning meaning;
};

Bytes bytes_of(Run const& run, OfItsForm const& form) {
    auto const& [alike, catalogue, replay, meaning] = form;
    auto const contents = contents_of(run);
    auto const& accounts = run.accounts;
    auto const limits = analysis::limits(accounts, catalogue);
    SectionWriter writer(execution_magic, expected_bytes(run, contents));
    add_totals(writer, totals(run, replay ? replay->settings : ReplaySettings{}, contents));
    add_threads(writer, accounts.threads);
    add_objects(writer, accounts.objects);
    add_limits(writer, limits);
    add_deadlock(writer, run.deadlock.value_or(Deadlock{}));
    // What is left out is empty, not absent: a reader needs no second way.
    auto const path = run.timeline ? run.timeline->critical_path : std::vector<PathSegment>{};
    add_critical_path(writer, path);
    add_messages(writer, run.timeline ? std::span(run.timeline->messages) : std::span<Message const>{});
    IntervalColumns const no_rows;
    auto const& rows = contents.lanes ? *run.timeline->intervals : no_rows;
    add_thread_lanes(writer, rows, accounts);
    add_cpu_lanes(writer, rows, accounts.cpus);
    bool const has_lanes = contents.lanes && alike.size() == accounts.threads.size();
    add_lane_groups(writer, has_lanes ? alike : AlikeLanes(), rows, accounts);
    auto const steps = contents.lanes ? parallelism(rows, accounts.cpus, accounts.completion)
                                      : std::vector<ParallelismStep>{};
    add_parallelism(writer, steps, accounts.completion);
    if (contents.events && replay)
        add_events(writer, replay->program, run.timeline->arrivals);
    else
        add_no_events(writer, accounts.threads.size(), accounts.objects.size());
    if (meaning) {
        RunFacts facts{.cpus = accounts.cpus,
                       .accounts = accounts,
                       .limits = limits,
                       .threads = accounts.threads.size(),
                       .busiest = analysis::busiest_thread(accounts),
                       .speed_up = real(accounts.busy) / real(accounts.completion),
                       .deadlock = run.deadlock ? &*run.deadlock : nullptr};
        if (contents.lanes) {
            facts.concurrency = concurrency(rows, steps, path, accounts.cpus, accounts.completion);
            facts.path = path;
            auto const loss = notable_loss(limits);
            if (loss && loss->main_object)
                facts.main_site = analysis::main_site(rows, loss->main_object->object);
            if (loss && loss->cause == Cause::joining)
                facts.most_awaited = analysis::most_awaited(rows, accounts.threads.size());
        }
        add_sentences(writer, meaning(facts));
    }
    return writer.finish();
}

}  // namespace

simulate::ReplayOptions options_for_view(ThreadProgram const& program, simulate::Pairing pairing) {
    return {
        .with_timeline = true, .with_arrivals = operation_count(program) <= most_events, .pairing = pairing};
}

Meaning meaning_of_replays(Machine const& machine, simulate::Pairing pairing, Circumstances recorded) {
    recorded.model = name_of(pairing);
    recorded.memory_share = machine.rates.memory_share;
    return [recorded](RunFacts const& run) { return run_sentences(run, recorded); };
}

Bytes execution_bytes(Run const& run, ThreadProgram const& program, Machine const& machine,
                      simulate::Pairing pairing, Meaning const& meaning) {
    return bytes_of(run, {alike_threads(program.catalogue), program.catalogue,
                          ReplayOrigin{program, {number_of(machine.scheduler), pairing}}, meaning});
}

Bytes graph_execution_bytes(Run const& run, TaskGraph const& graph, Meaning const& meaning) {
    return bytes_of(run, {alike_tasks(graph), {}, std::nullopt, meaning});
}

Bytes measured_execution_bytes(Run const& run, Catalogue const& catalogue) {
    return bytes_of(run, {alike_threads(catalogue), catalogue, std::nullopt, {}});
}

Bytes message_execution_bytes(Run const& run, MessageTimes const& times,
                              std::span<std::uint32_t const> node_of_rank) {
    auto const lanes = std::max<std::size_t>(1, run.accounts.threads.size());
    auto const ranks = std::max<std::size_t>(1, times.ranks.size());
    return bytes_of(run, {alike_ranks(ranks, lanes / ranks, node_of_rank), catalogue_of_messages(0, 1),
                          std::nullopt, [&](RunFacts const&) { return message_run_sentences(run, times); }});
}

}  // namespace parcast::view
