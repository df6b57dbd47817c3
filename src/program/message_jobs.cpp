#include "program/message_jobs.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "program/step_program.h"

namespace parcast {

namespace {

// Columns that may be empty are 0 everywhere: they are filled where another program has them.
template <class Value>
void append_column(std::vector<Value>& column, std::size_t operations_before, std::vector<Value> const& more,
                   std::size_t more_operations) {
    if (column.empty() && more.empty())
        return;
    column.resize(operations_before);
    column.insert(column.end(), more.begin(), more.end());
    column.resize(operations_before + more_operations);
}

// By communicator of the one program, its number among all.
std::vector<std::uint32_t> append_communicators(MessageProgram& all, MessageProgram const& more) {
    auto const first_rank = all.ranks();
    std::vector<std::uint32_t> numbers;
    for (std::size_t each = 0; each < std::max<std::size_t>(1, more.communicators.size()); ++each) {
        std::vector<std::uint32_t> ranks;
        if (each == 0) {
            ranks.resize(more.ranks());
            std::iota(ranks.begin(), ranks.end(), first_rank);
        } else {
            for (auto const rank : more.communicators[each])
                ranks.push_back(first_rank + rank);
        }
        numbers.push_back(static_cast<std::uint32_t>(all.communicators.size()));
        all.communicators.push_back(std::move(ranks));
    }
    return numbers;
}

void append_calls(MessageProgram& all, MessageProgram const& more) {
    auto const first_rank = all.ranks();
    auto const communicators = append_communicators(all, more);
    for (auto call : more.collectives) {
        call.communicator = communicators[call.communicator];
        call.root += first_rank;
        all.collectives.push_back(std::move(call));
    }
}

void append_operations(MessageProgram& all, MessageProgram const& more, std::uint64_t first_call) {
    auto const first_rank = all.ranks();
    for (std::size_t each = 0; each < more.operations(); ++each) {
        auto const operation = more.kind[each].operation();
        bool const is_call = operation == MessageOperation::collective;
        bool const has_peer = operation == MessageOperation::send || operation == MessageOperation::receive;
        all.amount.push_back(more.amount[each] + (is_call ? first_call : 0));
        all.peer.push_back(has_peer && more.peer[each] != any_peer ? more.peer[each] + first_rank
                                                                   : more.peer[each]);
    }
    all.kind.insert(all.kind.end(), more.kind.begin(), more.kind.end());
    all.tag.insert(all.tag.end(), more.tag.begin(), more.tag.end());
}

Result<void> append(MessageProgram& all, MessageProgram const& more) {
    auto const before = all.operations();
    auto const first_name = all.names.size();
    if (before + more.operations() > most_operations || all.ranks() + more.ranks() > most_ranks ||
        first_name + more.names.size() > std::numeric_limits<std::uint16_t>::max())
        return fail(ErrorCode::out_of_range,
                    "side by side, the programs have too many ranks, operations or names");
    auto const first_operation = static_cast<std::uint32_t>(before);
    auto const first_call = all.collectives.size();
    append_calls(all, more);
    append_operations(all, more, first_call);
    all.collective_lines = {};  // they are of several texts
    all.files = {};
    append_column(all.cpu, before, more.cpu, more.operations());
    append_column(all.nic, before, more.nic, more.operations());
    auto names = more.name_of;
    for (auto& name : names)
        name = name == 0 ? name : static_cast<std::uint16_t>(name + first_name - 1);
    append_column(all.name_of, before, names, more.operations());
    if (more.names.size() > 1)
        all.names.insert(all.names.end(), more.names.begin() + 1, more.names.end());
    for (auto const& each : more.precedences)
        all.precedences.emplace_back(each.later + first_operation, each.earlier + first_operation,
                                     each.is_start != 0);
    for (std::size_t rank = 1; rank < more.first_operation.size(); ++rank)
        all.first_operation.push_back(first_operation + more.first_operation[rank]);
    for (auto const& assumption : more.assumptions)
        if (std::ranges::find(all.assumptions, assumption) == all.assumptions.end())
            all.assumptions.push_back(assumption);
    return {};
}

}  // namespace

Result<MessageProgram> side_by_side(std::vector<MessageProgram> programs) {
    if (programs.size() == 1)
        return std::move(programs.front());
    MessageProgram all;
    all.names.emplace_back();
    all.communicators.emplace_back();  // of all ranks of all programs: nobody calls it
    for (auto const& program : programs)
        if (auto const appended = append(all, program); !appended)
            return pass_on(appended);
    return all;
}

}  // namespace parcast
