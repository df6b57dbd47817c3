#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "import/messages/goal_binary_layout.h"
#include "import/messages/message_writers.h"
#include "import/messages/rank_precedences.h"

namespace parcast {

namespace {

Result<void> check_for_goal(MessageProgram const& program) {
    auto const is_collective = [](MessageKind kind) {
        return kind.operation() == MessageOperation::collective;
    };
    if (std::ranges::any_of(program.kind, is_collective))
        return fail(ErrorCode::unsupported, "GOAL has no collective operations, and this program has some");
    return {};
}

std::vector<std::string> left_out_of_goal(MessageProgram const& program) {
    std::vector<std::string> sentences;
    if (std::ranges::any_of(program.kind, &MessageKind::is_synchronous))
        sentences.emplace_back(
            "GOAL has no synchronous sends: a send waits for its receive only if its message is large");
    if (std::ranges::any_of(program.name_of, [](std::uint16_t name) { return name != 0; }))
        sentences.emplace_back("GOAL has no names of computations");
    return sentences;
}

class GoalTextWriter {
public:
    explicit GoalTextWriter(MessageProgram const& program) : program_(program), precedences_(program) {}

    std::string write() {
        append("num_ranks ", program_.ranks(), "\n");
        for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank)
            write_rank(rank);
        return std::move(text_);
    }

private:
    void write_rank(std::uint32_t rank) {
        first_ = program_.first_operation[rank];
        auto const end = program_.first_operation[rank + 1];
        precedences_.go_to(rank);
        find_labels(end);
        append("\nrank ", rank, " {\n");
        for (auto each = first_; each < end; ++each) {
            write_operation(each);
            if (!precedences_.has_forward())
                write_precedences(each);
        }
        // A label is defined before it is used: where one waits for a later one, all precedences come last.
        if (precedences_.has_forward())
            for (auto each = first_; each < end; ++each)
                write_precedences(each);
        append("}\n");
    }

    // Those that wait, and those that are awaited.
    void find_labels(std::uint32_t end) {
        has_label_.assign(end - first_, false);
        for (auto each = first_; each < end; ++each)
            for (auto const& precedence : precedences_.of(each)) {
                has_label_[each - first_] = true;
                has_label_[precedence.earlier - first_] = true;
            }
    }

    void write_operation(std::uint32_t each) {
        if (has_label_[each - first_])
            append("l", each - first_, ": ");
        switch (program_.kind[each].operation()) {
            case MessageOperation::calc: append("calc ", program_.amount[each]); break;
            case MessageOperation::send:
                append("send ", program_.amount[each], "b to ", program_.peer[each]);
                break;
            case MessageOperation::receive:
                append("recv ", program_.amount[each], "b from ");
                append_or_any(program_.peer[each]);
                break;
            case MessageOperation::collective: break;  // check_for_goal
        }
        if (program_.kind[each].operation() != MessageOperation::calc && program_.tag[each] != 0) {
            append(" tag ");
            append_or_any(program_.tag[each]);
        }
        if (program_.cpu_of(each) != 0)
            append(" cpu ", program_.cpu_of(each));
        if (program_.kind[each].operation() != MessageOperation::calc && program_.nic_of(each) != 0)
            append(" nic ", program_.nic_of(each));
        append("\n");
    }

    void write_precedences(std::uint32_t each) {
        for (auto const& [later, earlier, is_start] : precedences_.of(each))
            append("l", later - first_, is_start ? " irequires l" : " requires l", earlier - first_, "\n");
    }

    void append_or_any(std::uint32_t value) {
        if (value == any_peer)
            append("-1");
        else
            append(value);
    }

    template <class... Parts>
    void append(Parts... parts) {
        (append_part(parts), ...);
    }
    void append_part(char const* part) { text_ += part; }
    void append_part(std::uint64_t number) {
        char digits[20];
        auto const written = std::to_chars(digits, digits + sizeof(digits), number);
        text_.append(digits, written.ptr);
    }

    MessageProgram const& program_;
    RankPrecedences precedences_;
    std::uint32_t first_ = 0;
    std::vector<bool> has_label_;
    std::string text_;
};

class GoalBinaryWriter {
public:
    explicit GoalBinaryWriter(MessageProgram const& program) : program_(program), precedences_(program) {}

    std::string write() {
        auto const ranks = program_.ranks();
        std::string bytes(goal_binary::header_bytes + goal_binary::block_place_bytes * std::size_t{ranks},
                          '\0');
        auto* next = goal_binary::put_number(bytes.data(), goal_binary::mark);
        next = goal_binary::put_number(next, ranks);
        next = goal_binary::put_number(next, highest(program_.cpu));
        goal_binary::put_number(next, highest(program_.nic));
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            std::uint64_t const begin = bytes.size() - goal_binary::counted_from;
            write_rank(rank, bytes);
            std::uint64_t const end = bytes.size() - goal_binary::counted_from;
            auto* const place =
                bytes.data() + goal_binary::header_bytes + goal_binary::block_place_bytes * rank;
            goal_binary::put_number(goal_binary::put_number(place, begin), end);
        }
        return bytes;
    }

private:
    static std::uint8_t highest(std::vector<std::uint8_t> const& column) {
        return column.empty() ? std::uint8_t{0} : std::ranges::max(column);
    }

    // By the operation that is awaited: how many wait, for its end and for its start, and where they begin.
    struct Successors {
        std::uint32_t after_end = 0;
        std::uint32_t after_start = 0;
        std::uint32_t predecessors = 0;
        std::uint32_t begin = 0;
    };

    void write_rank(std::uint32_t rank, std::string& bytes) {
        auto const first = program_.first_operation[rank];
        auto const count = program_.first_operation[rank + 1] - first;
        precedences_.go_to(rank);
        auto const total = count_successors(first, count);
        auto const roots =
            static_cast<std::uint32_t>(std::ranges::count(successors_, 0U, &Successors::predecessors));
        auto const begin = bytes.size();
        bytes.resize(begin + 8 + 4 * std::size_t{roots} + goal_binary::record_bytes * std::size_t{count} +
                     4 * std::size_t{total});
        auto* next = goal_binary::put_number(bytes.data() + begin, count);
        next = goal_binary::put_number(next, roots);
        for (std::uint32_t each = 0; each < count; ++each)
            if (successors_[each].predecessors == 0)
                next = goal_binary::put_number(next, each);
        for (std::uint32_t each = 0; each < count; ++each)
            next = put_record(next, first + each, successors_[each]);
        put_successors(next, first, count);
    }

    std::uint32_t count_successors(std::uint32_t first, std::uint32_t count) {
        successors_.assign(count, {});
        for (std::uint32_t each = 0; each < count; ++each) {
            for (auto const& precedence : precedences_.of(first + each)) {
                auto& awaited = successors_[precedence.earlier - first];
                ++(precedence.is_start ? awaited.after_start : awaited.after_end);
                ++successors_[each].predecessors;
            }
        }
        std::uint32_t total = 0;
        for (auto& each : successors_) {
            each.begin = total;
            total += each.after_end + each.after_start;
        }
        return total;
    }

    char* put_record(char* place, std::uint32_t operation, Successors const& successors) const {
        using goal_binary::put_number;
        auto const kind = program_.kind[operation].operation();
        bool const is_calc = kind == MessageOperation::calc;
        place = put_number(place, successors.predecessors);
        place = put_number(place, is_calc                          ? goal_binary::calc_type
                                  : kind == MessageOperation::send ? goal_binary::send_type
                                                                   : goal_binary::receive_type);
        place = put_number(place, is_calc ? 0U : program_.peer[operation]);
        place = put_number(place, program_.amount[operation]);
        place = put_number(place, is_calc ? 0U : program_.tag[operation]);
        place = put_number(place, static_cast<std::uint8_t>(program_.cpu_of(operation)));
        place = put_number(place, static_cast<std::uint8_t>(program_.nic_of(operation)));
        place = put_number(place, successors.after_end);
        place = put_number(place, successors.begin);
        place = put_number(place, successors.after_start);
        return put_number(place, successors.begin + successors.after_end);
    }

    void put_successors(char* place, std::uint32_t first, std::uint32_t count) {
        for (auto& each : successors_) {
            each.after_start = each.begin + each.after_end;  // where the next one of either goes
            each.after_end = each.begin;
        }
        for (std::uint32_t each = 0; each < count; ++each)
            for (auto const& precedence : precedences_.of(first + each)) {
                auto& awaited = successors_[precedence.earlier - first];
                auto const to = precedence.is_start ? awaited.after_start++ : awaited.after_end++;
                goal_binary::put_number(place + 4 * std::size_t{to}, each);
            }
    }

    MessageProgram const& program_;
    RankPrecedences precedences_;
    std::vector<Successors> successors_;
};

}  // namespace

Result<WrittenMessages> to_goal(MessageProgram const& program) {
    if (auto const checked = check_for_goal(program); !checked)
        return pass_on(checked);
    return WrittenMessages{GoalTextWriter(program).write(), left_out_of_goal(program)};
}

Result<WrittenMessages> to_goal_binary(MessageProgram const& program) {
    if (auto const checked = check_for_goal(program); !checked)
        return pass_on(checked);
    return WrittenMessages{GoalBinaryWriter(program).write(), left_out_of_goal(program)};
}

}  // namespace parcast
