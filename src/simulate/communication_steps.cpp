#include "simulate/communication_steps.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/split_mix.h"
#include "core/tournament.h"

namespace parcast::simulate {

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

class Draws {
public:
    explicit Draws(std::optional<std::uint64_t> seed) : state_(seed.value_or(0)), is_on_(seed) {}

    bool is_on() const { return is_on_; }
    std::uint64_t next() { return split_mix(state_ += split_mix_step); }

private:
    std::uint64_t state_;
    bool is_on_;
};

// Who sends next: the least clock, then the lowest rank or the one that chance prefers.
struct Turn {
    std::int64_t when = never;
    std::uint64_t preference = std::numeric_limits<std::uint64_t>::max();
    std::uint32_t rank = std::numeric_limits<std::uint32_t>::max();

    friend auto operator<=>(Turn const&, Turn const&) = default;
};

// On its way to a rank, or waiting there.
struct Arrival {
    std::int64_t when = 0;
    std::uint64_t sequence = 0;
    std::size_t message = 0;

    // The first one on top of a heap.
    friend bool operator<(Arrival const& a, Arrival const& b) {
        return a.when != b.when ? a.when > b.when : a.sequence > b.sequence;
    }
};

class Port {
public:
    void begin_step(std::int64_t now) {
        clock_ = now;
        last_ = Last::nothing;
    }
    std::int64_t clock() const { return clock_; }

    std::int64_t next_send(LogGp const& network) const {
        switch (last_) {
            case Last::nothing: break;
            case Last::send: return begin_ + network.after_send_send_ns(bytes_ns_);
            case Last::receive: return begin_ + network.after_receive_send_ns(bytes_ns_);
        }
        return clock_;
    }
    std::int64_t next_receive(LogGp const& network) const {
        switch (last_) {
            case Last::nothing: break;
            case Last::send: return begin_ + network.after_send_receive_ns(bytes_ns_);
            case Last::receive: return begin_ + network.after_receive_receive_ns(bytes_ns_);
        }
        return clock_;
    }
    void did(bool is_send, std::int64_t begin, std::int64_t bytes_ns, LogGp const& network) {
        last_ = is_send ? Last::send : Last::receive;
        begin_ = begin;
        bytes_ns_ = bytes_ns;
        clock_ = begin + network.operation_ns(bytes_ns);
    }

private:
    enum class Last : std::uint8_t { nothing, send, receive };

    std::int64_t clock_ = 0;
    std::int64_t begin_ = 0;  // of the last operation
    std::int64_t bytes_ns_ = 0;
    Last last_ = Last::nothing;
};

class Steps {
public:
    Steps(StepProgram const& program, LogGp const& network, StepOptions const& options)
        : program_(program),
          network_(network),
          options_(options),
          draws_(options.tie_seed),
          turns_(program.ranks),
          ports_(program.ranks),
          arrivals_(program.ranks),
          next_(program.ranks),
          first_(program.ranks + 1) {
        run_.finish.resize(program.ranks);
        run_.communicating.resize(program.ranks);
    }

    StepsRun run() {
        for (std::size_t step = 0; step < program_.steps(); ++step) {
            begin(step);
            collect(step);
            if (options_.method == StepMethod::standard)
                standard();
            else
                overestimate();
            end_step();
        }
        for (auto const finish : run_.finish)
            run_.time = std::max(run_.time, finish - Instant{});
        if (options_.clocks == StepClocks::barrier)
            run_.time.ns = barrier_;
        else
            run_.computation.ns = longest_computation();
        return std::move(run_);
    }

private:
    bool carries() const { return options_.clocks == StepClocks::carry; }

    void begin(std::size_t step) {
        auto const compute = program_.compute_of(step);
        std::int64_t const longest = std::ranges::max(compute);
        for (std::uint32_t rank = 0; rank < program_.ranks; ++rank) {
            auto const from = carries() ? ports_[rank].clock() : barrier_;
            if (compute[rank] > 0)
                run_.finish[rank].ns = from + compute[rank];
            ports_[rank].begin_step(carries() ? from + compute[rank] : barrier_ + longest);
        }
        if (carries())
            return;
        barrier_ += longest;
        run_.computation.ns += longest;
        if (options_.with_log)
            run_.step_begins.push_back(Instant{barrier_ - longest});
    }

    // The messages of the step by sender, in each one's order.
    void collect(std::size_t step) {
        auto const messages = program_.messages_of(step);
        offset_ = program_.first_message[step];
        std::ranges::fill(first_, 0);
        for (auto const& message : messages)
            ++first_[message.from + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        std::copy(first_.begin(), first_.end() - 1, next_.begin());
        by_sender_.resize(messages.size());
        for (std::size_t i = 0; i < messages.size(); ++i)
            by_sender_[next_[messages[i].from]++] = i;
        std::copy(first_.begin(), first_.end() - 1, next_.begin());
        sequence_ = 0;
    }

    bool has_unsent(std::uint32_t rank) const { return next_[rank] < first_[rank + 1]; }

    void log(std::uint32_t rank, bool is_send, std::size_t message, std::int64_t begin) {
        run_.finish[rank].ns = ports_[rank].clock();
        run_.communicating[rank].ns += ports_[rank].clock() - begin;
        if (options_.with_log)
            run_.operations.push_back({rank, is_send, message, {begin}, {ports_[rank].clock()}});
    }

    // Gives the receiver.
    std::uint32_t send(std::uint32_t rank) {
        auto const message = offset_ + by_sender_[next_[rank]++];
        auto const& each = program_.messages[message];
        auto const begin = ports_[rank].next_send(network_);
        ports_[rank].did(true, begin, network_.bytes_ns(each.bytes), network_);
        log(rank, true, message, begin);
        auto& queue = arrivals_[each.to];
        queue.push_back({begin + network_.transit_ns(), sequence_++, message});
        std::push_heap(queue.begin(), queue.end());
        return each.to;
    }

    void receive(std::uint32_t rank) {
        auto& queue = arrivals_[rank];
        std::pop_heap(queue.begin(), queue.end());
        auto const arrival = queue.back();
        queue.pop_back();
        auto const begin = std::max(arrival.when, ports_[rank].next_receive(network_));
        ports_[rank].did(false, begin, network_.bytes_ns(program_.messages[arrival.message].bytes), network_);
        log(rank, false, arrival.message, begin);
    }

    void receive_all(std::uint32_t rank) {
        while (!arrivals_[rank].empty())
            receive(rank);
    }

    void set_turn(std::uint32_t rank) {
        if (!has_unsent(rank))
            return turns_.clear(rank);
        // Carried clocks differ: the one that can send first, not the one that is first done.
        auto const when = carries() ? ports_[rank].next_send(network_) : ports_[rank].clock();
        turns_.set(rank, {when, draws_.is_on() ? draws_.next() : 0, rank});
    }

    void standard() {
        for (std::uint32_t rank = 0; rank < program_.ranks; ++rank)
            set_turn(rank);
        for (auto turn = turns_.first(); turn.when != never; turn = turns_.first()) {
            auto const& queue = arrivals_[turn.rank];
            if (!queue.empty() && queue.front().when <= ports_[turn.rank].next_send(network_))
                receive(turn.rank);
            else
                send(turn.rank);
            set_turn(turn.rank);
        }
        for (std::uint32_t rank = 0; rank < program_.ranks; ++rank)
            receive_all(rank);
    }

    void overestimate() {
        needed_.assign(program_.ranks, 0);
        for (auto const message : by_sender_)
            ++needed_[program_.messages[offset_ + message].to];
        std::vector<std::uint32_t> ready;
        std::vector<std::uint32_t> unsent;
        for (std::uint32_t rank = 0; rank < program_.ranks; ++rank) {
            if (!has_unsent(rank))
                continue;
            unsent.push_back(rank);
            if (needed_[rank] == 0)
                ready.push_back(rank);
        }
        std::vector<std::uint32_t> receivers;
        while (!unsent.empty()) {
            receivers.clear();
            auto const send_from = [&](std::uint32_t rank) {
                receivers.push_back(send(rank));
                --needed_[receivers.back()];
            };
            if (ready.empty()) {
                ++run_.cycle_breaks;
                send_from(draws_.is_on() ? unsent[draws_.next() % unsent.size()] : unsent.front());
            } else {
                for (auto const rank : ready)
                    while (has_unsent(rank))
                        send_from(rank);
            }
            ready.clear();
            std::erase_if(unsent, [&](std::uint32_t rank) { return !has_unsent(rank); });
            std::ranges::sort(receivers);
            auto const repeated = std::ranges::unique(receivers);
            receivers.erase(repeated.begin(), repeated.end());
            for (auto const rank : receivers) {
                receive_all(rank);
                if (needed_[rank] == 0 && has_unsent(rank))
                    ready.push_back(rank);
            }
        }
    }

    void end_step() {
        if (carries())
            return;
        for (auto const& port : ports_)
            barrier_ = std::max(barrier_, port.clock());
    }

    std::int64_t longest_computation() const {
        std::vector<std::int64_t> computes(program_.ranks, 0);
        for (std::size_t step = 0; step < program_.steps(); ++step)
            for (std::uint32_t rank = 0; rank < program_.ranks; ++rank)
                computes[rank] += program_.compute_of(step)[rank];
        return std::ranges::max(computes);
    }

    StepProgram const& program_;
    LogGp const& network_;
    StepOptions options_;
    Draws draws_;
    Tournament<Turn> turns_;
    std::vector<Port> ports_;
    std::vector<std::vector<Arrival>> arrivals_;  // by rank, a heap
    std::vector<std::size_t> next_;               // by rank, into by_sender_: what it sends next
    std::vector<std::size_t> first_;              // by rank, into by_sender_
    std::vector<std::size_t> by_sender_;          // messages of the step
    std::vector<std::uint32_t> needed_;           // by rank: messages that it has still to receive
    std::size_t offset_ = 0;                      // of the step's first message
    std::uint64_t sequence_ = 0;
    std::int64_t barrier_ = 0;
    StepsRun run_;
};

}  // namespace

StepsRun run_steps(StepProgram const& program, LogGp const& network, StepOptions const& options) {
    return Steps(program, network, options).run();
}

}  // namespace parcast::simulate
