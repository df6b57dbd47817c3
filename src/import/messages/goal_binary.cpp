#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "import/messages/goal_binary_layout.h"
#include "import/messages/message_readers.h"
#include "program/message_program_builder.h"
#include "program/step_program.h"

namespace parcast {

namespace {

using goal_binary::number_at;

// One rank's places, in bytes from the begin of the file, and counts.
struct GoalBlock {
    std::size_t records = 0;
    std::uint32_t operations = 0;
    std::size_t roots = 0;
    std::uint32_t root_count = 0;
    std::size_t successors = 0;
    std::size_t successor_count = 0;
};

// Keeps the first error; each part says whether there is none.
class GoalBinaryReader {
public:
    GoalBinaryReader(std::string_view bytes, std::string_view file) : bytes_(bytes), file_(file) {}

    Result<MessageProgram> read() {
        if (!read_header() || !read_blocks())
            return tl::unexpected<Error>(std::move(*error_));
        reserve();
        for (auto const& block : blocks_)
            if (!read_rank(block))
                return tl::unexpected<Error>(std::move(*error_));
        if (auto const checked = check(program_); !checked)
            return fail(checked.error().code, checked.error().message,
                        {.file = file_, .line = {}, .column = {}, .byte_offset = {}});
        return std::move(program_);
    }

private:
    bool read_header() {
        if (bytes_.size() < goal_binary::header_bytes)
            return complain(ErrorCode::truncated, "the file ends before its number of ranks", bytes_.size());
        auto const mark = at<std::uint64_t>(0);
        if (mark == goal_binary::used_up_mark)
            return complain(
                ErrorCode::unsupported,
                "a run of LogGOPSim with --save-mem has used up this file; convert the text again", 0);
        if (mark != goal_binary::mark)
            return complain(ErrorCode::malformed, "this is no binary GOAL file", 0);
        ranks_ = at<std::uint32_t>(8);
        if (ranks_ == 0 || ranks_ > most_ranks)
            return complain(ErrorCode::out_of_range,
                            "the number of ranks is " + std::to_string(ranks_) + ", and 1 to " +
                                std::to_string(most_ranks) + " are possible",
                            8);
        highest_cpu_ = at<std::uint8_t>(12);
        highest_nic_ = at<std::uint8_t>(13);
        if ((bytes_.size() - goal_binary::header_bytes) / goal_binary::block_place_bytes < ranks_)
            return complain(ErrorCode::truncated,
                            "the file ends before the places of its " + std::to_string(ranks_) + " ranks",
                            bytes_.size());
        return true;
    }

    bool read_blocks() {
        blocks_.reserve(ranks_);
        auto const counted_bytes = bytes_.size() - goal_binary::counted_from;
        std::uint64_t next = goal_binary::header_bytes - goal_binary::counted_from +
                             std::uint64_t{ranks_} * goal_binary::block_place_bytes;
        for (std::size_t rank = 0; rank < ranks_; ++rank) {
            auto const place = goal_binary::header_bytes + rank * goal_binary::block_place_bytes;
            auto const begin = at<std::uint64_t>(place);
            auto const end = at<std::uint64_t>(place + 8);
            auto const which = "rank " + std::to_string(rank);
            if (begin != next || end < begin)
                return complain(ErrorCode::inconsistent,
                                which + " does not begin where the one before it ends", place);
            if (end > counted_bytes)
                return complain(ErrorCode::truncated, "the file ends inside " + which, bytes_.size());
            if (!read_block(which, begin + goal_binary::counted_from, end + goal_binary::counted_from))
                return false;
            next = end;
        }
        if (next != counted_bytes)
            return complain(ErrorCode::inconsistent,
                            std::to_string(counted_bytes - next) + " bytes follow the last rank",
                            next + goal_binary::counted_from);
        return true;
    }

    bool read_block(std::string const& which, std::size_t begin, std::size_t end) {
        auto const size = end - begin;
        if (size < 8)
            return complain(ErrorCode::truncated, which + " ends before its number of operations", begin);
        GoalBlock block;
        block.operations = at<std::uint32_t>(begin);
        block.root_count = at<std::uint32_t>(begin + 4);
        block.roots = begin + 8;
        block.records = block.roots + 4 * std::size_t{block.root_count};
        block.successors = block.records + goal_binary::record_bytes * std::size_t{block.operations};
        if (block.successors > end || block.root_count > block.operations)
            return complain(ErrorCode::inconsistent,
                            which + " has no room for its " + std::to_string(block.operations) +
                                " operations and " + std::to_string(block.root_count) + " roots",
                            begin);
        block.successor_count = (end - block.successors) / 4;
        operations_ += block.operations;
        if (operations_ > most_operations)
            return complain(ErrorCode::out_of_range, "these are more operations than parcast can keep",
                            begin);
        blocks_.push_back(block);
        return true;
    }

    void reserve() {
        program_.first_operation.reserve(ranks_ + std::size_t{1});
        program_.kind.resize(operations_);
        program_.amount.resize(operations_);
        program_.peer.resize(operations_);
        program_.tag.resize(operations_);
        program_.cpu.resize(highest_cpu_ > 0 ? operations_ : 0);
        program_.nic.resize(highest_nic_ > 0 ? operations_ : 0);
    }

    bool read_rank(GoalBlock const& block) {
        auto const first = program_.first_operation.back();
        awaits_.resize(block.operations);
        std::uint64_t predecessors = 0;
        for (std::uint32_t each = 0; each < block.operations; ++each) {
            auto const place = block.records + each * goal_binary::record_bytes;
            awaits_[each] = at<std::uint32_t>(place + goal_binary::predecessors_at);
            predecessors += awaits_[each];
            if (!read_record(first + each, place))
                return false;
        }
        if (predecessors > block.successor_count)
            return complain(ErrorCode::inconsistent,
                            rank_name() + " waits for " + std::to_string(predecessors) +
                                " operations, and its list has " + std::to_string(block.successor_count),
                            block.records);
        if (!check_roots(block) || !read_precedences(block, first))
            return false;
        program_.first_operation.push_back(first + block.operations);
        return true;
    }

    std::string rank_name() const { return "rank " + std::to_string(program_.ranks()); }

    bool read_record(std::uint32_t operation, std::size_t place) {
        auto const type = at<std::uint8_t>(place + goal_binary::type_at);
        if (type < goal_binary::send_type || type > goal_binary::calc_type)
            return complain(ErrorCode::malformed,
                            "an operation is of type " + std::to_string(type) +
                                ", and only 1 (send), 2 (recv) and 3 (calc) are known",
                            place + goal_binary::type_at);
        constexpr MessageOperation kinds[] = {MessageOperation::send, MessageOperation::receive,
                                              MessageOperation::calc};
        auto const kind = kinds[type - 1];
        program_.kind[operation] = MessageKind(kind, Follows::nothing);
        auto const amount = at<std::uint64_t>(place + goal_binary::amount_at);
        if (amount > most_amount)
            return complain(ErrorCode::out_of_range,
                            std::to_string(amount) + (kind == MessageOperation::calc ? " ns" : " bytes") +
                                " is over " + std::to_string(most_amount),
                            place + goal_binary::amount_at);
        program_.amount[operation] = amount;
        if (kind != MessageOperation::calc) {
            auto const peer = at<std::uint32_t>(place + goal_binary::peer_at);
            bool const is_any = peer == any_peer && kind == MessageOperation::receive;
            if (peer >= ranks_ && !is_any)
                return complain(ErrorCode::out_of_range,
                                "there is no rank " + std::to_string(peer) + "; the last one is rank " +
                                    std::to_string(ranks_ - 1),
                                place + goal_binary::peer_at);
            program_.peer[operation] = peer;
            program_.tag[operation] = at<std::uint32_t>(place + goal_binary::tag_at);
        }
        return keep_index(program_.cpu, operation, highest_cpu_, place + goal_binary::cpu_at, "CPU") &&
               keep_index(program_.nic, operation, highest_nic_, place + goal_binary::nic_at, "interface");
    }

    bool keep_index(std::vector<std::uint8_t>& column, std::uint32_t operation, std::uint8_t highest,
                    std::size_t place, char const* what) {
        auto const index = at<std::uint8_t>(place);
        if (index > highest)
            return complain(ErrorCode::inconsistent,
                            "there is no " + std::string(what) + " " + std::to_string(index) +
                                "; the highest one is " + std::to_string(highest),
                            place);
        if (highest > 0)
            column[operation] = index;
        return true;
    }

    bool check_roots(GoalBlock const& block) {
        std::uint32_t found = 0;
        for (std::uint32_t each = 0; each < block.operations; ++each) {
            if (awaits_[each] > 0)
                continue;
            auto const place = block.roots + 4 * std::size_t{found};
            if (found == block.root_count || at<std::uint32_t>(place) != each)
                return complain(ErrorCode::inconsistent,
                                rank_name() + ", operation " + std::to_string(each) +
                                    " waits for nothing, and is not in the list of those",
                                found == block.root_count ? block.roots : place);
            ++found;
        }
        if (found < block.root_count)
            return complain(ErrorCode::inconsistent,
                            rank_name() + " lists " + std::to_string(block.root_count) +
                                " operations that wait for nothing, and has " + std::to_string(found),
                            block.roots);
        return true;
    }

    // Turns the successors of each operation into what each waits for: marks first, then the precedences that
    // are left, each behind those of the operations before it.
    bool read_precedences(GoalBlock const& block, std::uint32_t first) {
        unmet_ = awaits_;
        for (std::uint32_t each = 0; each < block.operations; ++each)
            if (!mark_successors(block, first, each, is_end) ||
                !mark_successors(block, first, each, is_start))
                return false;
        for (std::uint32_t each = 0; each < block.operations; ++each)
            if (unmet_[each] > 0)
                return complain(ErrorCode::inconsistent,
                                rank_name() + ", operation " + std::to_string(each) +
                                    " waits for more operations than name it",
                                block.records + each * goal_binary::record_bytes);
        keep_precedences(block, first);
        return true;
    }

    struct Relation {
        std::size_t place;  // in a record
        bool is_start;
    };
    static constexpr Relation is_end{goal_binary::after_end_at, false};
    static constexpr Relation is_start{goal_binary::after_start_at, true};

    bool mark_successors(GoalBlock const& block, std::uint32_t first, std::uint32_t operation,
                         Relation relation) {
        auto const place = block.records + operation * goal_binary::record_bytes + relation.place;
        auto const count = at<std::uint32_t>(place);
        auto const begin = at<std::uint32_t>(place + 4);
        if (count == 0)
            return true;
        if (begin > block.successor_count || count > block.successor_count - begin)
            return complain(ErrorCode::inconsistent,
                            rank_name() + ", operation " + std::to_string(operation) +
                                ": its successors lie outside of their list",
                            place);
        for (std::uint32_t i = 0; i < count; ++i) {
            auto const from = block.successors + 4 * (std::size_t{begin} + i);
            auto const later = at<std::uint32_t>(from);
            if (later >= block.operations || unmet_[later] == 0)
                return complain(
                    ErrorCode::inconsistent,
                    rank_name() + ", operation " + std::to_string(operation) + " is followed by operation " +
                        std::to_string(later) +
                        (later < block.operations ? ", which waits for fewer" : ", which does not exist"),
                    from);
            --unmet_[later];
            bool const is_usual = awaits_[later] == 1 && later == operation + 1 && !relation.is_start;
            auto& kind = program_.kind[first + later];
            kind = MessageKind(kind.operation(), is_usual ? Follows::one_before : Follows::precedences);
        }
        return true;
    }

    void keep_precedences(GoalBlock const& block, std::uint32_t first) {
        auto& all = program_.precedences;
        auto next = all.size();
        auto const has_some = [&](std::uint32_t operation) {
            return program_.kind[first + operation].follows() == Follows::precedences;
        };
        next_.resize(block.operations);
        for (std::uint32_t each = 0; each < block.operations; ++each) {
            next_[each] = next;
            next += has_some(each) ? awaits_[each] : 0;
        }
        if (next == all.size())
            return;
        all.resize(next);
        for (std::uint32_t each = 0; each < block.operations; ++each) {
            for (auto const relation : {is_end, is_start}) {
                auto const place = block.records + each * goal_binary::record_bytes + relation.place;
                auto const count = at<std::uint32_t>(place);
                auto const begin = block.successors + 4 * std::size_t{at<std::uint32_t>(place + 4)};
                for (std::uint32_t i = 0; i < count; ++i)
                    if (auto const later = at<std::uint32_t>(begin + 4 * std::size_t{i}); has_some(later))
                        all[next_[later]++] = {first + later, first + each, relation.is_start};
            }
        }
    }

    template <class Number>
    Number at(std::size_t place) const {
        return number_at<Number>(bytes_.data() + place);
    }

    bool complain(ErrorCode code, std::string message, std::size_t place) {
        error_ = Error{code, std::move(message),
                       SourcePosition{.file = file_, .line = {}, .column = {}, .byte_offset = place}};
        return false;
    }

    std::string_view bytes_;
    std::string file_;
    std::uint32_t ranks_ = 0;
    std::uint8_t highest_cpu_ = 0;
    std::uint8_t highest_nic_ = 0;
    std::size_t operations_ = 0;
    std::vector<GoalBlock> blocks_;
    // For the rank that is being read: how many each waits for, how many of those have not been read, and
    // where its next precedence is kept.
    std::vector<std::uint32_t> awaits_;
    std::vector<std::uint32_t> unmet_;
    std::vector<std::size_t> next_;
    MessageProgram program_;
    std::optional<Error> error_;
};

}  // namespace

Result<MessageProgram> messages_from_goal_binary(std::string_view bytes, std::string_view file) {
    return GoalBinaryReader(bytes, file).read();
}

}  // namespace parcast
