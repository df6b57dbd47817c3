#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "import/messages/calling_list.h"
#include "import/messages/message_writers.h"

namespace parcast {

namespace {

// Counts are bytes: `init` without a value makes them the type.
class SimgridTiWriter {
public:
    SimgridTiWriter(MessageProgram const& program, double flops_per_ns)
        : program_(program), lists_(program), flops_per_ns_(flops_per_ns) {}

    Result<WrittenMessages> write() {
        find_calls();
        for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank)
            if (auto written = write_rank(rank); !written)
                return pass_on(written);
        auto left_out = lists_.left_out();
        if (std::ranges::any_of(program_.kind, &MessageKind::is_synchronous))
            left_out.emplace_back("a send waits for its receive only if its message is large");
        if (combines_)
            left_out.emplace_back("the time to combine two buffers is none");
        return WrittenMessages{std::move(text_), std::move(left_out)};
    }

private:
    // By rank, in its order: what a rank receives of an irregular alltoall is what others send.
    void find_calls() {
        calls_.resize(program_.ranks());
        for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank)
            for (auto each = program_.first_operation[rank]; each < program_.first_operation[rank + 1];
                 ++each)
                if (program_.kind[each].operation() == MessageOperation::collective)
                    calls_[rank].push_back(static_cast<std::uint32_t>(program_.amount[each]));
    }

    Result<void> write_rank(std::uint32_t rank) {
        rank_ = rank;
        next_call_ = 0;
        auto const calls = lists_.of_rank(rank);
        if (!calls)
            return pass_on(calls);
        line("init");
        for (auto const& call : *calls) {
            switch (program_.kind[call.operation].operation()) {
                case MessageOperation::calc:
                    line("compute", static_cast<double>(program_.amount[call.operation]) * flops_per_ns_);
                    break;
                case MessageOperation::send:
                case MessageOperation::receive: write_message(call); break;
                case MessageOperation::collective:
                    if (auto written = write_collective(call.operation); !written)
                        return pass_on(written);
                    break;
            }
        }
        line("finalize");
        return {};
    }

    void write_message(MessageCall const& call) {
        bool const is_send = program_.kind[call.operation].operation() == MessageOperation::send;
        auto const peer = program_.peer[call.operation] == any_peer
                              ? std::string("-555")
                              : std::to_string(program_.peer[call.operation]);
        auto const tag = program_.tag[call.operation] == any_tag
                             ? std::string("-444")
                             : std::to_string(program_.tag[call.operation]);
        auto const own = std::to_string(rank_);
        if (call.kind == CallKind::wait)
            line("wait", is_send ? own : peer, is_send ? peer : own, tag);
        else if (call.kind == CallKind::start)
            line(is_send ? "isend" : "irecv", peer, tag, program_.amount[call.operation]);
        else
            line(is_send ? "send" : "recv", peer, tag, program_.amount[call.operation]);
    }

    Result<void> write_collective(std::uint32_t operation) {
        auto const& call = program_.collectives[program_.amount[operation]];
        auto const place = next_call_++;
        if (call.communicator != 0)
            return fail(
                ErrorCode::unsupported,
                "rank " + std::to_string(rank_) +
                    " has a collective operation of a part of the ranks, which this format does not have");
        combines_ = combines_ || call.reduce_ns > 0;
        auto const& varied = call.bytes_by_rank;
        switch (call.kind) {
            case CollectiveKind::barrier: line("barrier"); break;
            case CollectiveKind::broadcast: line("bcast", call.sent_bytes, call.root); break;
            case CollectiveKind::reduce: line("reduce", call.sent_bytes, 0U, call.root); break;
            case CollectiveKind::allreduce: line("allreduce", call.sent_bytes, 0U); break;
            case CollectiveKind::scan: line("scan", call.sent_bytes, 0U); break;
            case CollectiveKind::exclusive_scan: line("exscan", call.sent_bytes, 0U); break;
            case CollectiveKind::gather:
                if (varied.empty())
                    line("gather", call.sent_bytes, call.received_bytes, call.root);
                else
                    line("gatherv", call.sent_bytes, varied, call.root);
                break;
            case CollectiveKind::allgather:
                if (varied.empty())
                    line("allgather", call.sent_bytes, call.received_bytes);
                else
                    line("allgatherv", call.sent_bytes, varied);
                break;
            case CollectiveKind::scatter:
                if (varied.empty())
                    line("scatter", call.sent_bytes, call.received_bytes, call.root);
                else
                    line("scatterv", varied, call.received_bytes, call.root);
                break;
            case CollectiveKind::alltoall:
                if (varied.empty())
                    line("alltoall", call.sent_bytes, call.received_bytes);
                else
                    write_varied_alltoall(varied, place);
                break;
            case CollectiveKind::reduce_scatter:
                line("reducescatter",
                     varied.empty() ? std::vector(program_.ranks(), call.sent_bytes / program_.ranks())
                                    : varied,
                     0U);
                break;
        }
        return {};
    }

    void write_varied_alltoall(std::vector<std::uint64_t> const& sent, std::size_t place) {
        std::vector<std::uint64_t> received;
        std::uint64_t sent_in_all = 0;
        std::uint64_t received_in_all = 0;
        for (std::uint32_t other = 0; other < program_.ranks(); ++other) {
            std::uint64_t bytes = 0;
            if (place < calls_[other].size()) {
                auto const& call = program_.collectives[calls_[other][place]];
                bytes = call.bytes_by_rank.size() > rank_ ? call.bytes_by_rank[rank_] : call.sent_bytes;
            }
            received.push_back(bytes);
            received_in_all += bytes;
            sent_in_all += other < sent.size() ? sent[other] : 0;
        }
        line("alltoallv", sent_in_all, sent, received_in_all, received);
    }

    template <class... Values>
    void line(char const* action, Values const&... values) {
        append(rank_);
        text_ += ' ';
        text_ += action;
        (append_value(values), ...);
        text_ += '\n';
    }
    void append_value(std::vector<std::uint64_t> const& list) {
        for (auto const each : list)
            append_value(each);
    }
    void append_value(std::string const& word) { (text_ += ' ') += word; }
    template <class Number>
    void append_value(Number number) {
        text_ += ' ';
        append(number);
    }
    template <class Number>
    void append(Number number) {
        char digits[32];
        auto const written = std::to_chars(digits, digits + sizeof(digits), number);
        text_.append(digits, written.ptr);
    }

    MessageProgram const& program_;
    CallingLists lists_;
    double flops_per_ns_;
    std::vector<std::vector<std::uint32_t>> calls_;
    std::string text_;
    bool combines_ = false;
    std::uint32_t rank_ = 0;
    std::size_t next_call_ = 0;
};

}  // namespace

Result<WrittenMessages> to_simgrid_ti(MessageProgram const& program, double flops_per_ns) {
    return SimgridTiWriter(program, flops_per_ns).write();
}

}  // namespace parcast
