#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/counted.h"
#include "core/three_digits.h"
#include "import/messages/message_readers.h"
#include "import/messages/pending_requests.h"
#include "import/reader_parts.h"
#include "program/message_program_builder.h"
#include "program/step_program.h"

namespace parcast {

namespace {

// Sizes of MPI's types, by the number that SimGrid gives them.
constexpr std::array<std::uint8_t, 30> bytes_of_type = {8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4,  8,  8, 16,
                                                        4, 1, 1, 2, 4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8};
constexpr std::uint32_t type_double = 0;
constexpr std::uint32_t type_byte = 6;

// As SimGrid's MPI writes them.
constexpr std::string_view any_source_text = "-555";
constexpr std::string_view any_tag_text = "-444";
constexpr std::string_view no_process_text = "-666";

struct TiLine {
    std::uint32_t text;
    std::uint32_t number;  // from 1 on, in its text
    std::size_t begin;
};

// Keeps the first error; each part says whether there is none.
class SimgridTiReader {
public:
    SimgridTiReader(std::span<NamedText const> texts, double flops_per_ns)
        : texts_(texts), flops_per_ns_(flops_per_ns) {}

    Result<MessageProgram> read() {
        if (!find_lines() || !read_ranks())
            return tl::unexpected<Error>(std::move(*error_));
        auto program = std::move(builder_).finish();
        if (texts_.size() > 1 && !program.collective_lines.empty())
            for (auto const& each : texts_)
                program.files.emplace_back(each.file);
        program.assumptions.assign(assumptions_.begin(), assumptions_.end());
        if (auto const checked = check(program); !checked)
            return pass_on(checked);
        return program;
    }

private:
    bool find_lines() {
        for (line_.text = 0; line_.text < texts_.size(); ++line_.text) {
            auto const text = texts_[line_.text].text;
            line_.number = 1;
            for (line_.begin = 0; line_.begin < text.size(); ++line_.number) {
                auto const end = std::min(text.find('\n', line_.begin), text.size());
                if (!find_line(text.substr(line_.begin, end - line_.begin)))
                    return false;
                line_.begin = end + 1;
            }
        }
        auto const ranks = texts_.size() > 1 ? texts_.size() : lines_.size();
        lines_.resize(ranks);
        line_ = {0, 0, 0};
        for (std::size_t rank = 0; rank < ranks; ++rank)
            if (lines_[rank].empty())
                return complain(ErrorCode::inconsistent,
                                "rank " + std::to_string(rank) + " has no line, and ranks count from 0");
        return ranks > 0 || complain(ErrorCode::truncated, "the trace has no action");
    }

    bool find_line(std::string_view line) {
        auto const begin = line.find_first_not_of(" \t\r");
        if (begin == std::string_view::npos || line[begin] == '#')
            return true;
        line.remove_prefix(begin);
        std::uint32_t rank = 0;
        auto const [end, problem] = std::from_chars(line.data(), line.data() + line.size(), rank);
        if (problem != std::errc() || end == line.data() + line.size() || (*end != ' ' && *end != '\t'))
            return complain(ErrorCode::malformed, "expected a rank and its action");
        if (texts_.size() > 1 && rank != line_.text)
            return complain(ErrorCode::inconsistent,
                            "this is the trace of rank " + std::to_string(line_.text) +
                                ", and the action is of rank " + std::to_string(rank));
        // Each rank has a line, of at least four bytes.
        if (rank >= most_ranks || rank > texts_[line_.text].text.size() / 4 + line_.text)
            return complain(ErrorCode::out_of_range,
                            "there cannot be a rank " + std::to_string(rank) + ", and ranks count from 0");
        if (rank >= lines_.size())
            lines_.resize(rank + std::size_t{1});
        lines_[rank].push_back(line_);
        return true;
    }

    bool read_ranks() {
        for (rank_ = 0; rank_ < lines_.size(); ++rank_) {
            order_ = CallingOrder(builder_);
            pending_ = {};
            default_type_ = type_byte;
            for (auto const& line : lines_[rank_]) {
                line_ = line;
                if (!read_line())
                    return false;
            }
            builder_.end_rank();
            lines_[rank_] = {};
        }
        return true;
    }

    // An action and how many values it may have; P: more values for each rank.
    struct Action {
        std::string_view name;
        std::size_t least;
        std::size_t most;
        std::size_t for_each_rank;
        bool (SimgridTiReader::*read)();
    };
    static std::span<Action const> actions();

    bool read_line() {
        split_line();
        auto const name = fields_.size() > 1 ? fields_[1] : std::string_view();
        for (auto const& action : actions()) {
            if (action.name != name)
                continue;
            auto const values = fields_.size() - 2;
            auto const by_rank = action.for_each_rank * lines_.size();
            if (values < action.least + by_rank)
                return complain(ErrorCode::malformed, std::string(name) + " needs " +
                                                          counted_values(action.least + by_rank) +
                                                          ", and has " + std::to_string(values));
            if (values > action.most + by_rank && action.most != any_number)
                return complain(ErrorCode::malformed,
                                std::string(name) + " has " + counted_values(values) + ", and at most " +
                                    std::to_string(action.most + by_rank) + " are known");
            if (builder_.operations() + 4 > most_operations)
                return complain(ErrorCode::out_of_range, "these are more operations than parcast can keep");
            return (this->*action.read)();
        }
        return complain(name.empty() ? ErrorCode::malformed : ErrorCode::unsupported,
                        name.empty() ? "expected an action"
                                     : "'" + std::string(name) + "' is no action that parcast reads");
    }

    static std::string counted_values(std::size_t count) {
        return counted(static_cast<std::int64_t>(count), "value");
    }

    static constexpr std::size_t any_number = ~std::size_t{0};
    static constexpr std::size_t no_value = any_number - 2;  // behind the last one

    void split_line() {
        auto const text = texts_[line_.text].text;
        auto line = text.substr(line_.begin, text.find('\n', line_.begin) - line_.begin);
        fields_.clear();
        for (;;) {
            auto const begin = line.find_first_not_of(" \t\r");
            if (begin == std::string_view::npos)
                return;
            line.remove_prefix(begin);
            auto const end = std::min(line.find_first_of(" \t\r"), line.size());
            fields_.push_back(line.substr(0, end));
            line.remove_prefix(end);
        }
    }

    // Values count from 0, behind the action.
    bool has_value(std::size_t index) const { return fields_.size() > index + 2; }

    bool number(std::size_t index, double& value, double most, char const* what) {
        auto const field = fields_[index + 2];
        auto const [end, problem] = std::from_chars(field.data(), field.data() + field.size(), value);
        if (problem != std::errc() || end != field.data() + field.size() || std::isnan(value))
            return complain(ErrorCode::malformed, std::string("expected ") + what, index);
        if (value < 0 || value > most)
            return complain(ErrorCode::out_of_range,
                            std::string(what) + " is " + (value < 0 ? "negative" : "too large"), index);
        return true;
    }

    bool ns_of_flops(std::size_t index, std::uint64_t& ns) {
        double flops = 0;
        if (!number(index, flops, 1e18 * flops_per_ns_, "a number of flops"))
            return false;
        ns = static_cast<std::uint64_t>(std::llround(flops / flops_per_ns_));
        if (flops > 0)
            assumptions_.insert("computations run at " + three_digits(flops_per_ns_) +
                                " flops per ns (--flops-per-ns)");
        return true;
    }

    // In bytes; `type` is where the type may stand. A count may be written as 1e6.
    bool bytes(std::size_t index, std::size_t type, std::uint64_t& bytes) {
        std::uint32_t id = default_type_;
        if (has_value(type)) {
            auto const field = fields_[type + 2];
            auto const read = std::from_chars(field.data(), field.data() + field.size(), id);
            if (read.ec != std::errc() || read.ptr != field.data() + field.size())
                return complain(ErrorCode::malformed, "expected the number of a type", type);
            if (id >= bytes_of_type.size())
                return complain(ErrorCode::unsupported,
                                "type " + std::to_string(id) + " is none that parcast knows the size of",
                                type);
        }
        auto const most = most_amount / bytes_of_type[id];
        auto const field = fields_[index + 2];
        std::uint64_t count = 0;
        auto const read = std::from_chars(field.data(), field.data() + field.size(), count);
        if (read.ec != std::errc() || read.ptr != field.data() + field.size()) {
            double value = 0;
            if (!number(index, value, static_cast<double>(most), "a count"))
                return false;
            count = static_cast<std::uint64_t>(value);
        }
        if (count > most)
            return complain(ErrorCode::out_of_range, "a count is too large", index);
        bytes = count * bytes_of_type[id];
        return true;
    }

    bool rank(std::size_t index, std::uint32_t& rank) {
        auto const field = fields_[index + 2];
        auto const read = std::from_chars(field.data(), field.data() + field.size(), rank);
        if (read.ec != std::errc() || read.ptr != field.data() + field.size())
            return complain(ErrorCode::malformed, "expected a rank", index);
        if (rank >= lines_.size())
            return complain(ErrorCode::out_of_range,
                            "there is no rank " + std::to_string(rank) + "; the last one is rank " +
                                std::to_string(lines_.size() - 1),
                            index);
        return true;
    }

    bool source(std::size_t index, std::uint32_t& source) {
        auto const field = fields_[index + 2];
        if (field == any_source_text || field == "-1") {
            source = any_peer;
            return true;
        }
        return rank(index, source);
    }

    bool tag(std::size_t index, std::uint32_t& tag) {
        auto const field = fields_[index + 2];
        if (field == any_tag_text || field == "-1") {
            tag = any_tag;
            return true;
        }
        auto const read = std::from_chars(field.data(), field.data() + field.size(), tag);
        if (read.ec != std::errc() || read.ptr != field.data() + field.size() || tag == any_tag)
            return complain(ErrorCode::malformed, "expected a tag", index);
        return true;
    }

    bool ignore() { return true; }

    bool init() {
        default_type_ = has_value(0) ? type_double : type_byte;
        return true;
    }

    bool new_communicator() {
        assumptions_.insert(
            "communicators that the trace makes (comm_split, comm_dup) are left out: collectives are of all "
            "ranks");
        return true;
    }

    bool compute() {
        std::uint64_t ns = 0;
        if (!ns_of_flops(0, ns))
            return false;
        order_.run({.operation = MessageOperation::calc, .amount = ns});
        return true;
    }

    bool sleep() {
        double seconds = 0;
        if (!number(0, seconds, 1e9, "a number of seconds"))
            return false;
        order_.run({.operation = MessageOperation::calc,
                    .amount = static_cast<std::uint64_t>(std::llround(seconds * 1e9))});
        assumptions_.insert("a rank that sleeps keeps its CPU");
        return true;
    }

    bool send_and_wait() { return message(MessageOperation::send, true); }
    bool send() { return message(MessageOperation::send, false); }
    bool receive_and_wait() { return message(MessageOperation::receive, true); }
    bool receive() { return message(MessageOperation::receive, false); }

    bool message(MessageOperation operation, bool is_blocking) {
        MessageStep step{.operation = operation};
        bool const is_send = operation == MessageOperation::send;
        if (fields_[2] == no_process_text)
            return true;
        if (!(is_send ? rank(0, step.peer) : source(0, step.peer)) || !tag(1, step.tag))
            return false;
        if (!is_send && fields_[4] == "-1")
            assumptions_.insert("the size of a receive that follows a probe is taken for 0 bytes");
        else if (!bytes(2, 3, step.amount))
            return false;
        if (is_blocking) {
            order_.run(step);
            return true;
        }
        auto const from = is_send ? rank_ : step.peer;
        auto const to = is_send ? step.peer : rank_;
        pending_.add({from, to, step.tag}, order_.start(step));
        return true;
    }

    bool wait() {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        std::uint32_t message_tag = 0;
        if (fields_[2] == no_process_text || fields_[3] == no_process_text)
            return true;
        if (!source(0, from) || !rank(1, to) || !tag(2, message_tag))
            return false;
        auto const operation = pending_.take({from, to, message_tag});
        if (!operation)
            return complain(ErrorCode::not_found,
                            "rank " + std::to_string(rank_) +
                                " waits for a message that no isend or irecv before it has started");
        order_.wait(*operation);
        return true;
    }

    bool test() {
        assumptions_.insert("a test never waits, whatever it found");
        return true;
    }

    bool wait_for_all() {
        for (auto const operation : pending_.take_all())
            order_.wait(operation);
        return true;
    }

    bool send_and_receive() {
        MessageStep sent{.operation = MessageOperation::send};
        MessageStep received{.operation = MessageOperation::receive};
        if (!rank(1, sent.peer) || !bytes(0, 4, sent.amount) || !source(3, received.peer) ||
            !bytes(2, 5, received.amount))
            return false;
        auto const sends = order_.start(sent);
        auto const receives = order_.start(received);
        order_.wait(sends);
        order_.wait(receives);
        return true;
    }

    // What a rank computes for it comes after it, as in SimGrid's replay.
    bool call(CollectiveCall const& call, std::uint64_t ns = 0) {
        auto const operation =
            order_.run({.operation = MessageOperation::collective, .amount = builder_.call(call)});
        builder_.note_line(operation, line_.number, line_.text);
        if (ns > 0)
            order_.run({.operation = MessageOperation::calc, .amount = ns});
        return true;
    }

    bool barrier() { return call({.kind = CollectiveKind::barrier}); }

    bool broadcast() {
        CollectiveCall call{.kind = CollectiveKind::broadcast};
        if (!bytes(0, 2, call.sent_bytes) || (has_value(1) && !rank(1, call.root)))
            return false;
        return this->call(call);
    }

    bool reduce() {
        CollectiveCall call{.kind = CollectiveKind::reduce};
        std::uint64_t ns = 0;
        if (!bytes(0, 3, call.sent_bytes) || !ns_of_flops(1, ns) || (has_value(2) && !rank(2, call.root)))
            return false;
        return this->call(call, ns);
    }

    bool reduce_everywhere(CollectiveKind kind) {
        CollectiveCall call{.kind = kind};
        std::uint64_t ns = 0;
        return bytes(0, 2, call.sent_bytes) && ns_of_flops(1, ns) && this->call(call, ns);
    }
    bool allreduce() { return reduce_everywhere(CollectiveKind::allreduce); }
    bool scan() { return reduce_everywhere(CollectiveKind::scan); }
    bool exclusive_scan() { return reduce_everywhere(CollectiveKind::exclusive_scan); }

    bool exchange(CollectiveKind kind, bool has_root) {
        CollectiveCall call{.kind = kind};
        std::size_t const type = has_root ? 3 : 2;
        return bytes(0, type, call.sent_bytes) && bytes(1, type + 1, call.received_bytes) &&
               (!has_root || !has_value(2) || rank(2, call.root)) && this->call(call);
    }
    bool alltoall() { return exchange(CollectiveKind::alltoall, false); }
    bool allgather() { return exchange(CollectiveKind::allgather, false); }
    bool gather() { return exchange(CollectiveKind::gather, true); }
    bool scatter() { return exchange(CollectiveKind::scatter, true); }

    bool counts(std::size_t first, std::size_t type, std::vector<std::uint64_t>& by_rank) {
        by_rank.resize(lines_.size());
        for (std::size_t each = 0; each < by_rank.size(); ++each)
            if (!bytes(first + each, type, by_rank[each]))
                return false;
        return true;
    }

    bool gather_varied() {
        auto const ranks = lines_.size();
        CollectiveCall call{.kind = CollectiveKind::gather};
        return bytes(0, ranks + 2, call.sent_bytes) && counts(1, ranks + 3, call.bytes_by_rank) &&
               (!has_value(ranks + 1) || rank(ranks + 1, call.root)) && this->call(call);
    }

    // What follows the counts is a type, or displacements, or both.
    bool allgather_varied() {
        auto const ranks = lines_.size();
        CollectiveCall call{.kind = CollectiveKind::allgather};
        auto const more = fields_.size() - 2 - (ranks + 1);
        auto const type = more == 0 || (more == ranks && ranks > 2) ? no_value : ranks + 1;
        return bytes(0, type, call.sent_bytes) && counts(1, type, call.bytes_by_rank) && this->call(call);
    }

    bool scatter_varied() {
        auto const ranks = lines_.size();
        CollectiveCall call{.kind = CollectiveKind::scatter};
        return counts(0, ranks + 2, call.bytes_by_rank) && bytes(ranks, ranks + 3, call.received_bytes) &&
               (!has_value(ranks + 1) || rank(ranks + 1, call.root)) && this->call(call);
    }

    // Size of a buffer, counts, the same for what is received.
    bool alltoall_varied() {
        CollectiveCall call{.kind = CollectiveKind::alltoall};
        return counts(1, 2 * lines_.size() + 2, call.bytes_by_rank) && this->call(call);
    }

    bool reduce_scatter() {
        auto const ranks = lines_.size();
        CollectiveCall call{.kind = CollectiveKind::reduce_scatter};
        std::uint64_t ns = 0;
        if (!counts(0, ranks + 1, call.bytes_by_rank) || !ns_of_flops(ranks, ns))
            return false;
        for (auto const each : call.bytes_by_rank) {
            call.sent_bytes += each;
            if (call.sent_bytes > most_amount)
                return complain(ErrorCode::out_of_range, "these counts are too large together");
        }
        return this->call(call, ns);
    }

    bool complain(ErrorCode code, std::string message, std::optional<std::size_t> value = {}) {
        if (texts_.empty()) {
            error_ = Error{code, std::move(message), std::nullopt};
            return false;
        }
        auto const& named = texts_[std::min<std::size_t>(line_.text, texts_.size() - 1)];
        auto const offset =
            value ? static_cast<std::size_t>(fields_[*value + 2].data() - named.text.data()) : line_.begin;
        error_ = Error{code, std::move(message), place_in(named.text, offset, named.file)};
        return false;
    }

    std::span<NamedText const> texts_;
    double flops_per_ns_;
    std::vector<std::vector<TiLine>> lines_;  // by rank
    MessageProgramBuilder builder_;
    std::set<std::string> assumptions_;
    std::optional<Error> error_;

    // What is being read.
    TiLine line_{0, 0, 0};
    std::uint32_t rank_ = 0;
    std::vector<std::string_view> fields_;
    CallingOrder order_{builder_};
    PendingRequests pending_;
    std::uint32_t default_type_ = type_byte;
};

std::span<SimgridTiReader::Action const> SimgridTiReader::actions() {
    using Reader = SimgridTiReader;
    static constexpr std::array<Action, 33> table{{
        {"compute", 1, 1, 0, &Reader::compute},
        {"send", 3, 4, 0, &Reader::send_and_wait},
        {"isend", 3, 4, 0, &Reader::send},
        {"recv", 3, 4, 0, &Reader::receive_and_wait},
        {"irecv", 3, 4, 0, &Reader::receive},
        {"wait", 3, 3, 0, &Reader::wait},
        {"waitall", 0, any_number, 0, &Reader::wait_for_all},
        {"test", 3, 3, 0, &Reader::test},
        {"init", 0, 1, 0, &Reader::init},
        {"finalize", 0, 0, 0, &Reader::ignore},
        {"comm_size", 0, any_number, 0, &Reader::ignore},
        {"comm_split", 0, any_number, 0, &Reader::new_communicator},
        {"comm_dup", 0, any_number, 0, &Reader::new_communicator},
        {"location", 0, any_number, 0, &Reader::ignore},
        {"sleep", 1, 1, 0, &Reader::sleep},
        {"sendRecv", 4, 6, 0, &Reader::send_and_receive},
        {"sendrecv", 4, 6, 0, &Reader::send_and_receive},
        {"barrier", 0, 0, 0, &Reader::barrier},
        {"bcast", 1, 3, 0, &Reader::broadcast},
        {"reduce", 2, 4, 0, &Reader::reduce},
        {"allreduce", 2, 3, 0, &Reader::allreduce},
        {"alltoall", 2, 4, 0, &Reader::alltoall},
        {"allgather", 2, 4, 0, &Reader::allgather},
        {"gather", 2, 5, 0, &Reader::gather},
        {"scatter", 2, 5, 0, &Reader::scatter},
        {"gatherv", 1, 4, 1, &Reader::gather_varied},
        {"allgatherv", 1, any_number, 1, &Reader::allgather_varied},
        {"scatterv", 1, 4, 1, &Reader::scatter_varied},
        {"alltoallv", 2, 4, 2, &Reader::alltoall_varied},
        {"reducescatter", 1, 2, 1, &Reader::reduce_scatter},
        {"reduceScatter", 1, 2, 1, &Reader::reduce_scatter},
        {"scan", 2, 3, 0, &Reader::scan},
        {"exscan", 2, 3, 0, &Reader::exclusive_scan},
    }};
    return table;
}

}  // namespace

Result<MessageProgram> messages_from_simgrid_ti(std::span<NamedText const> texts, double flops_per_ns) {
    if (!(flops_per_ns > 0 && flops_per_ns <= 1e9))
        return fail(ErrorCode::out_of_range, "a speed in flops per ns is above 0 and at most 1e9");
    return SimgridTiReader(texts, flops_per_ns).read();
}

}  // namespace parcast
