#include "view/program_bytes.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "view/lane_groups.h"
#include "view/machine_numbers.h"

namespace parcast::view {

namespace {

constexpr std::size_t bytes_of_operation = 2 * sizeof(std::int64_t) + 2 * sizeof(std::uint32_t);

template <class Part>
void append_fields(std::vector<std::int64_t>& numbers, Part const& part) {
    for (auto const& field : Part::fields())
        numbers.push_back(field.value(part));
}

void add_machine(SectionWriter& writer, Machine const& machine) {
    auto const own = number_of(machine.scheduler);
    std::vector<std::int64_t> numbers(named_numbers);
    numbers[machine_cpus] = machine.cpus;
    numbers[machine_scheduler] = own;
    numbers[machine_lock_policy] = machine.lock_policy == LockPolicy::hand_off ? 1 : 0;
    for (auto const& row : schedulers)
        std::visit([&](auto const& kind) { append_fields(numbers, kind); },
                   number_of(row.scheduler) == own ? machine.scheduler : row.scheduler);
    append_fields(numbers, machine.costs);
    append_fields(numbers, machine.waiting);
    append_fields(numbers, machine.devices);
    writer.add("machine", numbers);
    writer.add("machine.compute", machine.rates.compute);
    writer.add("machine.memory", machine.rates.memory);
    writer.add("machine.memory_share", std::vector<double>{machine.rates.memory_share});
}

template <class Number, class Value, class Convert>
void add_column(SectionWriter& writer, char const* name, std::vector<Value> const& values,
                Convert const& convert) {
    auto const column = writer.add<Number>(name, values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        column[i] = static_cast<Number>(convert(values[i]));
}

template <class Number, class Convert>
void add_operations(SectionWriter& writer, char const* name, ThreadProgram const& program,
                    Convert const& convert) {
    auto const column = writer.add<Number>(name, static_cast<std::size_t>(operation_count(program)));
    std::size_t next = 0;
    for (auto const& list : program.lists)
        for (auto const& operation : list)
            column[next++] = convert(operation);
}

void add_lists(SectionWriter& writer, ThreadProgram const& program) {
    std::vector<std::uint32_t> first = {0};
    for (auto const& list : program.lists)
        first.push_back(first.back() + static_cast<std::uint32_t>(list.size()));
    writer.add("list.first", first);
    add_operations<std::int64_t>(writer, "op.work", program, [](Operation const& op) { return op.work_ns; });
    add_operations<std::int64_t>(writer, "op.value", program, [](Operation const& op) { return op.value; });
    add_operations<std::uint32_t>(writer, "op.object", program,
                                  [](Operation const& op) { return op.object; });
    add_operations<std::uint32_t>(writer, "op.site_and_kind", program,
                                  [](Operation const& op) { return op.site_and_kind; });
}

// Only the ordered model reads them, and there may be as many as operations.
void add_turns(SectionWriter& writer, ThreadProgram const& program, simulate::Pairing pairing) {
    std::vector<std::uint32_t> first = {0};
    std::vector<std::uint32_t> threads;
    std::vector<std::uint32_t> takes;
    for (auto const& object : program.objects) {
        if (pairing == simulate::Pairing::ordered) {
            for (Turn const turn : object.turns) {
                threads.push_back(turn.thread.value);
                takes.push_back(turn.takes);
            }
        }
        first.push_back(static_cast<std::uint32_t>(threads.size()));
    }
    writer.add("turn.first", first);
    writer.add("turn.thread", threads);
    writer.add("turn.takes", takes);
}

void add_parameters(SectionWriter& writer, ThreadProgram const& program, simulate::Pairing pairing) {
    using Parameters = ThreadParameters;
    add_column<std::uint64_t>(writer, "thread.affinity", program.parameters,
                              [](Parameters const& thread) { return thread.affinity; });
    add_column<std::uint32_t>(writer, "thread.affinity_word", program.parameters,
                              [](Parameters const& thread) { return thread.affinity_word; });
    add_column<std::int64_t>(writer, "thread.priority", program.parameters,
                             [](Parameters const& thread) { return encode_priority(thread.priority); });
    add_column<std::uint8_t>(writer, "thread.at_start", program.parameters,
                             [](Parameters const& thread) { return thread.at_start; });
    add_column<std::uint8_t>(writer, "thread.lwp", program.parameters,
                             [](Parameters const& thread) { return thread.lwp; });
    writer.add("thread.alike", alike_threads(program.catalogue));
    add_column<std::uint8_t>(writer, "object.kind", program.catalogue.objects,
                             [](Object const& object) { return object.kind; });
    add_column<std::int64_t>(writer, "object.initial", program.objects,
                             [](ObjectParameters const& object) { return object.initial_count; });
    add_column<std::uint8_t>(writer, "object.pairs", program.objects,
                             [](ObjectParameters const& object) { return object.pairs_as_recorded; });
    add_column<std::int64_t>(writer, "object.waking", program.objects,
                             [](ObjectParameters const& object) { return object.waking.ns; });
    add_column<std::uint8_t>(writer, "object.team", program.objects,
                             [](ObjectParameters const& object) { return object.team; });
    add_column<std::uint8_t>(writer, "object.kernel_lock", program.objects,
                             [](ObjectParameters const& object) { return object.kernel_lock; });
    add_turns(writer, program, pairing);
    add_column<std::uint32_t>(writer, "barrier.participants", program.barriers,
                              [](ConditionBarrier const& barrier) { return barrier.participants; });
    add_column<std::uint32_t>(writer, "barrier.condition", program.barriers,
                              [](ConditionBarrier const& barrier) { return barrier.condition.value; });
    add_column<std::uint32_t>(writer, "barrier.mutex", program.barriers,
                              [](ConditionBarrier const& barrier) { return barrier.mutex.value; });
}

// Texts, each once, and their numbers.
class Texts {
public:
    Texts() { number("", 0); }

    std::uint32_t number(std::string_view text) { return number(text, first_.size()); }

    void add_to(SectionWriter& writer) && {
        first_.push_back(static_cast<std::uint32_t>(letters_.size()));
        writer.add("text", letters_);
        writer.add("text.first", first_);
    }

private:
    std::uint32_t number(std::string_view text, std::size_t next) {
        auto const [found, is_new] = numbers_.emplace(text, static_cast<std::uint32_t>(next));
        if (is_new) {
            first_.push_back(static_cast<std::uint32_t>(letters_.size()));
            letters_.insert(letters_.end(), text.begin(), text.end());
        }
        return found->second;
    }

    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<std::uint8_t> letters_;
    std::vector<std::uint32_t> first_;
};

void add_names(SectionWriter& writer, Catalogue const& catalogue) {
    Texts texts;
    auto const add_texts = [&](char const* name, auto const& entries, auto const& text_of) {
        add_column<std::uint32_t>(writer, name, entries,
                                  [&](auto const& entry) { return texts.number(text_of(entry)); });
    };
    auto const& threads = catalogue.threads;
    auto const& objects = catalogue.objects;
    auto const& sites = catalogue.sites;
    add_texts("thread.name", threads, [](Thread const& thread) { return thread.name; });
    add_texts("thread.function", threads, [](Thread const& thread) { return thread.function; });
    add_column<std::uint32_t>(writer, "thread.start", threads,
                              [](Thread const& thread) { return thread.start_site.value; });
    add_column<std::uint32_t>(writer, "thread.created_at", threads,
                              [](Thread const& thread) { return thread.created_at.value; });
    add_texts("object.name", objects, [](Object const& object) { return object.name; });
    add_column<std::uint64_t>(writer, "object.address", objects,
                              [](Object const& object) { return object.address; });
    add_column<std::uint32_t>(writer, "object.first_site", objects,
                              [](Object const& object) { return object.first_site.value; });
    auto const frame = [](Site const& site) { return site.frames.empty() ? Frame() : site.frames.front(); };
    add_texts("site.function", sites, [&](Site const& site) { return frame(site).function; });
    add_texts("site.file", sites, [&](Site const& site) { return frame(site).file; });
    add_column<std::uint32_t>(writer, "site.line", sites, [&](Site const& site) { return frame(site).line; });
    add_texts("site.module", sites, [](Site const& site) { return site.module; });
    add_column<std::uint64_t>(writer, "site.offset", sites, [](Site const& site) {
        return site.module.empty() ? site.address : site.module_offset;
    });
    std::move(texts).add_to(writer);
}

// Which functions did the work, where they were recorded.
void add_shares(SectionWriter& writer, ThreadProgram const& program) {
    auto const& stacks = program.catalogue.stacks;
    add_column<std::uint32_t>(writer, "stack.caller", stacks,
                              [](CallStack const& stack) { return stack.caller.value; });
    add_column<std::uint32_t>(writer, "stack.function", stacks,
                              [](CallStack const& stack) { return stack.function.value; });
    std::vector<WorkShare> all;
    std::vector<std::uint32_t> first;
    for (auto const& shares : program.shares) {
        first.push_back(static_cast<std::uint32_t>(all.size()));
        all.insert(all.end(), shares.begin(), shares.end());
    }
    if (!first.empty())
        first.push_back(static_cast<std::uint32_t>(all.size()));
    writer.add("share.first", first);
    add_column<std::uint32_t>(writer, "share.piece", all, [](WorkShare const& share) { return share.piece; });
    add_column<std::uint32_t>(writer, "share.stack", all,
                              [](WorkShare const& share) { return share.stack.value; });
    add_column<std::int64_t>(writer, "share.ns", all, [](WorkShare const& share) { return share.ns; });
    add_column<std::uint32_t>(writer, "share.calls", all, [](WorkShare const& share) { return share.calls; });
}
}  // namespace

Bytes program_bytes(ThreadProgram const& program, Machine const& machine, simulate::Pairing pairing,
                    std::int64_t shown_cpus) {
    SectionWriter writer(program_magic,
                         static_cast<std::size_t>(operation_count(program)) * bytes_of_operation +
                             program.lists.size() * 20 + program.objects.size() * 10 +
                             program.barriers.size() * 12);
    add_machine(writer, machine);
    writer.add("pairing", std::vector<std::uint8_t>{static_cast<std::uint8_t>(pairing)});
    writer.add("shown_cpus", std::vector<std::int64_t>{shown_cpus});
    add_lists(writer, program);
    add_parameters(writer, program, pairing);
    add_names(writer, program.catalogue);
    add_shares(writer, program);
    return writer.finish();
}

Bytes share_bytes(ThreadProgram const& program) {
    std::size_t shares = 0;
    for (auto const& list : program.shares)
        shares += list.size();
    SectionWriter writer(program_magic, shares * 20 + program.catalogue.stacks.size() * 8);
    add_shares(writer, program);
    return writer.finish();
}

}  // namespace parcast::view
