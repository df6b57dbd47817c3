#include "view/program_bytes.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "view/lane_groups.h"

namespace parcast::view {

namespace {

// The numbers of section `machine` that are no fields: they come first. Then the fields of every scheduler,
// of costs and of waiting.
enum MachineNumber : std::uint8_t { cpus, scheduler, lock_policy, named_numbers };

constexpr std::size_t machine_numbers = [] {
    auto numbers = named_numbers + Costs::fields().size() + Waiting::fields().size();
    for (auto const& row : schedulers)
        numbers += std::visit([](auto const& kind) { return kind.fields().size(); }, row.scheduler);
    return numbers;
}();

template <class Part>
void append_fields(std::vector<std::int64_t>& numbers, Part const& part) {
    for (auto const& field : Part::fields())
        numbers.push_back(field.value(part));
}

void add_machine(SectionWriter& writer, Machine const& machine) {
    auto const own = number_of(machine.scheduler);
    std::vector<std::int64_t> numbers(named_numbers);
    numbers[cpus] = machine.cpus;
    numbers[scheduler] = own;
    numbers[lock_policy] = machine.lock_policy == LockPolicy::hand_off ? 1 : 0;
    for (auto const& row : schedulers)
        std::visit([&](auto const& kind) { append_fields(numbers, kind); },
                   number_of(row.scheduler) == own ? machine.scheduler : row.scheduler);
    append_fields(numbers, machine.costs);
    append_fields(numbers, machine.waiting);
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
    add_column<std::int64_t>(writer, "thread.priority", program.parameters,
                             [](Parameters const& thread) { return encode_priority(thread.priority); });
    add_column<std::uint8_t>(writer, "thread.at_start", program.parameters,
                             [](Parameters const& thread) { return thread.at_start; });
    writer.add("thread.alike", alike_threads(program.catalogue));
    add_column<std::uint8_t>(writer, "object.kind", program.catalogue.objects,
                             [](Object const& object) { return object.kind; });
    add_column<std::int64_t>(writer, "object.initial", program.objects,
                             [](ObjectParameters const& object) { return object.initial_count; });
    add_column<std::uint8_t>(writer, "object.pairs", program.objects,
                             [](ObjectParameters const& object) { return object.pairs_as_recorded; });
    add_turns(writer, program, pairing);
    add_column<std::uint32_t>(writer, "barrier.participants", program.barriers,
                              [](ConditionBarrier const& barrier) { return barrier.participants; });
    add_column<std::uint32_t>(writer, "barrier.condition", program.barriers,
                              [](ConditionBarrier const& barrier) { return barrier.condition.value; });
    add_column<std::uint32_t>(writer, "barrier.mutex", program.barriers,
                              [](ConditionBarrier const& barrier) { return barrier.mutex.value; });
}

// Reads columns and keeps the first error, so that the code that takes them apart stays readable.
class Columns {
public:
    explicit Columns(SectionReader const& reader) : reader_(reader) {}

    template <class Number>
    std::span<Number const> take(char const* name) {
        auto column = reader_.column<Number>(name);
        if (column)
            return *column;
        keep(std::move(column.error()));
        return {};
    }
    // A column that must have so many elements.
    template <class Number>
    std::span<Number const> take(char const* name, std::size_t length) {
        auto const column = take<Number>(name);
        if (!error_ && column.size() != length)
            complain("section `" + std::string(name) + "` has " + std::to_string(column.size()) +
                     " elements instead of " + std::to_string(length));
        return column;
    }
    void complain(std::string message) { keep({ErrorCode::malformed, std::move(message), std::nullopt}); }

    bool failed() const { return error_.has_value(); }
    tl::unexpected<Error> error() { return tl::unexpected<Error>(std::move(*error_)); }

private:
    void keep(Error error) {
        if (!error_)
            error_ = std::move(error);
    }

    SectionReader const& reader_;
    std::optional<Error> error_;
};

template <class Part>
std::size_t read_fields(std::span<std::int64_t const> numbers, std::size_t next, Part& part) {
    for (auto const& field : Part::fields())
        field.set(part, numbers[next++]);
    return next;
}

void read_machine(Columns& columns, Machine& machine) {
    auto const numbers = columns.take<std::int64_t>("machine", machine_numbers);
    auto const compute = columns.take<double>("machine.compute");
    auto const memory = columns.take<double>("machine.memory");
    auto const memory_share = columns.take<double>("machine.memory_share", 1);
    if (columns.failed())
        return;
    if (numbers[cpus] < 1 || numbers[cpus] > most_cpus || numbers[scheduler] < 0 ||
        numbers[scheduler] >= std::ssize(schedulers) || (numbers[lock_policy] & ~std::int64_t{1}) != 0)
        return columns.complain(
            "section `machine` has an unknown scheduler or lock policy, or too many CPUs");
    machine.cpus = static_cast<std::uint32_t>(numbers[cpus]);
    machine.lock_policy = numbers[lock_policy] == 1 ? LockPolicy::hand_off : LockPolicy::barging;
    std::size_t next = named_numbers;
    for (auto const& row : schedulers) {
        auto read = row.scheduler;
        std::visit([&](auto& kind) { next = read_fields(numbers, next, kind); }, read);
        if (number_of(read) == numbers[scheduler])
            machine.scheduler = read;
    }
    next = read_fields(numbers, next, machine.costs);
    read_fields(numbers, next, machine.waiting);
    machine.name = name_of(machine.scheduler);
    machine.rates.compute.assign(compute.begin(), compute.end());
    machine.rates.memory.assign(memory.begin(), memory.end());
    machine.rates.memory_share = memory_share[0];
}

bool are_positions(std::span<std::uint32_t const> first, std::size_t end) {
    return !first.empty() && first.front() == 0 && first.back() == end &&
           std::is_sorted(first.begin(), first.end());
}

void read_lists(Columns& columns, ThreadProgram& program) {
    auto const first = columns.take<std::uint32_t>("list.first");
    auto const work = columns.take<std::int64_t>("op.work");
    auto const value = columns.take<std::int64_t>("op.value", work.size());
    auto const object = columns.take<std::uint32_t>("op.object", work.size());
    auto const site_and_kind = columns.take<std::uint32_t>("op.site_and_kind", work.size());
    if (columns.failed())
        return;
    if (!are_positions(first, work.size()))
        return columns.complain("section `list.first` does not divide the operations among threads");
    program.lists.resize(first.size() - 1);
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread) {
        auto& list = program.lists[thread];
        list.reserve(first[thread + 1] - first[thread]);
        for (std::size_t i = first[thread]; i < first[thread + 1]; ++i)
            list.push_back({work[i], value[i], object[i], site_and_kind[i]});
    }
}

void read_threads(Columns& columns, ThreadProgram& program) {
    auto const threads = program.lists.size();
    auto const affinity = columns.take<std::uint64_t>("thread.affinity", threads);
    auto const priority = columns.take<std::int64_t>("thread.priority", threads);
    auto const at_start = columns.take<std::uint8_t>("thread.at_start", threads);
    if (columns.failed())
        return;
    auto const alike = columns.take<std::uint32_t>("thread.alike", threads);
    if (columns.failed())
        return;
    program.catalogue.threads.resize(threads);
    for (std::size_t thread = 0; thread < threads; ++thread) {
        // Names stay where they are; which threads are alike is all that a replay shows of them.
        program.catalogue.threads[thread].function = "alike " + std::to_string(alike[thread]);
        if (priority[thread] != std::clamp<std::int64_t>(priority[thread], -20, 2000))
            return columns.complain("section `thread.priority` has no priority for a thread");
        program.parameters.push_back(
            {affinity[thread], decode_priority(priority[thread]), at_start[thread] != 0});
    }
}

void read_objects(Columns& columns, ThreadProgram& program) {
    auto const kind = columns.take<std::uint8_t>("object.kind");
    auto const initial = columns.take<std::int64_t>("object.initial", kind.size());
    auto const pairs = columns.take<std::uint8_t>("object.pairs", kind.size());
    auto const participants = columns.take<std::uint32_t>("barrier.participants");
    auto const condition = columns.take<std::uint32_t>("barrier.condition", participants.size());
    auto const mutex = columns.take<std::uint32_t>("barrier.mutex", participants.size());
    auto const first = columns.take<std::uint32_t>("turn.first", kind.size() + 1);
    auto const turns = columns.take<std::uint32_t>("turn.thread");
    auto const takes = columns.take<std::uint32_t>("turn.takes", turns.size());
    if (columns.failed())
        return;
    if (!are_positions(first, turns.size()))
        return columns.complain("section `turn.first` does not divide the turns among objects");
    program.catalogue.objects.resize(kind.size());
    for (std::size_t object = 0; object < kind.size(); ++object) {
        if (kind[object] >= object_kind_count)
            return columns.complain("section `object.kind` has a kind that is not known");
        program.catalogue.objects[object].kind = static_cast<ObjectKind>(kind[object]);
        program.objects.push_back({initial[object], pairs[object] != 0, {}});
        for (std::size_t turn = first[object]; turn < first[object + 1]; ++turn)
            program.objects.back().turns.push_back({ThreadId(turns[turn]), takes[turn]});
    }
    for (std::size_t barrier = 0; barrier < participants.size(); ++barrier)
        program.barriers.push_back(
            {participants[barrier], ObjectId(condition[barrier]), ObjectId(mutex[barrier])});
}

}  // namespace

Bytes program_bytes(ThreadProgram const& program, Machine const& machine, simulate::Pairing pairing,
                    std::int64_t shown_cpus) {
    SectionWriter writer(program_magic,
                         static_cast<std::size_t>(operation_count(program)) * sizeof(Operation) +
                             program.lists.size() * 20 + program.objects.size() * 10 +
                             program.barriers.size() * 12);
    add_machine(writer, machine);
    writer.add("pairing", std::vector<std::uint8_t>{static_cast<std::uint8_t>(pairing)});
    writer.add("shown_cpus", std::vector<std::int64_t>{shown_cpus});
    add_lists(writer, program);
    add_parameters(writer, program, pairing);
    return writer.finish();
}

Result<PortableProgram> read_program(std::span<std::byte const> bytes) {
    auto const reader = SectionReader::open(bytes, program_magic);
    if (!reader)
        return pass_on(reader);
    Columns columns(*reader);
    PortableProgram read;
    read_machine(columns, read.machine);
    read_lists(columns, read.program);
    read_threads(columns, read.program);
    read_objects(columns, read.program);
    auto const pairing = columns.take<std::uint8_t>("pairing", 1);
    auto const shown_cpus = columns.take<std::int64_t>("shown_cpus", 1);
    if (!columns.failed() && pairing[0] >= semantics::models.size())
        columns.complain("section `pairing` names no model");
    if (columns.failed())
        return columns.error();
    read.pairing = static_cast<simulate::Pairing>(pairing[0]);
    read.shown_cpus = shown_cpus[0];
    if (auto checked = check(read.program); !checked)
        return pass_on(checked);
    if (auto checked = check(read.machine); !checked)
        return pass_on(checked);
    return read;
}

}  // namespace parcast::view
