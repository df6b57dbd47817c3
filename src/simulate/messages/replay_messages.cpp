#include "simulate/messages/replay_messages.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "core/ensure.h"
#include "core/tournament.h"
#include "semantics/matching.h"
#include "simulate/event_key.h"
#include "simulate/messages/followers.h"
#include "simulate/messages/message_events.h"
#include "simulate/messages/message_logger.h"
#include "simulate/messages/message_processors.h"
#include "simulate/messages/port_times.h"

namespace parcast::simulate {

namespace {

template <class Law, class Log>
class MessageReplay {
public:
    MessageReplay(MessageProgram const& program, Law const& between, Law const& inside,
                  MessageReplayOptions const& options, MessageProcessors const& processors, Log log)
        : program_(program),
          options_(options),
          processors_(processors),
          costs_{MessageCosts<Law>(between), MessageCosts<Law>(inside)},
          lookahead_ns_(std::min(between.transit_ns(), inside.transit_ns())),
          ranks_(program.ranks()),
          more_processors_(std::size_t{program.ranks()} * (processors.places - 1)),
          more_books_(more_processors_.size()),
          followers_(program),
          over_(followers_.has_any() && processors.cpus > 1 ? program.operations() : 0),
          matching_(program.ranks()),
          next_(program.ranks()),
          log_(std::move(log)) {
        run_.cpus = processors.cpus;
    }

    MessageRun run() {
        for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank)
            begin(rank);
        while (!next_.first().is_never())
            visit(next_.first().slot());
        return finish();
    }

private:
    using Place = MessageEvents::Place;

    // The CPU, the NIC and the pair with one number of a rank. Most ranks have one of each.
    struct Processor {
        std::int64_t cpu_free = 0;
        std::int64_t send_free = 0;  // the NIC
        std::int64_t receive_free = 0;
        Place calculations = MessageEvents::nowhere;  // for the CPU
        Place sends = MessageEvents::nowhere;         // for the pair
        Place arrivals = MessageEvents::nowhere;      // for the pair
        std::uint32_t arriving_from = 0;              // for the pair: whose message arrives longest
    };
    struct Books {
        Duration computing;  // on the CPU, as the next two
        Duration communicating;
        std::array<Duration, message_wait_count> waiting_for{};
        std::int64_t arriving_until = 0;   // of the message that arrives longest
        std::uint64_t arriving_bytes = 0;  // that are not counted as incast
    };
    // What is looked at together lies together: the queues in a cache line, what is written in two more.
    struct alignas(64) Rank {
        Processor processor;                      // the first
        Place instants = MessageEvents::nowhere;  // receives to be posted, and rendezvous that are over
        std::uint32_t rendezvous = 0;             // of its sends, not over
        std::uint32_t posted = 0;                 // receives without their message
        std::uint32_t open = 0;                   // operations that have not ended
        // One operation that can begin, in no queue: most ranks do one after the other.
        bool has_next = false;
        std::uint32_t next_operation = 0;
        std::int64_t next_ready = 0;
        std::int64_t next_entered = 0;
        MessageCause next_cause;
        std::uint32_t collective = 0;  // of `posted` and `rendezvous`, those of collective operations
        std::uint32_t messages_sent = 0;
        Books books;  // of the first processor
        std::uint32_t messages_received = 0;
        std::uint64_t bytes_sent = 0;
        std::uint64_t bytes_received = 0;
    };

    static_assert(sizeof(Rank) == 192);

    // When what waits for nothing enters.
    static constexpr std::int64_t before_all = -1;
    // In the order in which those that enter together begin.
    enum class Turn : std::uint8_t { message, send, receive, calculation };
    enum class What : std::uint8_t { nothing, next, instant, calculation, send, arrival };
    struct Action {
        std::int64_t time = std::numeric_limits<std::int64_t>::max();
        What what = What::nothing;
        std::uint32_t place = 0;
    };
    // What a CPU begins: at `time`, though it could have begun at `ready` were everything free.
    struct Begin {
        std::int64_t time = 0;
        std::int64_t ready = 0;
        MessageWait wait = MessageWait::cpu;  // until it was ready
        MessageCause cause;                   // of `ready`
        MessageCause gap;                     // who holds the port from then on
    };

    std::size_t place_of(std::uint32_t rank, std::uint32_t number) const {
        return std::size_t{rank} * (processors_.places - 1) + number - 1;
    }
    Processor& processor(std::uint32_t rank, std::uint32_t number) {
        return number == 0 ? ranks_[rank].processor : more_processors_[place_of(rank, number)];
    }
    Books& books(std::uint32_t rank, std::uint32_t number) {
        return number == 0 ? ranks_[rank].books : more_books_[place_of(rank, number)];
    }
    MessageCosts<Law>& costs_between(std::uint32_t from, std::uint32_t to) {
        auto const& node = options_.node_of_rank;
        return costs_[node.empty() ? from == to : node[from] == node[to]];
    }
    std::uint32_t pair_of(std::uint32_t operation) const {
        return processors_.pair_of.empty()
                   ? 0
                   : processors_.pair_of[program_.cpu_of(operation) * 256 + program_.nic_of(operation)];
    }
    std::uint32_t collective_count(std::uint32_t operation) const {
        return program_.kind[operation].is_of_collective() ? 1 : 0;
    }
    // What a rank waits for while nothing arrives: what it has called says it, not what arrives next.
    static MessageWait wait_of(Rank const& rank) {
        if (rank.collective > 0)
            return MessageWait::collective;
        return rank.posted == 0 && rank.rendezvous > 0 ? MessageWait::rendezvous : MessageWait::late_sender;
    }
    static EventKey key_of(std::int64_t time, std::uint32_t rank) { return {time, rank}; }

    // ---- Whose turn it is

    void begin(std::uint32_t rank) {
        auto const first = program_.first_operation[rank];
        auto const end = program_.first_operation[rank + 1];
        ranks_[rank].open = end - first;
        for (auto each = first; each < end; ++each) {
            auto const follows = program_.kind[each].follows();
            if (follows == Follows::nothing ||
                (follows == Follows::precedences && !(followers_.has_any() && followers_.waits(each))))
                release(rank, each, 0, before_all, {});
        }
        if (auto const action = next_action(rank); action.what != What::nothing)
            next_.set(rank, key_of(action.time, rank));
    }

    // The rank goes on until another one could do something to it.
    void visit(std::uint32_t rank) {
        others_ = next_.first_but(rank);
        freed_at_ = -1;
        // Mostly the next one that is visited: it is on its way from memory until then.
        if (!others_.is_never()) {
            auto const& next = ranks_[others_.slot()];
            __builtin_prefetch(&next.processor);
            __builtin_prefetch(&next.next_ready);
        }
        for (;;) {
            auto const action = next_action(rank);
            if (action.what == What::nothing)
                return next_.clear(rank);
            if (!may_go(rank, action.time))
                return next_.set(rank, key_of(action.time, rank));
            perform(rank, action);
        }
    }

    bool may_go(std::uint32_t rank, std::int64_t time) const {
        if (key_of(time, rank) < others_)
            return true;
        // A message that another one sends now arrives later; but a rendezvous is over at once, for either
        // end.
        return ranks_[rank].rendezvous == 0 && time > freed_at_ && time < others_.time + lookahead_ns_;
    }

    // Something will happen at the rank at `time`.
    void awake(std::uint32_t rank, std::int64_t time, std::uint32_t visited) {
        auto const key = key_of(time, rank);
        if (rank == visited)
            return;
        if (key < next_.of(rank))
            next_.set(rank, key);
        if (key < others_)
            others_ = key;
    }

    Action next_action(std::uint32_t rank) {
        auto const& state = ranks_[rank];
        Action first;
        std::tuple<std::int64_t, std::uint32_t, Turn, std::int64_t, std::uint32_t> entered_first;
        auto const consider = [&](MessageEventOrder const& order, std::int64_t free, Turn turn, What what,
                                  std::uint32_t place) {
            auto const time = std::max(order.time, free);
            if (time > first.time)
                return;
            std::tuple const entered{order.entered, order.origin, turn, order.time, order.operation};
            if (time < first.time || entered < entered_first) {
                first = {time, what, place};
                entered_first = entered;
            }
        };
        if (state.has_next)
            consider_next(rank, consider);
        if (state.instants != MessageEvents::nowhere)
            consider(events_[state.instants].order, 0, turn_of(events_[state.instants].order), What::instant,
                     0);
        for (std::uint32_t cpu = 0; cpu < processors_.cpus; ++cpu)
            if (auto const& place = processor(rank, cpu); place.calculations != MessageEvents::nowhere)
                consider(events_[place.calculations].order, place.cpu_free, Turn::calculation,
                         What::calculation, cpu);
        for (std::uint32_t pair = 0; pair < processors_.pairs.size(); ++pair) {
            auto const& place = processor(rank, pair);
            if (place.sends != MessageEvents::nowhere)
                consider_send(rank, events_[place.sends].order, What::send, pair, consider);
            if (place.arrivals == MessageEvents::nowhere)
                continue;
            auto const [cpu, nic] = processors_.pairs[pair];
            auto order = events_[place.arrivals].order;
            if (receives_first<Law>)
                order.entered = before_all - 1;
            consider(order, std::max(processor(rank, cpu).cpu_free, processor(rank, nic).receive_free),
                     Turn::message, What::arrival, pair);
        }
        return first;
    }

    // The turn of an instant.
    Turn turn_of(MessageEventOrder const& order) const {
        return program_.kind[order.operation].operation() == MessageOperation::receive ? Turn::receive
                                                                                       : Turn::message;
    }

    template <class Consider>
    void consider_next(std::uint32_t rank, Consider const& consider) {
        auto const& state = ranks_[rank];
        auto const operation = state.next_operation;
        MessageEventOrder const order{state.next_ready, state.next_entered, rank, operation};
        switch (program_.kind[operation].operation()) {
            case MessageOperation::calc:
                return consider(order, processor(rank, program_.cpu_of(operation)).cpu_free,
                                Turn::calculation, What::next, 0);
            case MessageOperation::send:
                return consider_send(rank, order, What::next, pair_of(operation), consider);
            default: return consider(order, 0, Turn::receive, What::next, 0);
        }
    }

    template <class Consider>
    void consider_send(std::uint32_t rank, MessageEventOrder const& order, What what, std::uint32_t pair,
                       Consider const& consider) {
        auto const [cpu, nic] = processors_.pairs[pair];
        auto const free = std::max(processor(rank, cpu).cpu_free, processor(rank, nic).send_free);
        auto const arrival = processor(rank, pair).arrivals;
        if (receives_first<Law> && arrival != MessageEvents::nowhere &&
            events_[arrival].order.time <= std::max(order.time, free))
            return;
        consider(order, free, Turn::send, what, pair);
    }

    void perform(std::uint32_t rank, Action const& action) {
        auto& place = processor(rank, action.place);
        auto const now = action.time;
        switch (action.what) {
            case What::nothing: break;
            case What::next: perform_next(rank, now, action.place); break;
            case What::instant: {
                auto const event = take(ranks_[rank].instants);
                if (program_.kind[event.order.operation].operation() == MessageOperation::receive)
                    post(rank, event, now);
                else
                    end_rendezvous(rank, event, now);
                break;
            }
            case What::calculation: calculate(rank, take(place.calculations), now); break;
            case What::send: send(rank, take(place.sends), now, action.place); break;
            case What::arrival: receive(rank, events_.pop(place.arrivals), now, action.place); break;
        }
    }

    void perform_next(std::uint32_t rank, std::int64_t now, std::uint32_t pair) {
        auto& state = ranks_[rank];
        state.has_next = false;
        MessageEvent const event{.order = {state.next_ready, state.next_entered, rank, state.next_operation},
                                 .cause = state.next_cause};
        switch (program_.kind[state.next_operation].operation()) {
            case MessageOperation::calc: return calculate(rank, event, now);
            case MessageOperation::send: return send(rank, event, now, pair);
            default: return post(rank, event, now);
        }
    }

    MessageEvent take(Place& queue) {
        auto const place = events_.pop(queue);
        auto const event = events_[place];
        events_.destroy(place);
        return event;
    }

    // ---- What happens

    void calculate(std::uint32_t rank, MessageEvent const& event, std::int64_t now) {
        auto const operation = event.order.operation;
        auto const amount = static_cast<std::int64_t>(program_.amount[operation]);
        auto const ns =
            options_.cpu_speed == 1 ? amount : std::llround(static_cast<double>(amount) / options_.cpu_speed);
        auto const cpu = program_.cpu_of(operation);
        books(rank, cpu).computing += Duration{ns};
        auto const cause = occupy(rank, cpu, operation, MessageInterval::State::computing,
                                  {now, event.order.time, MessageWait::cpu, event.cause, {}}, ns);
        has_begun(rank, operation, now, cause);
        has_ended(rank, operation, now + ns, now, cause);
    }

    void send(std::uint32_t rank, MessageEvent const& event, std::int64_t now, std::uint32_t pair) {
        auto const operation = event.order.operation;
        auto const peer = program_.peer[operation];
        auto const bytes = program_.amount[operation];
        auto& law = costs_between(rank, peer);
        auto const& costs = law.of(bytes);
        Begin begin{now, event.order.time, MessageWait::cpu, event.cause, {}};
        if constexpr (Log::is_on)
            begin.gap = log_.last(rank, processors_.pairs[pair].nic).sending;
        auto const interval = communicate(rank, pair, operation, begin, costs.send);
        ++ranks_[rank].messages_sent;
        ranks_[rank].bytes_sent += bytes;
        bool const is_synchronous = costs.is_rendezvous || program_.kind[operation].is_synchronous();
        deliver(peer, pair, now + law.law().overhead_ns(),
                {.order = {now + law.law().transit_ns(), now, rank, operation},
                 .bytes = bytes,
                 .tag = program_.tag[operation],
                 .is_synchronous = is_synchronous,
                 .cause = interval});
        has_begun(rank, operation, now, interval);
        if (is_synchronous) {
            ++ranks_[rank].rendezvous;
            ranks_[rank].collective += collective_count(operation);
        } else {
            has_ended(rank, operation, now + costs.send.cpu_ns, now, interval);
        }
    }

    // It is out of the sender's CPU at `left`.
    void deliver(std::uint32_t rank, std::uint32_t pair, [[maybe_unused]] std::int64_t left,
                 MessageEvent message) {
        if constexpr (Log::is_on)
            message.cause = log_.add({.from = message.order.origin,
                                      .to = rank,
                                      .cpu = static_cast<std::uint8_t>(processors_.pairs[pair].cpu),
                                      .bytes = message.bytes,
                                      .tag = message.tag,
                                      .send = message.order.operation,
                                      .receive = std::nullopt,
                                      .sent = {message.order.entered},
                                      .left = {left},
                                      .arrived = {message.order.time},
                                      .taken = {},
                                      .received = {}},
                                     message.cause);
        auto const [cpu, nic] = processors_.pairs[pair];
        events_.push(processor(rank, pair).arrivals, events_.make(message));
        awake(
            rank,
            std::max({message.order.time, processor(rank, cpu).cpu_free, processor(rank, nic).receive_free}),
            message.order.origin);
    }

    void receive(std::uint32_t rank, Place place, std::int64_t now, std::uint32_t pair) {
        auto const message = events_[place];
        auto const from = message.order.origin;
        auto const& costs = costs_between(from, rank).of(message.bytes);
        if (from != rank)
            count_incast(processor(rank, pair), books(rank, pair), message, costs.bytes_ns);
        Begin begin{now, message.order.time, wait_of(ranks_[rank]), message.cause, {}};
        if constexpr (Log::is_on)
            begin.gap = log_.last(rank, processors_.pairs[pair].nic).receiving;
        auto const interval = communicate(rank, pair, message.order.operation, begin, costs.receive);
        ++ranks_[rank].messages_received;
        ranks_[rank].bytes_received += message.bytes;
        auto const end = now + costs.receive.cpu_ns;
        if constexpr (Log::is_on) {
            log_.transfer(message.cause).taken = {end};
            log_.reception(message.cause) = interval;
        }
        if (auto const matched = matching_.arrive({rank, from, message.tag}, place)) {
            --ranks_[rank].posted;
            if (ranks_[rank].collective > 0)
                ranks_[rank].collective -= collective_count(*matched);
            match(rank, *matched, place, now, end, interval, interval);
        } else {
            events_[place].order.time = end;
        }
    }

    void post(std::uint32_t rank, MessageEvent const& event, std::int64_t now) {
        auto const operation = event.order.operation;
        has_begun(rank, operation, now, event.cause);
        auto const place =
            matching_.post({rank, program_.peer[operation], program_.tag[operation]}, operation);
        if (!place) {
            ++ranks_[rank].posted;
            ranks_[rank].collective += collective_count(operation);
            return;
        }
        auto const taken = events_[*place].order.time;
        auto end_cause = event.cause;
        if constexpr (Log::is_on)
            if (taken > now)
                end_cause = log_.reception(events_[*place].cause);
        match(rank, operation, *place, now, std::max(now, taken), event.cause, end_cause);
    }

    // The receive has its message. `now_cause` says why now, `end_cause` why it ends at `end`.
    void match(std::uint32_t rank, std::uint32_t receive, Place place, std::int64_t now, std::int64_t end,
               MessageCause now_cause, MessageCause end_cause) {
        auto const message = events_[place];
        events_.destroy(place);
        if constexpr (Log::is_on) {
            log_.transfer(message.cause).receive = receive;
            log_.transfer(message.cause).received = {end};
        }
        if (message.is_synchronous) {
            auto const sender = message.order.origin;
            events_.push(
                ranks_[sender].instants,
                events_.make({.order = {now, now, rank, message.order.operation}, .cause = now_cause}));
            awake(sender, now, rank);
            freed_at_ = now;
        }
        has_ended(rank, receive, end, now, end_cause);
    }

    void end_rendezvous(std::uint32_t rank, MessageEvent const& event, std::int64_t now) {
        auto const operation = event.order.operation;
        auto const [cpu, nic] = processors_.pairs[pair_of(operation)];
        auto const wait = ranks_[rank].collective > 0 ? MessageWait::collective : MessageWait::rendezvous;
        --ranks_[rank].rendezvous;
        ranks_[rank].collective -= collective_count(operation);
        auto cause = event.cause;
        if (processor(rank, cpu).cpu_free < now)
            cause = occupy(rank, cpu, operation, MessageInterval::State::waiting,
                           {now, now, wait, event.cause, {}}, 0);
        auto& send_free = processor(rank, nic).send_free;
        send_free = std::max(send_free, now);
        has_ended(rank, operation, now, now, cause);
    }

    // ---- What follows from it

    void has_begun(std::uint32_t rank, std::uint32_t operation, std::int64_t now, MessageCause cause) {
        if (followers_.has_starts())
            release_followers(rank, operation, true, now, now, cause);
    }

    // It ends at `end`, as is known `now`.
    void has_ended(std::uint32_t rank, std::uint32_t operation, std::int64_t end, std::int64_t now,
                   MessageCause cause) {
        --ranks_[rank].open;
        auto const next = operation + 1;
        if (next < program_.first_operation[rank + 1] && program_.kind[next].follows() == Follows::one_before)
            release(rank, next, end, now, cause);
        if (followers_.has_any())
            release_followers(rank, operation, false, end, now, cause);
    }

    void release_followers(std::uint32_t rank, std::uint32_t operation, bool is_start, std::int64_t when,
                           std::int64_t now, MessageCause cause) {
        followers_.is_over(rank, operation, is_start, [&](std::uint32_t later, bool is_last) {
            if (!over_.empty()) {
                auto& over = over_[later];
                if (when >= over.when)
                    over = {when, cause};
                if (is_last)
                    release(rank, later, over.when, now, over.cause);
            } else if (is_last) {  // one CPU: it is not free before all is over
                release(rank, later, when, now, cause);
            }
        });
    }

    // What the operation waits for is over at `ready`.
    void release(std::uint32_t rank, std::uint32_t operation, std::int64_t ready, std::int64_t now,
                 MessageCause cause) {
        auto const cpu = program_.cpu_of(operation);
        if (auto const free = processor(rank, cpu).cpu_free; free > ready) {
            ready = free;
            if constexpr (Log::is_on)
                cause = log_.last(rank, cpu).on_cpu;
        }
        auto& state = ranks_[rank];
        if (!state.has_next) {
            state.has_next = true;
            state.next_operation = operation;
            state.next_ready = ready;
            state.next_entered = now;
            state.next_cause = cause;
            return;
        }
        auto const event = events_.make({.order = {ready, now, rank, operation}, .cause = cause});
        switch (program_.kind[operation].operation()) {
            case MessageOperation::calc: return events_.push(processor(rank, cpu).calculations, event);
            case MessageOperation::send:
                return events_.push(processor(rank, pair_of(operation)).sends, event);
            default: return events_.push(state.instants, event);
        }
    }

    // ---- The books

    // The overhead of a message, on a CPU and the port of a NIC.
    MessageCause communicate(std::uint32_t rank, std::uint32_t pair, std::uint32_t operation,
                             Begin const& begin, PortTimes const& times) {
        auto const [cpu, nic] = processors_.pairs[pair];
        books(rank, cpu).communicating += Duration{times.cpu_ns};
        auto const interval =
            occupy(rank, cpu, operation, MessageInterval::State::communicating, begin, times.cpu_ns);
        auto& port = processor(rank, nic);
        auto const send_free = begin.time + times.send_ns;
        auto const receive_free = begin.time + times.receive_ns;
        if constexpr (Log::is_on) {
            auto& last = log_.last(rank, nic);
            last.sending = send_free > port.send_free ? interval : last.sending;
            last.receiving = receive_free > port.receive_free ? interval : last.receiving;
        }
        port.send_free = std::max(port.send_free, send_free);
        port.receive_free = std::max(port.receive_free, receive_free);
        return interval;
    }

    // The CPU is free before `begin` and busy for `ns` after it.
    MessageCause occupy(std::uint32_t rank, std::uint32_t cpu, std::uint32_t operation,
                        MessageInterval::State state, Begin const& begin, std::int64_t ns) {
        auto& cpu_free = processor(rank, cpu).cpu_free;
        auto const free = cpu_free;
        auto const ready = std::clamp(begin.ready, free, begin.time);
        if (begin.time > free) {
            wait(rank, cpu, operation, begin.wait, free, ready, begin.cause);
            wait(rank, cpu, operation, MessageWait::gap, ready, begin.time, {});
        }
        cpu_free = begin.time + ns;
        MessageCause interval;
        if constexpr (Log::is_on) {
            auto& last = log_.last(rank, cpu);
            auto const& cause = begin.time == free   ? last.on_cpu
                                : begin.time > ready ? begin.gap
                                                     : begin.cause;
            interval = log_.add({.begin = {begin.time},
                                 .end = {cpu_free},
                                 .rank = rank,
                                 .operation = operation,
                                 .cpu = static_cast<std::uint8_t>(cpu),
                                 .state = state},
                                cause);
            last.on_cpu = interval;
        }
        return interval;
    }

    void wait(std::uint32_t rank, std::uint32_t cpu, std::uint32_t operation, MessageWait wait,
              std::int64_t begin, std::int64_t end, [[maybe_unused]] MessageCause cause) {
        if (begin == end)
            return;
        books(rank, cpu).waiting_for[static_cast<std::size_t>(wait)] += Duration{end - begin};
        if constexpr (Log::is_on) {
            auto const number = static_cast<std::uint8_t>(cpu);
            auto const peer = log_.who(cause, {rank, number});
            log_.add({.begin = {begin},
                      .end = {end},
                      .rank = rank,
                      .operation = operation,
                      .cpu = number,
                      .state = MessageInterval::State::waiting,
                      .wait = wait,
                      .peer_cpu = peer.cpu,
                      .peer = peer.rank},
                     {});
        }
    }

    // As if its bytes came one after the other from the instant of its arrival, whoever sends beside it.
    void count_incast(Processor& pair, Books& books, MessageEvent const& message, std::int64_t bytes_ns) {
        auto const arrival = message.order.time;
        auto uncounted = message.bytes;
        if (arrival < books.arriving_until && message.order.origin != pair.arriving_from) {
            run_.bytes_in_incast += books.arriving_bytes + message.bytes;
            books.arriving_bytes = uncounted = 0;
        }
        if (arrival + bytes_ns >= books.arriving_until) {
            books.arriving_until = arrival + bytes_ns;
            books.arriving_bytes = uncounted;
            pair.arriving_from = message.order.origin;
        }
    }

    // ---- The end

    MessageRun finish() {
        std::uint64_t open = 0;
        run_.ranks.reserve(program_.ranks());
        run_.accounts.reserve(std::size_t{program_.ranks()} * processors_.cpus);
        for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) {
            auto const& state = ranks_[rank];
            run_.ranks.push_back({.messages_sent = state.messages_sent,
                                  .messages_received = state.messages_received,
                                  .bytes_sent = state.bytes_sent,
                                  .bytes_received = state.bytes_received,
                                  .finished = {}});
            auto& finished = run_.ranks.back().finished;
            for (std::uint32_t cpu = 0; cpu < processors_.cpus; ++cpu) {
                auto const& sums = books(rank, cpu);
                Instant const ended{processor(rank, cpu).cpu_free};
                run_.accounts.push_back({sums.computing, sums.communicating, sums.waiting_for, ended});
                finished = std::max(finished, ended);
            }
            run_.completion = std::max(run_.completion, finished - Instant{});
            run_.bytes_received += state.bytes_received;
            open += state.open;
        }
        run_.operations = static_cast<std::int64_t>(program_.operations() - open);
        run_.is_deadlocked = open > 0;
        for (auto const& each : matching_.posted())
            run_.unmatched_receives.push_back({.rank = each.envelope.rank,
                                               .operation = each.item,
                                               .peer = each.envelope.peer,
                                               .tag = each.envelope.tag,
                                               .bytes = program_.amount[each.item]});
        for (auto const& each : matching_.unexpected()) {
            auto const& message = events_[each.item];
            run_.unmatched_sends.push_back({.rank = message.order.origin,
                                            .operation = message.order.operation,
                                            .peer = each.envelope.rank,
                                            .tag = message.tag,
                                            .bytes = message.bytes,
                                            .is_stuck = message.is_synchronous});
        }
        std::ranges::sort(run_.unmatched_sends, {}, &UnmatchedOperation::operation);
        if constexpr (Log::is_on)
            run_.log = log_.finish(run_.completion);
        return std::move(run_);
    }

    struct Over {
        std::int64_t when = 0;
        MessageCause cause;
    };

    MessageProgram const& program_;  // the caller's, as the next two
    MessageReplayOptions const& options_;
    MessageProcessors const& processors_;
    std::array<MessageCosts<Law>, 2> costs_;  // between nodes, and inside one
    std::int64_t lookahead_ns_;
    std::vector<Rank> ranks_;
    std::vector<Processor> more_processors_;  // by rank: all but the first
    std::vector<Books> more_books_;           // in the same order
    MessageEvents events_;
    Followers followers_;
    std::vector<Over> over_;  // by operation, with several CPUs: what it waits for, so far
    semantics::Matching matching_;
    Tournament<EventKey> next_;  // by rank: no event of it is earlier
    EventKey others_;            // the first of all ranks but the one that is visited
    std::int64_t freed_at_ = 0;  // when that one last let another one's rendezvous end
    MessageRun run_;
    Log log_;
};

// A bound of all instants, ns: everything after each other.
double longest_run(MessageProgram const& program, Network const& network, double cpu_speed) {
    double sum = 0;
    auto const& node = network.node ? *network.node : network.values;
    auto const of = [&](double NetworkValues::* value) {
        return std::max(network.values.*value, node.*value);
    };
    double const a_message = of(&NetworkValues::latency_ns) + 4 * of(&NetworkValues::overhead_ns) +
                             2 * of(&NetworkValues::gap_ns) + 8;
    double const a_byte =
        2 * of(&NetworkValues::overhead_per_byte_ns) + 2 * of(&NetworkValues::gap_per_byte_ns);
    for (std::size_t each = 0; each < program.operations(); ++each) {
        auto const amount = static_cast<double>(program.amount[each]);
        ensure(program.kind[each].operation() != MessageOperation::collective, "collectives are lowered");
        sum += program.kind[each].operation() == MessageOperation::calc ? amount / cpu_speed + 1
                                                                        : a_message + amount * a_byte;
    }
    return sum;
}

template <class Law>
MessageRun replay_under(MessageProgram const& program, Network const& network,
                        MessageReplayOptions const& options, MessageProcessors const& processors) {
    Law const between(network.values);
    Law const inside(network.node ? *network.node : network.values);
    if (!options.with_log)
        return MessageReplay<Law, MessageSilence>(program, between, inside, options, processors, {}).run();
    return MessageReplay<Law, MessageLogger>(program, between, inside, options, processors,
                                             MessageLogger(program.ranks(), processors.places))
        .run();
}

}  // namespace

Result<MessageRun> replay_messages(MessageProgram const& program, Network const& network,
                                   MessageReplayOptions const& options) {
    constexpr std::uint64_t most_places = std::uint64_t{1} << 24U;
    MessageProcessors const processors(program);
    if (std::uint64_t{program.ranks()} * processors.places > most_places)
        return fail(ErrorCode::out_of_range, std::to_string(program.ranks()) + " ranks with " +
                                                 std::to_string(processors.places) +
                                                 " CPUs and NICs each are too many: at most " +
                                                 std::to_string(most_places) + " in all can be replayed");
    if (!(longest_run(program, network, options.cpu_speed) < longest_ns / 2))
        return fail(ErrorCode::out_of_range,
                    "the program might take longer than 146 years on this network, more than can be counted");
    return network.kind == NetworkKind::loggp ? replay_under<LogGp>(program, network, options, processors)
                                              : replay_under<LogGops>(program, network, options, processors);
}

}  // namespace parcast::simulate
