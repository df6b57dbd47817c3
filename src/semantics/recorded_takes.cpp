#include "semantics/recorded_takes.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace parcast::semantics {

namespace {

// What of a program has no numbers yet.
struct Unnumbered {
    std::vector<bool> semaphores;  // by object
    std::vector<bool> conditions;  // by object
    std::vector<bool> receivers;   // by thread that accepts
    bool joins = false;

    bool any() const {
        auto const holds = [](std::vector<bool> const& flags) {
            return std::find(flags.begin(), flags.end(), true) != flags.end();
        };
        return joins || holds(semaphores) || holds(conditions) || holds(receivers);
    }
};

Unnumbered unnumbered_in(ThreadProgram const& program) {
    Unnumbered found{std::vector<bool>(program.objects.size()), conditions_without_takes(program),
                     std::vector<bool>(program.lists.size())};
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread) {
        for (Operation const& operation : program.lists[thread]) {
            auto const kind = operation.kind();
            if (kind == OperationKind::join_any)
                found.joins = found.joins || operation.thread_id().is_none();
            else if (kind == OperationKind::semaphore_wait && !decode_number(operation.value))
                found.semaphores[operation.object] = true;
            else if (kind == OperationKind::accept && !decode_number(operation.value))
                found.receivers[thread] = true;
            else if (kind == OperationKind::activate && !decode_number(operation.value))
                found.receivers[operation.object] = true;
        }
    }
    return found;
}

// Follows the execution.
class NumberedTakes {
public:
    explicit NumberedTakes(ThreadProgram& program)
        : program_(program),
          unnumbered_(unnumbered_in(program)),
          given_(program.objects.size()),
          taken_(program.objects.size()),
          sent_(program.lists.size()),
          accepted_(program.lists.size()),
          awaited_(program.lists.size()) {
        for (std::size_t object = 0; object < given_.size(); ++object)
            given_[object] = static_cast<std::uint32_t>(program.objects[object].initial_count);
    }

    void executes(ThreadId thread, std::size_t place) {
        auto& list = program_.lists[thread.index()];
        auto const operation = list[place];
        switch (operation.kind()) {
            case OperationKind::join: awaited_[operation.object] = true; return;
            case OperationKind::join_any: joins_any({thread, place}); return;
            case OperationKind::end: ends(thread); return;
            default: break;
        }
        if (auto const value = numbered(thread, operation); value != operation.value)
            list.change(place, [&](Operation& each) { each.value = value; });
    }

private:
    struct Place {
        ThreadId thread;
        std::size_t in_list;
    };

    // The operation's value, with its number where it lacks one.
    std::int64_t numbered(ThreadId thread, Operation const& operation) {
        auto const object = operation.object;
        switch (operation.kind()) {
            case OperationKind::semaphore_wait:
                if (unnumbered_.semaphores[object])
                    return encode_number(taken_[object]++);
                break;
            case OperationKind::semaphore_post:
                if (unnumbered_.semaphores[object])
                    return given(operation);
                break;
            case OperationKind::condition_wait:
                if (unnumbered_.conditions[object])
                    return encode(TokenWait{decode_wait(operation.value).mutex, taken_[object]++});
                break;
            case OperationKind::condition_signal:
                if (unnumbered_.conditions[object])
                    return given(operation);
                break;
            case OperationKind::activate:
                if (unnumbered_.receivers[object])
                    return encode_number(sent_[object]++);
                break;
            case OperationKind::accept:
                if (unnumbered_.receivers[thread.index()])
                    return encode_number(accepted_[thread.index()]++);
                break;
            default: break;
        }
        return operation.value;
    }

    std::int64_t given(Operation const& operation) {
        auto const tokens = decode_grant(operation.value).tokens;
        auto const first = given_[operation.object];
        given_[operation.object] += tokens;
        return encode(TokenGrant{tokens, first});
    }

    void joins_any(Place place) {
        while (!ended_.empty() && awaited_[ended_.front().index()])
            ended_.pop_front();
        if (ended_.empty())
            return any_joins_.push_back(place);
        note_join(place, ended_.front());
        ended_.pop_front();
    }

    void ends(ThreadId thread) {
        if (awaited_[thread.index()])
            return;
        if (any_joins_.empty())
            return ended_.push_back(thread);
        note_join(any_joins_.front(), thread);
        any_joins_.pop_front();
    }

    void note_join(Place place, ThreadId ended) {
        awaited_[ended.index()] = true;
        auto& list = program_.lists[place.thread.index()];
        if (list[place.in_list].thread_id().is_none())
            list.change(place.in_list, [&](Operation& join) { join.object = ended.value; });
    }

    ThreadProgram& program_;  // the caller's
    Unnumbered unnumbered_;
    std::vector<std::uint32_t> given_;     // by object
    std::vector<std::uint32_t> taken_;     // by object
    std::vector<std::uint32_t> sent_;      // by receiver
    std::vector<std::uint32_t> accepted_;  // by receiver
    std::vector<bool> awaited_;            // by thread: somebody joins it, or has
    std::deque<ThreadId> ended_;           // that nobody had joined then
    std::deque<Place> any_joins_;          // that wait
};

}  // namespace

std::vector<bool> conditions_without_takes(ThreadProgram const& program) {
    std::vector<bool> waits(program.objects.size());
    std::vector<bool> has_tokens(program.objects.size());
    for (auto const& list : program.lists) {
        for (Operation const& operation : list) {
            if (operation.kind() != OperationKind::condition_wait)
                continue;
            waits[operation.object] = true;
            if (decode_wait(operation.value).token)
                has_tokens[operation.object] = true;
        }
    }
    for (std::size_t object = 0; object < waits.size(); ++object)
        waits[object] = waits[object] && !has_tokens[object];
    return waits;
}

// Tokens are there for waits (check.cpp): more than operations are none that a wait could name.
bool may_have_takes(ThreadProgram const& program) {
    auto const without = conditions_without_takes(program);
    std::vector<std::uint64_t> tokens(program.objects.size());
    for (std::size_t object = 0; object < tokens.size(); ++object)
        tokens[object] = static_cast<std::uint64_t>(program.objects[object].initial_count);
    for (auto const& list : program.lists)
        for (Operation const& operation : list)
            if (operation.kind() == OperationKind::condition_signal)
                tokens[operation.object] += decode_grant(operation.value).tokens;
    auto const most = static_cast<std::uint64_t>(operation_count(program));
    for (std::size_t object = 0; object < tokens.size(); ++object)
        if (without[object] && tokens[object] > most)
            return false;
    return true;
}

bool lacks_takes(ThreadProgram const& program) {
    return unnumbered_in(program).any();
}

void add_takes(std::span<ThreadId const> order, ThreadProgram& program) {
    NumberedTakes takes(program);
    std::vector<std::size_t> next(program.lists.size());
    for (ThreadId const thread : order)
        takes.executes(thread, next[thread.index()]++);
}

}  // namespace parcast::semantics
