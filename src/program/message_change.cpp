#include "program/message_change.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/leading_number.h"
#include "core/percent_text.h"
#include "program/collectives/collective_algorithm.h"

namespace parcast {

namespace {

using Effect = WorkChange::Effect;
using Of = WorkChange::Of;

constexpr char const* changes_of_messages =
    "In a program of messages: rank:3*0.5, function:NAME*0.5, tag:5*0.5, tag:5=free, "
    "collective:allreduce*0.5, L=half";

std::uint64_t scaled_amount(std::uint64_t amount, double factor) {
    auto const scaled = std::round(static_cast<double>(amount) * factor);
    return scaled >= static_cast<double>(most_amount) ? most_amount : static_cast<std::uint64_t>(scaled);
}

struct RankRange {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

// "3", "0-7", or all.
Result<RankRange> ranks_called(std::string_view name, std::uint32_t ranks) {
    auto const dash = name.find('-');
    auto const first = name.empty() ? std::optional(0U) : number_in<std::uint32_t>(name.substr(0, dash));
    auto const last = name.empty()                     ? std::optional(ranks - 1)
                      : dash == std::string_view::npos ? first
                                                       : number_in<std::uint32_t>(name.substr(dash + 1));
    if (!first || !last || *first > *last || *last >= ranks)
        return fail(make_error(
            ErrorCode::unasked, "the program has no rank \"" + std::string(name) + "\"",
            "Its ranks are 0 to " + std::to_string(ranks - 1) + "; several of them: rank:0-3*0.5"));
    return RankRange{*first, *last};
}

bool has_tag(MessageOperation operation) {
    return operation == MessageOperation::send || operation == MessageOperation::receive;
}

double calc_ns(MessageProgram const& program, std::size_t each) {
    return program.kind[each].operation() == MessageOperation::calc
               ? static_cast<double>(program.amount[each])
               : 0;
}

void scale_ranks(MessageProgram& program, RankRange range, double factor) {
    for (auto each = program.first_operation[range.first]; each < program.first_operation[range.last + 1];
         ++each)
        if (program.kind[each].operation() == MessageOperation::calc)
            program.amount[each] = scaled_amount(program.amount[each], factor);
}

Result<void> scale_functions(MessageProgram& program, WorkChange const& change) {
    if (program.name_of.empty())
        return fail(make_error(ErrorCode::unasked, "the computations of this program have no names",
                               "All of a rank: rank:3*0.5"));
    std::map<std::string, double> work;
    bool is_known = false;
    double all_ns = 0;
    for (std::size_t each = 0; each < program.operations(); ++each) {
        auto const& name = program.names[program.name_of[each]];
        work[name] += calc_ns(program, each);
        all_ns += calc_ns(program, each);
        if (name != change.name || program.kind[each].operation() != MessageOperation::calc)
            continue;
        is_known = true;
        program.amount[each] = scaled_amount(program.amount[each], change.factor);
    }
    if (is_known && !change.name.empty())
        return {};
    std::vector<NamedWork> known;
    for (auto const& [name, ns] : work)
        if (!name.empty())
            known.push_back({name, ns});
    return fail(make_error(ErrorCode::unasked, "the program has no computation \"" + change.name + "\"",
                           who_there_is(change.name, std::move(known), all_ns)));
}

// The operation becomes one that takes no time: what waits for it goes on.
void leave_out(MessageProgram& program, std::size_t each) {
    program.kind[each] = MessageKind(MessageOperation::calc, program.kind[each].follows());
    program.amount[each] = 0;
    program.peer[each] = 0;
    program.tag[each] = 0;
}

// "Tags with most bytes: 5 (57 %), 6 (43 %)"
std::string tags_there_are(std::map<std::uint32_t, double> const& bytes, double all_bytes) {
    std::vector<std::pair<std::uint32_t, double>> all(bytes.begin(), bytes.end());
    std::ranges::stable_sort(all, std::greater(), [](auto const& each) { return each.second; });
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 3); ++i)
        text += (i == 0 ? "Tags with most bytes: " : ", ") + std::to_string(all[i].first) + " (" +
                percent_text(all_bytes > 0 ? all[i].second / all_bytes : 0) + ")";
    return text.empty() ? "It sends none at all; collective operations: collective:allreduce*0.5" : text;
}

Result<void> change_tags(MessageProgram& program, WorkChange const& change) {
    auto const tag = change.name.empty() ? std::nullopt : number_in<std::uint32_t>(change.name);
    std::map<std::uint32_t, double> bytes;
    bool is_known = false;
    double all_bytes = 0;
    double meant_bytes = 0;
    for (std::size_t each = 0; each < program.operations(); ++each) {
        auto const operation = program.kind[each].operation();
        if (!has_tag(operation))
            continue;
        if (program.tag[each] == any_tag && tag && change.effect == Effect::freed)
            return fail(make_error(ErrorCode::unasked,
                                   "tag:" + change.name +
                                       "=free: a receive of any tag may take these messages, so that it is "
                                       "not clear what nobody awaits",
                                   "What fewer bytes would bring: tag:" + change.name + "*0.5"));
        if (operation == MessageOperation::send) {
            bytes[program.tag[each]] += static_cast<double>(program.amount[each]);
            all_bytes += static_cast<double>(program.amount[each]);
        }
        if (!change.name.empty() && program.tag[each] != tag)
            continue;
        is_known = true;
        meant_bytes += operation == MessageOperation::send ? static_cast<double>(program.amount[each]) : 0;
        if (change.effect == Effect::freed)
            leave_out(program, each);
        else
            program.amount[each] = scaled_amount(program.amount[each], change.factor);
    }
    if (is_known && change.effect != Effect::freed && meant_bytes == 0)
        return fail(
            make_error(ErrorCode::unasked,
                       (change.name.empty() ? "the messages" : "the messages with tag " + change.name) +
                           " have no bytes: a factor changes nothing",
                       "What it would bring without them: tag:" + change.name + "=free"));
    if (is_known)
        return {};
    return fail(make_error(ErrorCode::unasked,
                           change.name.empty()
                               ? "the program has no message"
                               : "the program has no message with tag \"" + change.name + "\"",
                           tags_there_are(bytes, all_bytes)));
}

Result<void> change_collectives(MessageProgram& program, WorkChange const& change) {
    std::vector<std::string_view> called;
    auto const is_meant = [&](CollectiveCall const& call) {
        return change.name.empty() || change.name == row_of(call.kind).name;
    };
    bool is_known = false;
    for (auto const& call : program.collectives) {
        is_known = is_known || is_meant(call);
        if (std::ranges::find(called, row_of(call.kind).name) == called.end())
            called.push_back(row_of(call.kind).name);
    }
    if (!is_known) {
        std::string kinds;
        for (auto const name : called)
            kinds += (kinds.empty() ? "" : ", ") + std::string(name);
        return fail(
            make_error(ErrorCode::unasked, "the program has no collective operation \"" + change.name + "\"",
                       kinds.empty() ? "It has none at all; its messages: tag:5*0.5" : "It has " + kinds));
    }
    if (change.effect == Effect::freed) {
        for (std::size_t each = 0; each < program.operations(); ++each)
            if (program.kind[each].operation() == MessageOperation::collective &&
                is_meant(program.collectives[program.amount[each]]))
                leave_out(program, each);
        return {};
    }
    for (auto& call : program.collectives) {
        if (!is_meant(call))
            continue;
        call.sent_bytes = scaled_amount(call.sent_bytes, change.factor);
        call.received_bytes = scaled_amount(call.received_bytes, change.factor);
        call.reduce_ns = std::llround(static_cast<double>(call.reduce_ns) * change.factor);
        for (auto& bytes : call.bytes_by_rank)
            bytes = scaled_amount(bytes, change.factor);
    }
    return {};
}

Result<void> apply(WorkChange const& change, MessageProgram& program) {
    switch (change.of) {
        case Of::rank: {
            auto const ranks = ranks_called(change.name, program.ranks());
            if (!ranks)
                return pass_on(ranks);
            scale_ranks(program, *ranks, change.factor);
            return {};
        }
        case Of::function: return scale_functions(program, change);
        case Of::tag: return change_tags(program, change);
        case Of::collective: return change_collectives(program, change);
        case Of::network: return {};
        case Of::lock:
        case Of::thread:
        case Of::place:
        case Of::input_output:
        case Of::sleep:
        case Of::group:
        case Of::wake_up:
        case Of::lwps: break;
    }
    return fail(make_error(ErrorCode::unasked, "this change is for programs of threads, or for task graphs",
                           changes_of_messages));
}

}  // namespace

Result<MessageProgram> changed(MessageProgram const& program, Scenario const& scenario) {
    auto after = program;
    for (auto const& change : scenario.changes)
        if (auto const applied = apply(change, after); !applied)
            return fail(make_error(applied.error().code,
                                   "\"" + scenario.text + "\": " + applied.error().message,
                                   applied.error().advice));
    return after;
}

Result<StepProgram> changed(StepProgram const& program, Scenario const& scenario) {
    auto after = program;
    for (auto const& change : scenario.changes) {
        if (change.of == Of::network)
            continue;
        if (change.of != Of::rank)
            return fail(make_error(ErrorCode::unasked,
                                   "\"" + scenario.text + "\" is no change of a program of steps",
                                   "In a program of steps: rank:3*0.5, L=half"));
        auto const ranks = ranks_called(change.name, program.ranks);
        if (!ranks)
            return pass_on(ranks);
        for (std::size_t step = 0; step < program.steps(); ++step)
            for (auto rank = ranks->first; rank <= ranks->last; ++rank) {
                auto& ns = after.compute_ns[step * program.ranks + rank];
                ns = static_cast<std::int64_t>(scaled_amount(static_cast<std::uint64_t>(ns), change.factor));
            }
    }
    return after;
}

}  // namespace parcast
