#include "program/thread_program.h"

#include <algorithm>
#include <utility>

#include "core/word_halves.h"

namespace parcast {

namespace {

// A real-time level is stored above every nice value, so that one integer tells the class as well.
constexpr std::int64_t real_time_base = 1000;
constexpr std::int64_t turns_base = 2000;

std::int64_t participants(ThreadProgram const& program, Operation const& arrival) {
    return arrival.kind() == OperationKind::barrier_wait
               ? arrival.value
               : program.barriers[static_cast<std::size_t>(arrival.value)].participants;
}

// At the barriers of which that holds, in the rounds that are complete.
template <class Predicate>
std::int64_t waking_ns(ThreadProgram const& program, Predicate counts) {
    struct Use {
        std::int64_t arrivals = 0;
        std::int64_t participants = 1;
    };
    std::vector<Use> uses(program.objects.size());
    bool const is_known = std::ranges::any_of(program.objects, [&](ObjectParameters const& object) {
        return object.waking > Duration{0} && counts(object);
    });
    for (auto const& list : program.lists) {
        if (!is_known)
            return 0;
        for (auto const& operation : list) {
            auto const object =
                is_arrival(operation.kind()) ? object_of(program, operation) : ObjectId::none();
            if (object.is_none())
                continue;
            ++uses[object.index()].arrivals;
            uses[object.index()].participants = participants(program, operation);
        }
    }
    std::int64_t total = 0;
    for (std::size_t object = 0; object < uses.size(); ++object) {
        auto const& [arrivals, participants] = uses[object];
        if (counts(program.objects[object]))
            total += arrivals / participants * (participants - 1) * program.objects[object].waking.ns;
    }
    return total;
}

}  // namespace

Operation make_operation(OperationKind kind, std::int64_t work_ns, std::uint32_t object, std::int64_t value,
                         SiteId site) {
    auto const stored_site = site.value < Operation::no_site ? site.value : Operation::no_site;
    return {.work_ns = work_ns,
            .value = value,
            .object = object,
            .site_and_kind = static_cast<std::uint32_t>(kind) << 24 | stored_site};
}

// How a wait without a token of its own is stored, and one that the recording gave its token at once.
static constexpr std::uint32_t no_token = 0xffffffff;
static constexpr std::uint32_t at_once_bit = 0x80000000;

std::int64_t encode(TokenWait wait) {
    auto const token = wait.token ? *wait.token | (wait.at_once ? at_once_bit : 0) : no_token;
    return from_halves(wait.mutex.value, token);
}

std::int64_t encode(TokenGrant grant) {
    return from_halves(grant.tokens, grant.first);
}

TokenWait decode_wait(std::int64_t value) {
    auto const token = high_half(value);
    TokenWait wait{ObjectId::none(), std::nullopt};
    if (token != no_token) {
        wait.token = token & ~at_once_bit;
        wait.at_once = (token & at_once_bit) != 0;
    }
    wait.mutex.value = low_half(value);
    return wait;
}

TokenGrant decode_grant(std::int64_t value) {
    return {low_half(value), high_half(value)};
}

std::int64_t encode_number(std::optional<std::uint32_t> number) {
    return number ? std::int64_t{*number} + 1 : 0;
}

std::optional<std::uint32_t> decode_number(std::int64_t value) {
    return value == 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(value - 1));
}

std::int64_t encode_priority(Priority priority) {
    if (priority.scheduling_class == SchedulingClass::fair)
        return priority.level;
    return (priority.takes_turns ? turns_base : real_time_base) + priority.level;
}

Priority decode_priority(std::int64_t value) {
    if (value >= turns_base)
        return {SchedulingClass::real_time, static_cast<int>(value - turns_base), true};
    if (value >= real_time_base)
        return {SchedulingClass::real_time, static_cast<int>(value - real_time_base)};
    return {SchedulingClass::fair, static_cast<int>(value)};
}

std::vector<ThreadId> initial_threads(ThreadProgram const& program) {
    std::vector<ThreadId> initial{ThreadId(0)};
    for (std::size_t thread = 1; thread < program.parameters.size(); ++thread)
        if (program.parameters[thread].at_start)
            initial.emplace_back(thread);
    return initial;
}

void use_hand_outs(HandOuts kind, ThreadProgram& program) {
    if (!program.other || program.other->kind != kind)
        return;
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread)
        if (!program.other->lists[thread].empty()) {
            std::swap(program.lists[thread], program.other->lists[thread]);
            if (!program.other->shares.empty())
                std::swap(program.shares[thread], program.other->shares[thread]);
        }
    std::swap(program.assumptions, program.other->assumptions);
    program.other->kind = kind == HandOuts::anew ? HandOuts::recorded : HandOuts::anew;
}

std::int64_t work_ns(ThreadProgram const& program) {
    std::int64_t total = 0;
    for (auto const& list : program.lists)
        for (auto const& operation : list)
            total += operation.work_ns;
    return total + waking_ns(program, [](ObjectParameters const&) { return true; });
}

std::int64_t team_waking_ns(ThreadProgram const& program) {
    return waking_ns(program, [](ObjectParameters const& object) { return object.team; });
}

std::vector<bool> team_members(ThreadProgram const& program) {
    if (std::ranges::none_of(program.objects, &ObjectParameters::team))
        return {};
    std::vector<bool> members;
    for (auto const& list : program.lists)
        members.push_back(std::ranges::any_of(list, [&](Operation const& operation) {
            auto const object = object_of(program, operation);
            return !object.is_none() && program.objects[object.index()].team;
        }));
    return members;
}

std::int64_t operation_count(ThreadProgram const& program) {
    std::size_t total = 0;
    for (auto const& list : program.lists)
        total += list.size();
    return static_cast<std::int64_t>(total);
}

}  // namespace parcast
