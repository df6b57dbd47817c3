#include "program/collectives/collective_algorithm.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace parcast {

namespace {

using Algorithm = CollectiveAlgorithm;
using Kind = CollectiveKind;

constexpr std::uint64_t pipeline_segment_bytes = 8192;
constexpr std::uint32_t k_nomial_radix = 4;

struct AlgorithmRow {
    Algorithm algorithm;
    std::string_view name;
    std::string_view meaning;
};

// By CollectiveAlgorithm.
constexpr std::array<AlgorithmRow, 18> algorithm_rows{{
    {Algorithm::linear, "linear", "one rank with all others, or along all ranks"},
    {Algorithm::chain, "chain", "from rank to rank, the whole message at once"},
    {Algorithm::pipeline, "pipeline", "from rank to rank, in segments of 8 KiB"},
    {Algorithm::binary, "binary", "a binary tree"},
    {Algorithm::binomial, "binomial", "a binomial tree"},
    {Algorithm::k_nomial, "k-nomial", "a tree whose ranks have up to 3 children at each level"},
    {Algorithm::tree, "tree", "a binomial tree up, and down again"},
    {Algorithm::dissemination, "dissemination", "each round to a rank twice as far away"},
    {Algorithm::recursive_doubling, "recursive-doubling", "each round with a partner twice as far away"},
    {Algorithm::recursive_halving, "recursive-halving", "each round half of what is left"},
    {Algorithm::rabenseifner, "rabenseifner", "recursive halving, then doubling or a tree"},
    {Algorithm::ring, "ring", "a block a round to the next rank"},
    {Algorithm::neighbour_exchange, "neighbour-exchange", "two blocks a round with either neighbour in turn"},
    {Algorithm::bruck, "bruck", "each round twice as many blocks, for any number of ranks"},
    {Algorithm::pairwise, "pairwise", "each round with another rank"},
    {Algorithm::scatter_allgather, "scatter-allgather", "a tree scatters, recursive doubling gathers"},
    {Algorithm::scatter_ring, "scatter-ring", "a tree scatters, a ring gathers"},
    {Algorithm::non_overlapping, "non-overlapping", "two collective operations, one after the other"},
}};

constexpr std::array barrier_algorithms = {Algorithm::linear, Algorithm::tree, Algorithm::dissemination,
                                           Algorithm::recursive_doubling};
constexpr std::array broadcast_algorithms = {
    Algorithm::linear,   Algorithm::chain,    Algorithm::pipeline,          Algorithm::binary,
    Algorithm::binomial, Algorithm::k_nomial, Algorithm::scatter_allgather, Algorithm::scatter_ring};
constexpr std::array reduce_algorithms = {Algorithm::linear, Algorithm::chain,    Algorithm::pipeline,
                                          Algorithm::binary, Algorithm::binomial, Algorithm::rabenseifner};
constexpr std::array allreduce_algorithms = {Algorithm::linear, Algorithm::recursive_doubling,
                                             Algorithm::rabenseifner, Algorithm::ring,
                                             Algorithm::non_overlapping};
constexpr std::array tree_algorithms = {Algorithm::linear, Algorithm::binomial};
constexpr std::array allgather_algorithms = {Algorithm::linear, Algorithm::recursive_doubling,
                                             Algorithm::ring,   Algorithm::neighbour_exchange,
                                             Algorithm::bruck,  Algorithm::non_overlapping};
constexpr std::array alltoall_algorithms = {Algorithm::linear, Algorithm::bruck, Algorithm::pairwise};
constexpr std::array reduce_scatter_algorithms = {Algorithm::recursive_halving, Algorithm::ring,
                                                  Algorithm::pairwise, Algorithm::non_overlapping};
constexpr std::array scan_algorithms = {Algorithm::linear, Algorithm::recursive_doubling};

// The operations of one rank.
class CollectiveSteps {
public:
    CollectiveSteps(CollectiveInstance const& instance, CollectiveRank const& own, CallingOrder& order)
        : instance_(instance), own_(own), order_(&order), rank_(own.rank), ranks_(instance.ranks) {}

    void add() { add(instance_.kind, instance_.algorithm, instance_.root); }

private:
    void add(Kind kind, Algorithm algorithm, std::uint32_t root) {
        root_ = root;
        place_ = (rank_ + ranks_ - root) % ranks_;
        switch (kind) {
            case Kind::barrier: return barrier(algorithm);
            case Kind::broadcast: return broadcast(algorithm, instance_.bytes);
            case Kind::reduce: return reduce(algorithm, instance_.bytes);
            case Kind::allreduce: return allreduce(algorithm);
            case Kind::gather: return algorithm == Algorithm::linear ? gather_linearly() : gather_by_tree();
            case Kind::scatter:
                return algorithm == Algorithm::linear ? scatter_linearly() : scatter_by_tree();
            case Kind::allgather: return allgather(algorithm);
            case Kind::alltoall: return alltoall(algorithm);
            case Kind::reduce_scatter: return reduce_scatter(algorithm);
            case Kind::scan:
            case Kind::exclusive_scan: return scan(algorithm);
        }
    }

    // What one rank does. Peers are ranks of the communicator.

    MessageStep message(MessageOperation operation, std::uint32_t peer, std::uint64_t bytes) const {
        return {.operation = operation,
                .amount = bytes,
                .peer = own_.members.empty() ? peer : own_.members[peer],
                .tag = own_.tag,
                .cpu = own_.cpu,
                .nic = own_.nic};
    }
    void send(std::uint32_t to, std::uint64_t bytes) {
        order_->run(message(MessageOperation::send, to, bytes));
    }
    void receive(std::uint32_t from, std::uint64_t bytes) {
        order_->run(message(MessageOperation::receive, from, bytes));
    }
    void exchange(std::uint32_t to, std::uint64_t sent, std::uint32_t from, std::uint64_t received) {
        auto const receives = order_->start(message(MessageOperation::receive, from, received));
        auto const sends = order_->start(message(MessageOperation::send, to, sent));
        order_->wait(receives);
        order_->wait(sends);
    }
    void start(MessageOperation operation, std::uint32_t peer, std::uint64_t bytes) {
        started_.push_back(order_->start(message(operation, peer, bytes)));
    }
    void wait_for_all() {
        for (auto const each : std::exchange(started_, {}))
            order_->wait(each);
    }
    // So many bytes of two buffers.
    void combine(std::uint64_t bytes) {
        auto const all = instance_.bytes;
        auto const ns = all == 0 ? 0
                                 : std::llround(static_cast<double>(instance_.reduce_ns) *
                                                static_cast<double>(bytes) / static_cast<double>(all));
        if (ns > 0)
            order_->run({.operation = MessageOperation::calc,
                         .amount = static_cast<std::uint64_t>(ns),
                         .cpu = own_.cpu,
                         .nic = own_.nic});
    }

    // The rank at a place counted from the root, and what a tree calls a parent.
    std::uint32_t at(std::uint32_t place) const { return (place + root_) % ranks_; }
    std::uint32_t block_at(std::uint32_t place) const { return at(place); }
    // The bytes of `count` blocks, from that at `place` on.
    std::uint64_t bytes_at(std::uint32_t place, std::uint32_t count) const {
        return instance_.blocks.bytes(block_at(place), count);
    }
    // How many places the binomial subtree below this one has.
    std::uint32_t subtree(std::uint32_t place) const {
        auto const whole = place == 0 ? std::bit_ceil(ranks_) : std::uint32_t{1} << std::countr_zero(place);
        return std::min(whole, ranks_ - place);
    }

    // Barrier.

    void barrier(Algorithm algorithm) {
        switch (algorithm) {
            case Algorithm::dissemination:
                for (std::uint32_t distance = 1; distance < ranks_; distance *= 2)
                    exchange((rank_ + distance) % ranks_, 0, (rank_ + ranks_ - distance) % ranks_, 0);
                return;
            case Algorithm::recursive_doubling: return double_recursively(0);
            case Algorithm::tree: reduce_by_tree(2, 0); return broadcast_by_tree(2, 0);
            default: break;
        }
        if (rank_ != 0) {
            send(0, 0);
            return receive(0, 0);
        }
        with_all_others(MessageOperation::receive, 0);
        with_all_others(MessageOperation::send, 0);
    }

    void with_all_others(MessageOperation operation, std::uint64_t bytes) {
        for (std::uint32_t place = 1; place < ranks_; ++place)
            start(operation, at(place), bytes);
        wait_for_all();
    }

    // Broadcast.

    void broadcast(Algorithm algorithm, std::uint64_t bytes) {
        switch (algorithm) {
            case Algorithm::chain: return broadcast_along(bytes, std::max<std::uint64_t>(1, bytes));
            case Algorithm::pipeline: return broadcast_along(bytes, pipeline_segment_bytes);
            case Algorithm::binary: return broadcast_by_binary_tree(bytes);
            case Algorithm::binomial: return broadcast_by_tree(2, bytes);
            case Algorithm::k_nomial: return broadcast_by_tree(k_nomial_radix, bytes);
            case Algorithm::scatter_allgather:
                scatter_by_tree();
                if (std::has_single_bit(ranks_))
                    return allgather_by_doubling(place_);
                return allgather_by_bruck(place_);
            case Algorithm::scatter_ring: scatter_by_tree(); return allgather_by_ring(place_);
            default: break;
        }
        if (place_ == 0)
            with_all_others(MessageOperation::send, bytes);
        else
            receive(root_, bytes);
    }

    void broadcast_along(std::uint64_t bytes, std::uint64_t segment) {
        for_each_segment(bytes, segment, [&](std::uint64_t part) {
            if (place_ > 0)
                receive(at(place_ - 1), part);
            if (place_ + 1 < ranks_)
                start(MessageOperation::send, at(place_ + 1), part);
        });
        wait_for_all();
    }

    template <class Do>
    static void for_each_segment(std::uint64_t bytes, std::uint64_t segment, Do act) {
        auto left = bytes;
        do {
            auto const part = std::min(left, segment);
            act(part);
            left -= part;
        } while (left > 0);
    }

    void broadcast_by_binary_tree(std::uint64_t bytes) {
        if (place_ > 0)
            receive(at((place_ - 1) / 2), bytes);
        for (std::uint64_t child = 2 * std::uint64_t{place_} + 1; child <= 2 * std::uint64_t{place_} + 2;
             ++child)
            if (child < ranks_)
                start(MessageOperation::send, at(static_cast<std::uint32_t>(child)), bytes);
        wait_for_all();
    }

    // A place's parent has its lowest digit other than 0, in numbers of this radix, set to 0.
    std::uint64_t lowest_digit(std::uint32_t radix) const {
        std::uint64_t digit = 1;
        while (digit < ranks_ && place_ % (digit * radix) == 0)
            digit *= radix;
        return digit;
    }

    void broadcast_by_tree(std::uint32_t radix, std::uint64_t bytes) {
        auto digit = lowest_digit(radix);
        if (place_ > 0)
            receive(at(static_cast<std::uint32_t>(place_ / (digit * radix) * (digit * radix))), bytes);
        for (digit /= radix; digit > 0; digit /= radix)
            for (std::uint32_t i = 1; i < radix; ++i)
                if (auto const child = place_ + digit * i; child < ranks_)
                    start(MessageOperation::send, at(static_cast<std::uint32_t>(child)), bytes);
        wait_for_all();
    }

    // Reduce.

    void reduce(Algorithm algorithm, std::uint64_t bytes) {
        switch (algorithm) {
            case Algorithm::chain: return reduce_along(bytes, std::max<std::uint64_t>(1, bytes));
            case Algorithm::pipeline: return reduce_along(bytes, pipeline_segment_bytes);
            case Algorithm::binary: return reduce_by_binary_tree(bytes);
            case Algorithm::binomial: return reduce_by_tree(2, bytes);
            case Algorithm::rabenseifner: return reduce_by_halving();
            default: break;
        }
        if (place_ > 0)
            return send(root_, bytes);
        for (auto place = ranks_ - 1; place > 0; --place) {
            receive(at(place), bytes);
            combine(bytes);
        }
    }

    void reduce_along(std::uint64_t bytes, std::uint64_t segment) {
        for_each_segment(bytes, segment, [&](std::uint64_t part) {
            if (place_ + 1 < ranks_) {
                receive(at(place_ + 1), part);
                combine(part);
            }
            if (place_ > 0)
                start(MessageOperation::send, at(place_ - 1), part);
        });
        wait_for_all();
    }

    void reduce_by_binary_tree(std::uint64_t bytes) {
        for (std::uint64_t child = 2 * std::uint64_t{place_} + 1; child <= 2 * std::uint64_t{place_} + 2;
             ++child) {
            if (child < ranks_) {
                receive(at(static_cast<std::uint32_t>(child)), bytes);
                combine(bytes);
            }
        }
        if (place_ > 0)
            send(at((place_ - 1) / 2), bytes);
    }

    void reduce_by_tree(std::uint32_t radix, std::uint64_t bytes) {
        auto const own_digit = lowest_digit(radix);
        for (std::uint64_t digit = 1; digit < own_digit; digit *= radix)
            for (std::uint32_t i = 1; i < radix; ++i)
                if (auto const child = place_ + digit * i; child < ranks_) {
                    receive(at(static_cast<std::uint32_t>(child)), bytes);
                    combine(bytes);
                }
        if (place_ > 0)
            send(at(static_cast<std::uint32_t>(place_ / (own_digit * radix) * (own_digit * radix))), bytes);
    }

    // What is left over from a power of two is folded: of the first ranks, each even one gives its part to
    // the next one, which stands for both.
    struct Folded {
        std::uint32_t ranks;                // a power of two
        std::uint32_t pairs;                // of ranks, at the begin
        std::optional<std::uint32_t> rank;  // own one; none: another one stands for it

        std::uint32_t unfolded(std::uint32_t folded) const {
            return folded < pairs ? 2 * folded + 1 : folded + pairs;
        }
    };
    Folded folded() const {
        auto const power = std::bit_floor(ranks_);
        auto const pairs = ranks_ - power;
        if (rank_ >= 2 * pairs)
            return {power, pairs, rank_ - pairs};
        return {power, pairs, rank_ % 2 == 1 ? std::optional(rank_ / 2) : std::nullopt};
    }
    void fold(Folded const& folded, std::uint64_t bytes) {
        if (!folded.rank) {
            send(rank_ + 1, bytes);
        } else if (rank_ < 2 * folded.pairs) {
            receive(rank_ - 1, bytes);
            combine(bytes);
        }
    }
    void unfold(Folded const& folded, std::uint64_t bytes) {
        if (!folded.rank)
            receive(rank_ + 1, bytes);
        else if (rank_ < 2 * folded.pairs)
            send(rank_ - 1, bytes);
    }

    void double_recursively(std::uint64_t bytes) {
        auto const all = folded();
        fold(all, bytes);
        for (std::uint32_t bit = 1; all.rank && bit < all.ranks; bit *= 2) {
            auto const partner = all.unfolded(*all.rank ^ bit);
            exchange(partner, bytes, partner, bytes);
            combine(bytes);
        }
        unfold(all, bytes);
    }

    // Blocks that a rank is responsible for: of the buffer cut for the folded ranks.
    struct Share {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };

    // Rabenseifner 2004: each round half of the share goes to a partner twice as far away.
    Share halve(Folded const& all, CollectiveBlocks const& blocks) {
        Share share{0, all.ranks};
        for (std::uint32_t bit = 1; bit < all.ranks; bit *= 2) {
            auto const half = share.count / 2;
            bool const keeps_upper = (*all.rank & bit) != 0;
            Share const sent{keeps_upper ? share.first : share.first + half, half};
            share = {keeps_upper ? share.first + half : share.first, half};
            auto const partner = all.unfolded(*all.rank ^ bit);
            auto const received = blocks.bytes(share.first, half);
            exchange(partner, blocks.bytes(sent.first, half), partner, received);
            combine(received);
        }
        return share;
    }

    static Share share_of_partner(Share const& share, bool is_upper) {
        return {is_upper ? share.first - share.count : share.first + share.count, share.count};
    }

    void reduce_by_halving() {
        auto const all = folded();
        CollectiveBlocks const blocks(instance_.bytes, all.ranks);
        fold(all, instance_.bytes);
        bool const is_root_folded = root_ < 2 * all.pairs && root_ % 2 == 0;
        auto const root =
            root_ < 2 * all.pairs ? root_ / 2 : root_ - all.pairs;  // the one that stands for it
        if (all.rank) {
            auto share = halve(all, blocks);
            for (auto bit = all.ranks / 2; bit > 0; bit /= 2) {
                bool const is_upper = (*all.rank & bit) != 0;
                auto const partner = all.unfolded(*all.rank ^ bit);
                if (((*all.rank ^ root) & bit) != 0) {
                    send(partner, blocks.bytes(share.first, share.count));
                    break;
                }
                auto const more = share_of_partner(share, is_upper);
                receive(partner, blocks.bytes(more.first, more.count));
                share = {std::min(share.first, more.first), 2 * share.count};
            }
        }
        if (is_root_folded && rank_ == root_)
            receive(root_ + 1, instance_.bytes);
        else if (is_root_folded && rank_ == root_ + 1)
            send(root_, instance_.bytes);
    }

    // Allreduce.

    void allreduce(Algorithm algorithm) {
        switch (algorithm) {
            case Algorithm::recursive_doubling: return double_recursively(instance_.bytes);
            case Algorithm::rabenseifner: return halve_and_double();
            case Algorithm::ring:
                for (std::uint32_t step = 0; step + 1 < ranks_; ++step) {
                    pass_on_ring(rank_ + ranks_ - step);
                    combine(instance_.blocks.bytes((rank_ + ranks_ - step - 1) % ranks_));
                }
                for (std::uint32_t step = 0; step + 1 < ranks_; ++step)
                    pass_on_ring(rank_ + ranks_ + 1 - step);
                return;
            case Algorithm::non_overlapping:
                add(Kind::reduce, instance_.first_half, 0);
                return add(Kind::broadcast, instance_.second_half, 0);
            default: break;
        }
        reduce(Algorithm::linear, instance_.bytes);
        broadcast(Algorithm::linear, instance_.bytes);
    }

    // This block goes to the next rank, and the one before it comes.
    void pass_on_ring(std::uint32_t block) {
        exchange((rank_ + 1) % ranks_, instance_.blocks.bytes(block % ranks_), (rank_ + ranks_ - 1) % ranks_,
                 instance_.blocks.bytes((block + ranks_ - 1) % ranks_));
    }

    void halve_and_double() {
        auto const all = folded();
        CollectiveBlocks const blocks(instance_.bytes, all.ranks);
        fold(all, instance_.bytes);
        if (all.rank) {
            auto share = halve(all, blocks);
            for (auto bit = all.ranks / 2; bit > 0; bit /= 2) {
                auto const partner = all.unfolded(*all.rank ^ bit);
                auto const more = share_of_partner(share, (*all.rank & bit) != 0);
                exchange(partner, blocks.bytes(share.first, share.count), partner,
                         blocks.bytes(more.first, more.count));
                share = {std::min(share.first, more.first), 2 * share.count};
            }
        }
        unfold(all, instance_.bytes);
    }

    // Gather and scatter.

    void gather_linearly() {
        if (place_ > 0)
            return send(root_, instance_.blocks.bytes(rank_));
        for (std::uint32_t place = 1; place < ranks_; ++place)
            start(MessageOperation::receive, at(place), bytes_at(place, 1));
        wait_for_all();
    }

    void scatter_linearly() {
        if (place_ > 0)
            return receive(root_, instance_.blocks.bytes(rank_));
        for (std::uint32_t place = 1; place < ranks_; ++place)
            start(MessageOperation::send, at(place), bytes_at(place, 1));
        wait_for_all();
    }

    void gather_by_tree() {
        auto const own_digit = lowest_digit(2);
        for (std::uint32_t digit = 1; digit < own_digit; digit *= 2)
            if (auto const child = place_ + digit; child < ranks_)
                receive(at(child), bytes_at(child, subtree(child)));
        if (place_ > 0)
            send(at(place_ & (place_ - 1)), bytes_at(place_, subtree(place_)));
    }

    void scatter_by_tree() {
        if (place_ > 0)
            receive(at(place_ & (place_ - 1)), bytes_at(place_, subtree(place_)));
        for (auto digit = static_cast<std::uint32_t>(lowest_digit(2) / 2); digit > 0; digit /= 2)
            if (auto const child = place_ + digit; child < ranks_)
                start(MessageOperation::send, at(child), bytes_at(child, subtree(child)));
        wait_for_all();
    }

    // Allgather: of blocks by place.

    void allgather(Algorithm algorithm) {
        switch (algorithm) {
            case Algorithm::ring: return allgather_by_ring(place_);
            case Algorithm::bruck: return allgather_by_bruck(place_);
            case Algorithm::recursive_doubling: return allgather_by_doubling(place_);
            case Algorithm::neighbour_exchange: return allgather_by_neighbours();
            case Algorithm::non_overlapping:
                add(Kind::gather, instance_.first_half, 0);
                return broadcast(instance_.second_half, instance_.blocks.bytes());
            default: break;
        }
        for (std::uint32_t other = 1; other < ranks_; ++other)
            start(MessageOperation::receive, (rank_ + ranks_ - other) % ranks_,
                  instance_.blocks.bytes((rank_ + ranks_ - other) % ranks_));
        for (std::uint32_t other = 1; other < ranks_; ++other)
            start(MessageOperation::send, (rank_ + other) % ranks_, instance_.blocks.bytes(rank_));
        wait_for_all();
    }

    void allgather_by_ring(std::uint32_t place) {
        for (std::uint32_t step = 0; step + 1 < ranks_; ++step)
            exchange(at(place + 1), bytes_at(place + ranks_ - step, 1), at(place + ranks_ - 1),
                     bytes_at(place + ranks_ - step - 1, 1));
    }

    void allgather_by_doubling(std::uint32_t place) {
        for (std::uint32_t bit = 1; bit < ranks_; bit *= 2) {
            auto const own = place / bit * bit;
            exchange(at(place ^ bit), bytes_at(own, bit), at(place ^ bit), bytes_at(own ^ bit, bit));
        }
    }

    void allgather_by_bruck(std::uint32_t place) {
        for (std::uint32_t distance = 1; distance < ranks_; distance *= 2) {
            auto const count = std::min(distance, ranks_ - distance);
            exchange(at(place + ranks_ - distance), bytes_at(place, count), at(place + distance),
                     bytes_at(place + distance, count));
        }
    }

    // Chen, Zhang and Wang 2005. Pairs of blocks go both ways around, a pair a round.
    void allgather_by_neighbours() {
        bool const is_even = rank_ % 2 == 0;
        std::array<std::uint32_t, 2> const neighbours = {is_even ? rank_ + 1 : rank_ - 1,
                                                         (is_even ? rank_ + ranks_ - 1 : rank_ + 1) % ranks_};
        auto const& blocks = instance_.blocks;
        exchange(neighbours[0], blocks.bytes(rank_), neighbours[0], blocks.bytes(neighbours[0]));
        auto const own_pair = rank_ / 2 * 2;
        std::array<std::uint32_t, 2> from = {own_pair, own_pair};
        auto sent = own_pair;
        for (std::uint32_t step = 1; step < ranks_ / 2; ++step) {
            auto const way = step % 2;
            bool const rises = (way == 0) == is_even;
            from[way] = (from[way] + (rises ? 2 : ranks_ - 2)) % ranks_;
            exchange(neighbours[way], blocks.bytes(sent, 2), neighbours[way], blocks.bytes(from[way], 2));
            sent = from[way];
        }
    }

    // Alltoall.

    void alltoall(Algorithm algorithm) {
        if (algorithm == Algorithm::bruck)
            return alltoall_by_bruck(instance_.exchanged.front().front());
        if (algorithm != Algorithm::linear) {
            for (std::uint32_t step = 1; step < ranks_; ++step) {
                auto const to = (rank_ + step) % ranks_;
                auto const from = (rank_ + ranks_ - step) % ranks_;
                exchange(to, instance_.exchanged_bytes(rank_, to), from,
                         instance_.exchanged_bytes(from, rank_));
            }
            return;
        }
        for (std::uint32_t step = 1; step < ranks_; ++step) {
            auto const from = (rank_ + ranks_ - step) % ranks_;
            start(MessageOperation::receive, from, instance_.exchanged_bytes(from, rank_));
        }
        for (std::uint32_t step = 1; step < ranks_; ++step) {
            auto const to = (rank_ + step) % ranks_;
            start(MessageOperation::send, to, instance_.exchanged_bytes(rank_, to));
        }
        wait_for_all();
    }

    // Each round moves the blocks whose distance has one more bit.
    void alltoall_by_bruck(std::uint64_t bytes) {
        for (std::uint32_t bit = 1; bit < ranks_; bit *= 2) {
            auto const rest = ranks_ % (2 * bit);
            auto const count = ranks_ / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
            exchange((rank_ + bit) % ranks_, bytes * count, (rank_ + ranks_ - bit) % ranks_, bytes * count);
        }
    }

    // Reduce-scatter.

    void reduce_scatter(Algorithm algorithm) {
        auto const& blocks = instance_.blocks;
        switch (algorithm) {
            case Algorithm::ring:
                for (std::uint32_t step = 1; step < ranks_; ++step) {
                    pass_on_ring(rank_ + ranks_ - step);
                    combine(blocks.bytes((rank_ + 2 * ranks_ - step - 1) % ranks_));
                }
                return;
            case Algorithm::pairwise:
                for (std::uint32_t step = 1; step < ranks_; ++step) {
                    auto const to = (rank_ + step) % ranks_;
                    exchange(to, blocks.bytes(to), (rank_ + ranks_ - step) % ranks_, blocks.bytes(rank_));
                    combine(blocks.bytes(rank_));
                }
                return;
            case Algorithm::non_overlapping:
                add(Kind::reduce, instance_.first_half, 0);
                return add(Kind::scatter, instance_.second_half, 0);
            default: return scatter_by_halving();
        }
    }

    // A folded rank has the blocks of those that it stands for.
    void scatter_by_halving() {
        auto const all = folded();
        fold(all, instance_.bytes);
        auto const bytes_of = [&](std::uint32_t first, std::uint32_t end) {
            auto const block = [&](std::uint32_t folded) {
                return folded < all.pairs ? 2 * folded : folded + all.pairs;
            };
            return instance_.blocks.bytes(block(first) % ranks_, block(end) - block(first));
        };
        std::uint32_t first = 0;
        for (auto half = all.ranks / 2; all.rank && half > 0; half /= 2) {
            bool const keeps_upper = (*all.rank & half) != 0;
            auto const lower = bytes_of(first, first + half);
            auto const upper = bytes_of(first + half, first + 2 * half);
            auto const partner = all.unfolded(*all.rank ^ half);
            exchange(partner, keeps_upper ? lower : upper, partner, keeps_upper ? upper : lower);
            combine(keeps_upper ? upper : lower);
            first += keeps_upper ? half : 0;
        }
        unfold(all, instance_.blocks.bytes(all.rank ? (rank_ + ranks_ - 1) % ranks_ : rank_));
    }

    // Scans.

    void scan(Algorithm algorithm) {
        if (algorithm == Algorithm::recursive_doubling) {
            for (std::uint32_t bit = 1; bit < ranks_; bit *= 2) {
                if (auto const partner = rank_ ^ bit; partner < ranks_) {
                    exchange(partner, instance_.bytes, partner, instance_.bytes);
                    combine(instance_.bytes);
                }
            }
            return;
        }
        if (rank_ > 0) {
            receive(rank_ - 1, instance_.bytes);
            combine(instance_.bytes);
        }
        if (rank_ + 1 < ranks_)
            send(rank_ + 1, instance_.bytes);
    }

    CollectiveInstance const& instance_;
    CollectiveRank const& own_;
    CallingOrder* order_;
    std::uint32_t rank_;
    std::uint32_t ranks_;
    std::uint32_t root_ = 0;
    std::uint32_t place_ = 0;  // counted from the root
    std::vector<std::uint32_t> started_;
};

}  // namespace

std::string_view name_of(CollectiveAlgorithm algorithm) {
    return algorithm_rows[static_cast<std::size_t>(algorithm)].name;
}

std::string_view meaning_of(CollectiveAlgorithm algorithm) {
    return algorithm_rows[static_cast<std::size_t>(algorithm)].meaning;
}

std::span<CollectiveAlgorithm const> algorithms_of(CollectiveKind kind) {
    switch (kind) {
        case Kind::barrier: return barrier_algorithms;
        case Kind::broadcast: return broadcast_algorithms;
        case Kind::reduce: return reduce_algorithms;
        case Kind::allreduce: return allreduce_algorithms;
        case Kind::gather:
        case Kind::scatter: return tree_algorithms;
        case Kind::allgather: return allgather_algorithms;
        case Kind::alltoall: return alltoall_algorithms;
        case Kind::reduce_scatter: return reduce_scatter_algorithms;
        case Kind::scan:
        case Kind::exclusive_scan: break;
    }
    return scan_algorithms;
}

CollectiveAlgorithm existing_algorithm(CollectiveKind kind, CollectiveAlgorithm algorithm,
                                       std::uint32_t ranks, bool is_varied) {
    if (kind == Kind::allgather && algorithm == Algorithm::recursive_doubling && !std::has_single_bit(ranks))
        return Algorithm::bruck;
    if (kind == Kind::allgather && algorithm == Algorithm::neighbour_exchange && ranks % 2 == 1)
        return Algorithm::ring;
    if (kind == Kind::alltoall && algorithm == Algorithm::bruck && is_varied)
        return Algorithm::pairwise;
    return algorithm;
}

CollectiveBlocks::CollectiveBlocks(std::span<std::uint64_t const> sizes)
    : blocks_(static_cast<std::uint32_t>(sizes.size())) {
    std::uint64_t end = 0;
    for (auto const size : sizes)
        ends_.push_back(end += size);
}

std::uint64_t CollectiveBlocks::bytes(std::uint32_t first, std::uint32_t count) const {
    auto const end = first + count;
    return end <= blocks_ ? begin(end) - begin(first) : begin(blocks_) - begin(first) + begin(end - blocks_);
}

void add_collective(CollectiveInstance const& instance, CollectiveRank const& rank,
                    MessageProgramBuilder& builder, CallingOrder& order) {
    auto const before = builder.operations();
    if (instance.ranks > 1)
        CollectiveSteps(instance, rank, order).add();
    if (builder.operations() == before)
        order.run({.operation = MessageOperation::calc, .cpu = rank.cpu, .nic = rank.nic});
}

}  // namespace parcast
