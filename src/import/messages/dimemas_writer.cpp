#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "import/messages/calling_list.h"
#include "import/messages/dimemas_records.h"
#include "import/messages/message_writers.h"
#include "program/collectives/collective_algorithm.h"

namespace parcast {

namespace {

using dimemas::CallBytes;
using dimemas::Record;

constexpr std::size_t offset_digits = 15;  // so that it can be filled in when it is known

std::string padded(std::uint64_t number, std::size_t digits) {
    auto const text = std::to_string(number);
    return std::string(digits - std::min(digits, text.size()), '0') + text;
}

class DimemasWriter {
public:
    explicit DimemasWriter(MessageProgram const& program) : program_(program), lists_(program) {}

    Result<WrittenMessages> write() {
        auto const offset_place = write_header();
        for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank)
            if (auto written = write_rank(rank); !written)
                return pass_on(written);
        text_.replace(offset_place, offset_digits, padded(text_.size(), offset_digits));
        for (std::size_t rank = 0; rank < offsets_.size(); ++rank)
            add("s:", rank, ":", offsets_[rank], "\n");
        return WrittenMessages{std::move(text_), left_out()};
    }

private:
    // The place of the offset of the table of offsets. Communicator 1 has all ranks.
    std::size_t write_header() {
        auto name = program_.name;
        std::erase(name, '"');
        add(dimemas::mark, "\"", name, "\":1,");
        auto const place = text_.size();
        auto const communicators = std::max<std::size_t>(1, program_.communicators.size());
        add(std::string(offset_digits, '0'), ":", program_.ranks(), "(1");
        for (std::uint32_t rank = 1; rank < program_.ranks(); ++rank)
            add(",1");
        add("),", communicators, "\n");
        for (std::size_t each = 0; each < communicators; ++each) {
            auto ranks =
                each == 0 ? std::vector<std::uint32_t>(program_.ranks()) : program_.communicators[each];
            if (each == 0)
                std::iota(ranks.begin(), ranks.end(), 0U);
            add("d:1:", each + 1, ":", ranks.size());
            for (auto const rank : ranks)
                add(":", rank);
            add("\n");
        }
        return place;
    }

    Result<void> write_rank(std::uint32_t rank) {
        auto const calls = lists_.of_rank(rank);
        if (!calls)
            return pass_on(calls);
        offsets_.push_back(text_.size());
        bool const begins_with_burst =
            !calls->empty() && program_.kind[calls->front().operation].operation() == MessageOperation::calc;
        if (!begins_with_burst)
            write_burst(rank, 0);
        for (auto const& call : *calls) {
            switch (program_.kind[call.operation].operation()) {
                case MessageOperation::calc: write_burst(rank, program_.amount[call.operation]); break;
                case MessageOperation::send: write_send(rank, call); break;
                case MessageOperation::receive: write_receive(rank, call); break;
                case MessageOperation::collective: write_collective(rank, call.operation); break;
            }
        }
        return {};
    }

    void begin_record(Record record, std::uint32_t rank) {
        add(static_cast<unsigned>(record), ":", rank, ":0:");
    }

    void write_burst(std::uint32_t rank, std::uint64_t ns) {
        begin_record(Record::burst, rank);
        add(ns / 1'000'000'000, ".", padded(ns % 1'000'000'000, 9), "\n");
    }

    void write_message(std::uint32_t operation, unsigned how) {
        auto const number_or_any = [](std::uint32_t value) {
            return value == any_peer ? std::string("-1") : std::to_string(value);
        };
        add(number_or_any(program_.peer[operation]), ":", program_.amount[operation], ":",
            number_or_any(program_.tag[operation]), ":1:", how, "\n");
    }

    void write_send(std::uint32_t rank, MessageCall const& call) {
        if (call.kind == CallKind::wait) {
            ++waits_for_sends_;
            return;
        }
        begin_record(Record::send, rank);
        write_message(call.operation,
                      (program_.kind[call.operation].is_synchronous() ? dimemas::synchronous_bit : 0U) |
                          (call.kind == CallKind::start ? dimemas::immediate_bit : 0U));
    }

    void write_receive(std::uint32_t rank, MessageCall const& call) {
        begin_record(Record::receive, rank);
        auto const how = call.kind == CallKind::run     ? dimemas::Receive::blocking
                         : call.kind == CallKind::start ? dimemas::Receive::immediate
                                                        : dimemas::Receive::wait;
        write_message(call.operation, static_cast<unsigned>(how));
    }

    void write_collective(std::uint32_t rank, std::uint32_t operation) {
        auto const& call = program_.collectives[program_.amount[operation]];
        auto const number = number_of(call);
        auto const ranks = call.communicator == 0
                               ? program_.ranks()
                               : static_cast<std::uint32_t>(program_.communicators[call.communicator].size());
        std::uint64_t sent = 0;
        std::uint64_t received = 0;
        switch (dimemas::collective_rows[number].bytes) {
            case CallBytes::none: break;
            case CallBytes::buffer: sent = received = call.sent_bytes; break;
            case CallBytes::sent: sent = call.sent_bytes; break;
            case CallBytes::received: received = call.received_bytes; break;
            case CallBytes::sent_to_all:
                sent =
                    std::accumulate(call.bytes_by_rank.begin(), call.bytes_by_rank.end(), std::uint64_t{0});
                evens_out_ = evens_out_ || std::ranges::any_of(call.bytes_by_rank, [&](std::uint64_t bytes) {
                                 return bytes != sent / std::max(1U, ranks);
                             });
                break;
        }
        combines_ = combines_ || call.reduce_ns > 0;
        begin_record(Record::collective, rank);
        add(number, ":", call.communicator + std::uint64_t{1}, ":",
            row_of(call.kind).has_root && call.root == rank ? 1 : 0, ":0:", sent, ":", received, "\n");
    }

    std::size_t number_of(CollectiveCall const& call) {
        auto kind = call.kind;
        if (kind == CollectiveKind::exclusive_scan) {
            has_exclusive_scan_ = true;
            kind = CollectiveKind::scan;
        }
        auto const& rows = dimemas::collective_rows;
        auto const first = std::ranges::find(rows, kind, &dimemas::CollectiveRow::kind) - rows.begin();
        // The row of calls with a size for each rank follows.
        bool const is_varied = !call.bytes_by_rank.empty() && kind != CollectiveKind::reduce_scatter;
        return static_cast<std::size_t>(first) + (is_varied ? 1 : 0);
    }

    std::vector<std::string> left_out() const {
        auto sentences = lists_.left_out();
        if (waits_for_sends_ > 0)
            sentences.emplace_back("no rank waits for a send that it has only started");
        if (std::ranges::any_of(program_.peer, [](std::uint32_t peer) { return peer == any_peer; }) ||
            std::ranges::any_of(program_.tag, [](std::uint32_t tag) { return tag == any_tag; }))
            sentences.emplace_back(
                "Dimemas does not know receives from any rank or of any tag, written as -1");
        if (combines_)
            sentences.emplace_back("the time to combine two buffers is none");
        if (evens_out_)
            sentences.emplace_back("of what a rank sends to each other rank, only the sum is kept");
        if (has_exclusive_scan_)
            sentences.emplace_back("an exclusive scan is written as a scan");
        return sentences;
    }

    template <class... Parts>
    void add(Parts const&... parts) {
        (add_part(parts), ...);
    }
    void add_part(std::string_view part) { text_ += part; }
    template <std::integral Number>
    void add_part(Number number) {
        text_ += std::to_string(number);
    }

    MessageProgram const& program_;
    CallingLists lists_;
    std::string text_;
    std::vector<std::size_t> offsets_;  // by rank: of its first record
    std::size_t waits_for_sends_ = 0;
    bool combines_ = false;
    bool evens_out_ = false;
    bool has_exclusive_scan_ = false;
};

}  // namespace

Result<WrittenMessages> to_dimemas(MessageProgram const& program) {
    return DimemasWriter(program).write();
}

}  // namespace parcast
