#include "program/message_program_builder.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/ensure.h"

namespace parcast {

namespace {

auto fields_of(CollectiveCall const& call) {
    return std::tie(call.kind, call.communicator, call.root, call.sent_bytes, call.received_bytes,
                    call.reduce_ns, call.bytes_by_rank);
}

// They are sorted already in most texts, where precedences stand behind the operation that waits.
void sort_from(std::vector<Precedence>& all, std::size_t first) {
    auto const begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    auto const is_before = [](Precedence const& left, Precedence const& right) {
        return std::tie(left.later, left.earlier, left.is_start) <
               std::tie(right.later, right.earlier, right.is_start);
    };
    if (!std::is_sorted(begin, all.end(), is_before))
        std::sort(begin, all.end(), is_before);
}

}  // namespace

bool MessageProgramBuilder::CallOrder::operator()(CollectiveCall const& left,
                                                  CollectiveCall const& right) const {
    return fields_of(left) < fields_of(right);
}

std::uint32_t MessageProgramBuilder::add(MessageStep const& step) {
    auto const operation = static_cast<std::uint32_t>(program_.operations());
    program_.kind.emplace_back(step.operation, Follows::nothing, step.is_synchronous);
    program_.amount.push_back(step.amount);
    program_.peer.push_back(step.peer);
    program_.tag.push_back(step.tag);
    // These three columns begin with the first operation that is not of the usual kind.
    auto const extend = [&](auto& column, auto value) {
        if (value != 0 && column.empty())
            column.resize(operation);
        if (value != 0 || !column.empty())
            column.push_back(value);
    };
    extend(program_.cpu, step.cpu);
    extend(program_.nic, step.nic);
    extend(program_.name_of, step.name);
    return operation;
}

void MessageProgramBuilder::mark_collective(std::uint32_t first) {
    for (auto each = first; each < program_.operations(); ++each)
        program_.kind[each] = program_.kind[each].of_collective();
}

void MessageProgramBuilder::end_rank() {
    auto& all = program_.precedences;
    sort_from(all, first_precedence_);
    auto kept = first_precedence_;
    for (auto i = first_precedence_; i < all.size();) {
        auto const later = all[i].later;
        auto const first = i;
        while (i < all.size() && all[i].later == later)
            ++i;
        auto& kind = program_.kind[later];
        bool const is_usual = i == first + 1 && all[first].earlier + 1U == later && !all[first].is_start;
        kind = kind.following(is_usual ? Follows::one_before : Follows::precedences);
        if (!is_usual)
            for (auto each = first; each < i; ++each)
                all[kept++] = all[each];
    }
    all.resize(kept);
    first_precedence_ = kept;
    program_.first_operation.push_back(static_cast<std::uint32_t>(program_.operations()));
}

std::uint32_t MessageProgramBuilder::call(CollectiveCall const& call) {
    if (last_call_ && program_.collectives[*last_call_] == call)
        return *last_call_;
    auto const next = static_cast<std::uint32_t>(program_.collectives.size());
    auto const [found, is_new] = calls_.try_emplace(call, next);
    if (is_new)
        program_.collectives.push_back(call);
    last_call_ = found->second;
    return *last_call_;
}

MessageProgram MessageProgramBuilder::finish() && {
    auto const fit = [](auto&... columns) { (columns.shrink_to_fit(), ...); };
    fit(program_.kind, program_.amount, program_.peer, program_.tag, program_.cpu, program_.nic,
        program_.name_of, program_.precedences, program_.collectives, program_.collective_lines);
    return std::move(program_);
}

void CallingOrder::wait(std::uint32_t operation) {
    // Only what was called last can be awaited until it has started.
    if (!awaited_.empty() && awaited_.front().operation == operation)
        awaited_.front().is_start = false;
    else
        awaited_.push_back({operation, false});
}

std::vector<std::uint32_t> CallingOrder::awaited() const {
    std::vector<std::uint32_t> operations;
    for (auto const& each : awaited_) {
        ensure(!each.is_start, "what was called last was waited for");
        operations.push_back(each.operation);
    }
    return operations;
}

std::uint32_t CallingOrder::add(MessageStep const& step, bool is_start) {
    auto const operation = builder_->add(step);
    for (auto const& each : awaited_)
        builder_->wait(operation, each.operation, each.is_start);
    awaited_.assign(1, {operation, is_start});
    return operation;
}

}  // namespace parcast
