#include "view/program_bytes.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "view/machine_numbers.h"

namespace parcast::view {

namespace {

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
    if (numbers[machine_cpus] < 1 || numbers[machine_cpus] > parcast::most_cpus ||
        numbers[machine_scheduler] < 0 || numbers[machine_scheduler] >= std::ssize(schedulers) ||
        (numbers[machine_lock_policy] & ~std::int64_t{1}) != 0)
        return columns.complain(
            "section `machine` has an unknown scheduler or lock policy, or too many CPUs");
    machine.cpus = static_cast<std::uint32_t>(numbers[machine_cpus]);
    machine.lock_policy = numbers[machine_lock_policy] == 1 ? LockPolicy::hand_off : LockPolicy::barging;
    std::size_t next = named_numbers;
    for (auto const& row : schedulers) {
        auto read = row.scheduler;
        std::visit([&](auto& kind) { next = read_fields(numbers, next, kind); }, read);
        if (&row - schedulers.data() == numbers[machine_scheduler])
            machine.scheduler = read;
    }
    next = read_fields(numbers, next, machine.costs);
    next = read_fields(numbers, next, machine.waiting);
    read_fields(numbers, next, machine.devices);
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
    auto const affinity_word = columns.take<std::uint32_t>("thread.affinity_word", threads);
    auto const priority = columns.take<std::int64_t>("thread.priority", threads);
    auto const at_start = columns.take<std::uint8_t>("thread.at_start", threads);
    auto const lwp = columns.take<std::uint8_t>("thread.lwp", threads);
    if (columns.failed())
        return;
    auto const alike = columns.take<std::uint32_t>("thread.alike", threads);
    if (columns.failed())
        return;
    program.catalogue.threads.resize(threads);
    for (std::size_t thread = 0; thread < threads; ++thread) {
        // Names stay where they are; which threads are alike is all that a replay shows of them.
        program.catalogue.threads[thread].function = "alike " + std::to_string(alike[thread]);
        if (priority[thread] != std::clamp<std::int64_t>(priority[thread], -20, 2099))
            return columns.complain("section `thread.priority` has no priority for a thread");
        if (lwp[thread] >= lwp_words.size())
            return columns.complain("section `thread.lwp` has no LWP for a thread");
        if (affinity_word[thread] >= parcast::most_cpus / 64)
            return columns.complain("section `thread.affinity_word` names more CPUs than there can be");
        program.parameters.push_back({affinity[thread], decode_priority(priority[thread]),
                                      at_start[thread] != 0, static_cast<LwpClass>(lwp[thread]),
                                      affinity_word[thread]});
    }
}

void read_objects(Columns& columns, ThreadProgram& program) {
    auto const kind = columns.take<std::uint8_t>("object.kind");
    auto const initial = columns.take<std::int64_t>("object.initial", kind.size());
    auto const pairs = columns.take<std::uint8_t>("object.pairs", kind.size());
    auto const waking = columns.take<std::int64_t>("object.waking", kind.size());
    auto const team = columns.take<std::uint8_t>("object.team", kind.size());
    auto const kernel_lock = columns.take<std::uint8_t>("object.kernel_lock", kind.size());
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
        if (kernel_lock[object] >= kernel_lock_names.size())
            return columns.complain("section `object.kernel_lock` has a lock that is not known");
        program.catalogue.objects[object].kind = static_cast<ObjectKind>(kind[object]);
        program.objects.push_back({initial[object],
                                   pairs[object] != 0,
                                   {},
                                   Duration{waking[object]},
                                   team[object] != 0,
                                   static_cast<KernelLock>(kernel_lock[object])});
        for (std::size_t turn = first[object]; turn < first[object + 1]; ++turn)
            program.objects.back().turns.push_back({ThreadId(turns[turn]), takes[turn]});
    }
    for (std::size_t barrier = 0; barrier < participants.size(); ++barrier)
        program.barriers.push_back(
            {participants[barrier], ObjectId(condition[barrier]), ObjectId(mutex[barrier])});
}

// Texts by their numbers; complains about a number that there is none for. A long text that many share would
// make memory of few bytes.
class TextsRead {
public:
    explicit TextsRead(Columns& columns)
        : columns_(columns),
          letters_(columns.take<std::uint8_t>("text")),
          first_(columns.take<std::uint32_t>("text.first")),
          letters_left_(letters_.size()) {
        if (!columns_.failed() && !are_positions(first_, letters_.size()))
            columns_.complain("section `text.first` does not divide the texts");
    }

    std::string operator[](std::uint32_t number) {
        if (columns_.failed() || number + std::size_t{1} >= first_.size()) {
            columns_.complain("there is no text of that number");
            return {};
        }
        auto const text = letters_.subspan(first_[number], first_[number + 1] - first_[number]);
        letters_left_ += letters_for_each;
        if (text.size() > letters_left_) {
            columns_.complain("too many names share a long text");
            return {};
        }
        letters_left_ -= text.size();
        return {text.begin(), text.end()};
    }

private:
    static constexpr std::size_t letters_for_each = 256;

    Columns& columns_;
    std::span<std::uint8_t const> letters_;
    std::span<std::uint32_t const> first_;
    std::size_t letters_left_;
};

void read_sites(Columns& columns, TextsRead& texts, std::vector<Site>& sites) {
    auto const function = columns.take<std::uint32_t>("site.function");
    auto const file = columns.take<std::uint32_t>("site.file", function.size());
    auto const line = columns.take<std::uint32_t>("site.line", function.size());
    auto const module = columns.take<std::uint32_t>("site.module", function.size());
    auto const offset = columns.take<std::uint64_t>("site.offset", function.size());
    if (columns.failed())
        return;
    for (std::size_t site = 0; site < function.size() && !columns.failed(); ++site) {
        Frame const frame{texts[function[site]], texts[file[site]], line[site]};
        sites.push_back({offset[site], offset[site], texts[module[site]], {}});
        if (frame != Frame())
            sites.back().frames = {frame};
    }
}

void read_names(Columns& columns, Catalogue& catalogue) {
    TextsRead texts(columns);
    read_sites(columns, texts, catalogue.sites);
    auto const threads = catalogue.threads.size();
    auto const objects = catalogue.objects.size();
    auto const thread_name = columns.take<std::uint32_t>("thread.name", threads);
    auto const function = columns.take<std::uint32_t>("thread.function", threads);
    auto const start = columns.take<std::uint32_t>("thread.start", threads);
    auto const created_at = columns.take<std::uint32_t>("thread.created_at", threads);
    auto const object_name = columns.take<std::uint32_t>("object.name", objects);
    auto const address = columns.take<std::uint64_t>("object.address", objects);
    auto const first_site = columns.take<std::uint32_t>("object.first_site", objects);
    auto const site = [&](std::uint32_t number) {
        SiteId const id(number);
        if (!id.is_none() && number >= catalogue.sites.size())
            columns.complain("there is no place of that number");
        return id;
    };
    for (std::size_t thread = 0; thread < threads && !columns.failed(); ++thread) {
        auto& entry = catalogue.threads[thread];
        entry.name = texts[thread_name[thread]];
        entry.function = texts[function[thread]];
        entry.start_site = site(start[thread]);
        entry.created_at = site(created_at[thread]);
    }
    for (std::size_t object = 0; object < objects && !columns.failed(); ++object) {
        auto& entry = catalogue.objects[object];
        entry.name = texts[object_name[object]];
        entry.address = address[object];
        entry.first_site = site(first_site[object]);
    }
}

// A chain of callers is kept for each stack: a long one of many would make memory of few bytes.
void read_stacks(Columns& columns, Catalogue& catalogue) {
    constexpr std::uint32_t deepest = 1000;
    auto const caller = columns.take<std::uint32_t>("stack.caller");
    auto const function = columns.take<std::uint32_t>("stack.function", caller.size());
    if (columns.failed())
        return;
    std::vector<std::uint32_t> depth;
    for (std::size_t stack = 0; stack < caller.size(); ++stack) {
        StackId const id(caller[stack]);
        bool const is_known =
            (id.is_none() || caller[stack] < stack) && function[stack] < catalogue.sites.size();
        if (!is_known)
            return columns.complain("a stack has no such caller or function");
        depth.push_back(id.is_none() ? 1 : depth[caller[stack]] + 1);
        if (depth.back() > deepest)
            return columns.complain("a stack is too deep");
        catalogue.stacks.push_back({id, SiteId(function[stack])});
    }
}

void read_shares(Columns& columns, ThreadProgram& program) {
    auto const first = columns.take<std::uint32_t>("share.first");
    auto const piece = columns.take<std::uint32_t>("share.piece");
    auto const stack = columns.take<std::uint32_t>("share.stack", piece.size());
    auto const ns = columns.take<std::int64_t>("share.ns", piece.size());
    auto const calls = columns.take<std::uint32_t>("share.calls", piece.size());
    if (columns.failed() || (first.empty() && piece.empty()))
        return;
    if (first.size() != program.lists.size() + 1 || !are_positions(first, piece.size()))
        return columns.complain("section `share.first` does not divide the shares among threads");
    program.shares.resize(program.lists.size());
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread)
        for (std::size_t i = first[thread]; i < first[thread + 1]; ++i) {
            StackId const id(stack[i]);
            bool const is_in_order = i == first[thread] || piece[i - 1] <= piece[i];
            if (!is_in_order || ns[i] < 0 || (!id.is_none() && stack[i] >= program.catalogue.stacks.size()))
                return columns.complain("a share of work is out of order, or has no such stack");
            program.shares[thread].push_back({piece[i], id, ns[i], calls[i], 0});
        }
}

bool has_all_sites(ThreadProgram const& program) {
    return std::ranges::all_of(program.lists, [&](auto const& list) {
        return std::ranges::all_of(list, [&](Operation const& operation) {
            auto const site = operation.site();
            return site.is_none() || site.index() < program.catalogue.sites.size();
        });
    });
}
}  // namespace

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
    read_names(columns, read.program.catalogue);
    read_stacks(columns, read.program.catalogue);
    read_shares(columns, read.program);
    if (!columns.failed() && !has_all_sites(read.program))
        columns.complain("an operation has a place that there is none of");
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
