#include "import/messages/calling_list.h"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

#include "core/counted.h"

namespace parcast {

namespace {

// The messages of a rank that were started and not waited for.
class StartedMessages {
public:
    explicit StartedMessages(MessageProgram const& program) : program_(program) {}

    void add(std::uint32_t operation) { started_[key_of(operation)].push_back(operation); }

    // Appends the waits for the oldest ones with its peer and tag, up to this one.
    void wait(std::uint32_t operation, std::vector<MessageCall>& calls) {
        auto const found = started_.find(key_of(operation));
        if (found == started_.end() || std::ranges::find(found->second, operation) == found->second.end())
            return;
        for (auto oldest = ~operation; oldest != operation; found->second.pop_front()) {
            oldest = found->second.front();
            calls.push_back({CallKind::wait, oldest});
        }
        if (found->second.empty())
            started_.erase(found);
    }

private:
    using Key = std::tuple<MessageOperation, std::uint32_t, std::uint32_t>;
    Key key_of(std::uint32_t operation) const {
        return {program_.kind[operation].operation(), program_.peer[operation], program_.tag[operation]};
    }

    MessageProgram const& program_;
    std::map<Key, std::deque<std::uint32_t>> started_;
};

bool is_message(MessageKind kind) {
    return kind.operation() == MessageOperation::send || kind.operation() == MessageOperation::receive;
}

}  // namespace

Result<std::vector<MessageCall>> CallingLists::of_rank(std::uint32_t rank) {
    precedences_.go_to(rank);
    auto const first = program_.first_operation[rank];
    auto const end = program_.first_operation[rank + 1];
    if (precedences_.has_forward())
        return fail(ErrorCode::unsupported,
                    "an operation of rank " + std::to_string(rank) +
                        " waits for one that is listed behind it, which a list of calls cannot hold");
    std::vector<MessageCall> calls;
    calls.reserve(end - first);
    StartedMessages started(program_);
    for (auto each = first; each < end; ++each) {
        bool follows = each == first;
        for (auto const& precedence : precedences_.of(each)) {
            follows = follows || precedence.earlier + 1U == each;
            if (!precedence.is_start)
                started.wait(precedence.earlier, calls);
        }
        ordered_ += follows ? 0 : 1;
        bool const is_started =
            is_message(program_.kind[each]) && each + 1 < end && !is_awaited_by_next(each, end);
        calls.push_back({is_started ? CallKind::start : CallKind::run, each});
        if (is_started)
            started.add(each);
    }
    return calls;
}

bool CallingLists::is_awaited_by_next(std::uint32_t operation, std::uint32_t end) {
    return operation + 1 < end &&
           std::ranges::any_of(precedences_.of(operation + 1), [&](Precedence const& precedence) {
               return precedence.earlier == operation && !precedence.is_start;
           });
}

std::vector<std::string> CallingLists::left_out() const {
    std::vector<std::string> sentences;
    auto const is_used = [](auto const& column) {
        return std::ranges::any_of(column, [](auto value) { return value != 0; });
    };
    if (ordered_ > 0)
        sentences.push_back(
            counted(static_cast<std::int64_t>(ordered_), "operation starts", "operations start") +
            " after the one before in the list, which the program leaves free");
    if (is_used(program_.cpu) || is_used(program_.nic))
        sentences.emplace_back("each rank has one CPU and one interface");
    if (is_used(program_.name_of))
        sentences.emplace_back("computations have no names");
    return sentences;
}

}  // namespace parcast
