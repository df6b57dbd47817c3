// A hand-written scanner, one pass over the bytes, of the grammar that LogGOPSim's txt2bin has:
//
//     num_ranks N
//     rank R {                      ranks in their order, from 0
//     [label:] calc NS [cpu C]
//     [label:] send BYTESb to PEER [tag T] [cpu C] [nic K]
//     [label:] recv BYTESb from PEER [tag T] [cpu C] [nic K]
//     label requires label
//     label irequires label
//     }
//
// A statement ends with its line. Comments stand where a statement could start.

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "import/messages/goal_labels.h"
#include "import/messages/message_readers.h"
#include "import/reader_parts.h"
#include "program/message_program_builder.h"
#include "program/step_program.h"

namespace parcast {

namespace {

constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr auto word_characters = [] {
    std::array<bool, 256> is_in{};
    for (std::size_t c = 0; c < is_in.size(); ++c)
        is_in[c] = is_letter(static_cast<char>(c)) || (c >= '0' && c <= '9') || c == '_';
    return is_in;
}();

// Keeps the first error; each part says whether there is none.
class GoalReader {
public:
    GoalReader(std::string_view text, std::string_view file)
        : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), file_(file) {}

    Result<MessageProgram> read() {
        if (!read_statements())
            return tl::unexpected<Error>(std::move(*error_));
        auto program = std::move(builder_).finish();
        if (auto const checked = check(program); !checked)
            return fail(checked.error().code, checked.error().message,
                        {.file = file_, .line = {}, .column = {}, .byte_offset = {}});
        return program;
    }

private:
    bool read_statements() {
        while (skip_to_statement()) {
            bool const is_read = *at_ == '}' ? end_rank() : read_statement();
            if (!is_read)
                return false;
        }
        if (error_)
            return false;
        if (is_in_rank_)
            return complain(ErrorCode::truncated, "the text ends inside rank " +
                                                      std::to_string(builder_.ranks()) + ", before its }");
        if (!ranks_)
            return complain(ErrorCode::truncated, "expected the number of ranks: num_ranks N");
        if (builder_.ranks() < *ranks_)
            return complain(ErrorCode::truncated, "num_ranks says " + std::to_string(*ranks_) +
                                                      " ranks, and the text ends after " +
                                                      std::to_string(builder_.ranks()));
        return true;
    }

    bool end_rank() {
        if (!is_in_rank_)
            return complain(ErrorCode::malformed, "this } ends no rank");
        ++at_;
        builder_.end_rank();
        is_in_rank_ = false;
        return true;
    }

    bool read_statement() {
        auto const place = at_;
        auto const name = word();
        if (name.empty())
            return complain(ErrorCode::malformed,
                            is_in_rank_ ? "expected calc, send, recv, a label or }" : "expected rank R {");
        if (name == "num_ranks")
            return read_number_of_ranks(place);
        if (name == "rank")
            return begin_rank(place);
        if (!is_in_rank_)
            return complain(ErrorCode::malformed, "expected rank R {", place);
        return read_operation(name, place) && end_statement();
    }

    bool read_number_of_ranks(char const* place) {
        std::uint64_t ranks = 0;
        if (ranks_)
            return complain(ErrorCode::malformed, "the number of ranks is given twice", place);
        if (!whole(ranks, "the number of ranks", most_ranks))
            return false;
        if (ranks == 0)
            return complain(ErrorCode::out_of_range, "a program has one rank or more", place);
        ranks_ = static_cast<std::uint32_t>(ranks);
        return true;
    }

    bool begin_rank(char const* place) {
        std::uint64_t rank = 0;
        if (!ranks_)
            return complain(ErrorCode::malformed, "the number of ranks comes first: num_ranks N", place);
        if (is_in_rank_)
            return complain(ErrorCode::malformed,
                            "rank " + std::to_string(builder_.ranks()) + " has no } before the next rank",
                            place);
        if (!whole(rank, "the number of a rank", most_ranks))
            return false;
        if (rank >= *ranks_)
            return complain(ErrorCode::out_of_range, no_rank(rank), place);
        if (rank != builder_.ranks())
            return complain(
                ErrorCode::inconsistent,
                "expected rank " + std::to_string(builder_.ranks()) + ": ranks come in their order, from 0",
                place);
        skip_blanks();
        if (at_ == end_ || *at_ != '{')
            return complain(ErrorCode::malformed, "expected { after the number of a rank");
        ++at_;
        is_in_rank_ = true;
        labels_.clear();
        return true;
    }

    bool read_operation(std::string_view name, char const* place) {
        if (auto const kind = operation_named(name))
            return add(*kind);
        skip_blanks();
        if (at_ < end_ && *at_ == ':') {
            ++at_;
            return read_labelled(name, place);
        }
        auto const relation = word();
        if (relation != "requires" && relation != "irequires")
            return complain(ErrorCode::malformed, "expected ':', requires or irequires after a label",
                            at_ - relation.size());
        return read_precedence(name, place, relation == "irequires");
    }

    bool read_labelled(std::string_view label, char const* place) {
        skip_blanks();
        auto const word_place = at_;
        auto const kind = operation_named(word());
        if (!kind)
            return complain(ErrorCode::malformed, "expected calc, send or recv after a label", word_place);
        auto const operation = static_cast<std::uint32_t>(builder_.operations());
        if (!labels_.insert(label, operation))
            return complain(ErrorCode::inconsistent,
                            "rank " + std::to_string(builder_.ranks()) + " has the label '" +
                                std::string(label) + "' twice",
                            place);
        return add(*kind);
    }

    bool read_precedence(std::string_view later, char const* place, bool is_start) {
        skip_blanks();
        auto const second_place = at_;
        auto const earlier = word();
        if (earlier.empty() || !is_letter(earlier.front()))
            return complain(ErrorCode::malformed, "expected a label", second_place);
        auto const waits = labels_.find(later);
        auto const awaited = labels_.find(earlier);
        if (!waits || !awaited)
            return complain(ErrorCode::not_found,
                            "rank " + std::to_string(builder_.ranks()) + " has no label '" +
                                std::string(waits ? earlier : later) + "' before this line",
                            waits ? second_place : place);
        if (*waits == *awaited)
            return complain(ErrorCode::inconsistent, "'" + std::string(later) + "' waits for itself", place);
        builder_.wait(*waits, *awaited, is_start);
        return true;
    }

    static std::optional<MessageOperation> operation_named(std::string_view name) {
        if (name == "calc")
            return MessageOperation::calc;
        if (name == "send")
            return MessageOperation::send;
        if (name == "recv")
            return MessageOperation::receive;
        return std::nullopt;
    }

    bool add(MessageOperation operation) {
        MessageStep step{.operation = operation};
        if (builder_.operations() >= most_operations)
            return complain(ErrorCode::out_of_range, "this is one operation more than parcast can keep");
        if (operation == MessageOperation::calc) {
            if (!whole(step.amount, "a time in ns", most_amount))
                return false;
        } else if (!read_message(step)) {
            return false;
        }
        if (!read_index("cpu", step.cpu))
            return false;
        if (operation != MessageOperation::calc && !read_index("nic", step.nic))
            return false;
        builder_.add(step);
        return true;
    }

    bool read_message(MessageStep& step) {
        bool const is_send = step.operation == MessageOperation::send;
        if (!whole(step.amount, "a number of bytes", most_amount))
            return false;
        skip_blanks();
        if (at_ == end_ || *at_ != 'b')
            return complain(ErrorCode::malformed, "expected b after the number of bytes");
        ++at_;
        skip_blanks();
        auto const place = at_;
        if (word() != (is_send ? "to" : "from"))
            return complain(ErrorCode::malformed, is_send ? "expected: to RANK" : "expected: from RANK",
                            place);
        return read_peer(step) && read_tag(step);
    }

    bool read_peer(MessageStep& step) {
        skip_blanks();
        auto const place = at_;
        if (step.operation == MessageOperation::receive && is_minus_one()) {
            step.peer = any_peer;
            return true;
        }
        std::uint64_t peer = 0;
        if (!whole(peer, "a rank", any_peer))
            return false;
        if (peer >= *ranks_)
            return complain(ErrorCode::out_of_range, no_rank(peer), place);
        step.peer = static_cast<std::uint32_t>(peer);
        return true;
    }

    bool read_tag(MessageStep& step) {
        if (!is_next_word("tag"))
            return true;
        skip_blanks();
        std::uint64_t tag = any_tag;
        if (!is_minus_one() && !whole(tag, "a tag", any_tag))
            return false;
        step.tag = static_cast<std::uint32_t>(tag);
        return true;
    }

    bool read_index(std::string_view name, std::uint8_t& index) {
        if (!is_next_word(name))
            return true;
        std::uint64_t value = 0;
        if (!whole(value, name == "cpu" ? "the number of a CPU" : "the number of an interface", 255))
            return false;
        index = static_cast<std::uint8_t>(value);
        return true;
    }

    bool end_statement() {
        skip_blanks();
        if (at_ < end_ && *at_ == '\r')
            ++at_;
        if (at_ < end_ && *at_ == '\n') {
            ++at_;
            return true;
        }
        return at_ == end_
                   ? complain(ErrorCode::truncated, "the text ends inside a statement")
                   : complain(ErrorCode::malformed, "the statement goes on where its line should end");
    }

    // Over blanks, empty lines and comments. False at the end of the text.
    bool skip_to_statement() {
        for (; at_ < end_; ++at_) {
            if (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r')
                continue;
            if (*at_ != '/')
                return true;
            if (!skip_comment())
                return false;
        }
        return false;
    }

    // To its last character.
    bool skip_comment() {
        auto const rest = std::string_view(at_, static_cast<std::size_t>(end_ - at_));
        bool const is_long = rest.starts_with("/*");
        if (!is_long && !rest.starts_with("//"))
            return complain(ErrorCode::malformed, "expected a comment: // or /*");
        auto const end = is_long ? rest.find("*/", 2) : rest.find('\n');
        if (end == std::string_view::npos && is_long)
            return complain(ErrorCode::truncated, "the text ends inside a comment");
        at_ = end == std::string_view::npos ? end_ - 1 : at_ + end + (is_long ? 1 : 0);
        return true;
    }

    void skip_blanks() {
        while (at_ < end_ && (*at_ == ' ' || *at_ == '\t'))
            ++at_;
    }

    // Empty if there is none.
    std::string_view word() {
        auto const start = at_;
        if (at_ < end_ && is_letter(*at_))
            while (at_ < end_ && word_characters[static_cast<unsigned char>(*at_)])
                ++at_;
        return {start, static_cast<std::size_t>(at_ - start)};
    }

    bool is_next_word(std::string_view expected) {
        skip_blanks();
        auto const start = at_;
        if (word() == expected)
            return true;
        at_ = start;
        return false;
    }

    bool is_minus_one() {
        if (end_ - at_ < 2 || at_[0] != '-' || at_[1] != '1')
            return false;
        at_ += 2;
        return true;
    }

    bool whole(std::uint64_t& value, char const* what, std::uint64_t most) {
        skip_blanks();
        auto const [end, problem] = std::from_chars(at_, end_, value);
        if (problem == std::errc::invalid_argument)
            return complain(ErrorCode::malformed, std::string("expected ") + what);
        if (problem != std::errc() || value > most)
            return complain(ErrorCode::out_of_range, std::string(what) + " is over " + std::to_string(most));
        at_ = end;
        return true;
    }

    std::string no_rank(std::uint64_t rank) const {
        return "there is no rank " + std::to_string(rank) + "; the last one is rank " +
               std::to_string(*ranks_ - 1);
    }

    bool complain(ErrorCode code, std::string message) { return complain(code, std::move(message), at_); }
    bool complain(ErrorCode code, std::string message, char const* place) {
        std::string_view const text(begin_, static_cast<std::size_t>(end_ - begin_));
        error_ =
            Error{code, std::move(message), place_in(text, static_cast<std::size_t>(place - begin_), file_)};
        return false;
    }

    char const* begin_;
    char const* at_;
    char const* end_;
    std::string file_;
    std::optional<std::uint32_t> ranks_;
    bool is_in_rank_ = false;
    GoalLabels labels_;
    MessageProgramBuilder builder_;
    std::optional<Error> error_;
};

}  // namespace

Result<MessageProgram> messages_from_goal(std::string_view text, std::string_view file) {
    return GoalReader(text, file).read();
}

}  // namespace parcast
