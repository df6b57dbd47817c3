#include "machine/ready_policy.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace parcast {

namespace {

using namespace ready;
using Number = ReadyPolicyRow::Number;

std::string all_names() {
    std::string list;
    for (auto const& known : ready_policies)
        list += (list.empty() ? "" : ", ") + std::string(known.word) +
                (known.number == Number::must_follow  ? ":N"
                 : known.number == Number::may_follow ? "[:N]"
                                                      : "");
    return list;
}

std::optional<std::uint32_t> positive(std::string_view text) {
    std::uint32_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool const is_whole = error == std::errc() && end == text.data() + text.size();
    return is_whole && value > 0 ? std::optional(value) : std::nullopt;
}

ReadyPolicy with_number(ReadyPolicy policy, std::uint32_t number) {
    if (auto* batch = std::get_if<Batch>(&policy))
        batch->size = number;
    else if (auto* sharing = std::get_if<ProcessorSharing>(&policy))
        sharing->processes = number;
    return policy;
}

std::optional<std::uint32_t> number_of(ReadyPolicy const& policy) {
    if (auto const* batch = std::get_if<Batch>(&policy))
        return batch->size > 1 || batch->kind == Batch::Kind::fixed ? std::optional(batch->size)
                                                                    : std::nullopt;
    if (auto const* sharing = std::get_if<ProcessorSharing>(&policy))
        return sharing->processes;
    return std::nullopt;
}

ReadyPolicy without_number(ReadyPolicy policy) {
    if (auto* batch = std::get_if<Batch>(&policy))
        batch->size = 1;
    else if (auto* sharing = std::get_if<ProcessorSharing>(&policy))
        sharing->processes.reset();
    return policy;
}

}  // namespace

Result<ReadyPolicy> parse_ready_policy(std::string_view text) {
    auto const colon = text.find(':');
    auto const known = std::ranges::find(ready_policies, text.substr(0, colon), &ReadyPolicyRow::word);
    if (known == ready_policies.end()) {
        return fail(ErrorCode::malformed,
                    "there is no schedule '" + std::string(text) + "'; there are " + all_names());
    }
    if (colon == std::string_view::npos && known->number != Number::must_follow)
        return known->policy;
    auto const number = colon == std::string_view::npos ? std::nullopt : positive(text.substr(colon + 1));
    if (known->number == Number::none || !number) {
        return fail(ErrorCode::malformed,
                    "'" + std::string(text) + "' should be '" + std::string(known->word) +
                        (known->number == Number::none ? "', without a number" : ":N', N a number from 1"));
    }
    return with_number(known->policy, *number);
}

std::string name_of(ReadyPolicy const& policy) {
    auto const known = std::ranges::find(ready_policies, without_number(policy), &ReadyPolicyRow::policy);
    auto const number = number_of(policy);
    return std::string(known->word) + (number ? ":" + std::to_string(*number) : "");
}

bool is_work_conserving(ReadyPolicy const& policy) {
    if (auto const* batch = std::get_if<Batch>(&policy))
        return batch->kind == Batch::Kind::fixed && batch->size == 1;
    if (auto const* sharing = std::get_if<ProcessorSharing>(&policy))
        return !sharing->processes;
    return std::holds_alternative<Fifo>(policy) || std::holds_alternative<Lpt>(policy) ||
           std::holds_alternative<ListOrder>(policy) || std::holds_alternative<SeveralQueues>(policy);
}

}  // namespace parcast
