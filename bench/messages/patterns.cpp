#include "messages/patterns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

namespace parcast::bench {

namespace {

constexpr std::uint64_t compute_ns = 20'000;
constexpr std::uint64_t message_bytes = 64;

// The operations of a rank, each after the one before it unless it says otherwise.
class Writer {
public:
    explicit Writer(std::uint64_t operations) {
        program_.kind.reserve(operations);
        program_.amount.reserve(operations);
        program_.peer.reserve(operations);
        program_.tag.reserve(operations);
    }

    bool is_first() const { return next() == program_.first_operation.back(); }
    std::uint32_t next() const { return static_cast<std::uint32_t>(program_.operations()); }
    void compute(Follows follows = Follows::one_before) {
        add(MessageOperation::calc, compute_ns, 0, 0, follows);
    }
    void send(std::uint32_t to, std::uint32_t tag, Follows follows = Follows::one_before) {
        add(MessageOperation::send, message_bytes, to, tag, follows);
    }
    void receive(std::uint32_t from, std::uint32_t tag, Follows follows = Follows::one_before) {
        add(MessageOperation::receive, message_bytes, from, tag, follows);
    }
    // The last operation waits for this one. REQUIRES: it was added with Follows::precedences.
    void after(std::uint32_t earlier) { program_.precedences.push_back({next() - 1, earlier, false}); }
    void end_rank() { program_.first_operation.push_back(next()); }

    MessageProgram take() {
        program_.precedences.shrink_to_fit();
        return std::move(program_);
    }

private:
    void add(MessageOperation operation, std::uint64_t amount, std::uint32_t peer, std::uint32_t tag,
             Follows follows) {
        program_.kind.push_back(MessageKind(operation, is_first() ? Follows::nothing : follows));
        program_.amount.push_back(amount);
        program_.peer.push_back(peer);
        program_.tag.push_back(tag);
    }

    MessageProgram program_;
};

// `turn(writer, rank)` for each rank, so often that about so many operations come of it; `in_a_turn`: of all
// ranks.
template <class Turn>
MessageProgram repeated(std::uint32_t ranks, std::uint64_t operations, std::uint64_t in_a_turn, Turn&& turn) {
    auto const turns = std::max<std::uint64_t>(1, operations / in_a_turn);
    Writer writer(turns * in_a_turn);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        for (std::uint64_t each = 0; each < turns; ++each)
            turn(writer, rank);
        writer.end_rank();
    }
    return writer.take();
}

std::uint32_t rounds_of(std::uint32_t ranks) {
    return static_cast<std::uint32_t>(std::bit_width(ranks) - 1);
}

MessageProgram dissemination(std::uint32_t ranks, std::uint64_t operations) {
    return repeated(ranks, operations, ranks * (1 + 2 * rounds_of(ranks)),
                    [ranks](Writer& writer, std::uint32_t rank) {
                        writer.compute();
                        for (std::uint32_t round = 0; round < rounds_of(ranks); ++round) {
                            writer.send((rank + (1U << round)) % ranks, round);
                            writer.receive((rank + ranks - (1U << round)) % ranks, round);
                        }
                    });
}

MessageProgram recursive_doubling(std::uint32_t ranks, std::uint64_t operations) {
    return repeated(ranks, operations, ranks * (1 + 2 * rounds_of(ranks)),
                    [ranks](Writer& writer, std::uint32_t rank) {
                        writer.compute();
                        for (std::uint32_t round = 0; round < rounds_of(ranks); ++round) {
                            writer.send(rank ^ 1U << round, round);
                            writer.receive(rank ^ 1U << round, round);
                        }
                    });
}

// To rank 0 and back.
MessageProgram reduce_and_broadcast(std::uint32_t ranks, std::uint64_t operations) {
    return repeated(ranks, operations, ranks + 4 * (ranks - 1), [ranks](Writer& writer, std::uint32_t rank) {
        writer.compute();
        std::uint32_t const parent_bit = rank == 0 ? ranks : rank & (~rank + 1);
        for (std::uint32_t bit = 1; bit < parent_bit; bit *= 2)
            writer.receive(rank + bit, 0);
        if (rank != 0) {
            writer.send(rank - parent_bit, 0);
            writer.receive(rank - parent_bit, 1);
        }
        for (std::uint32_t bit = parent_bit / 2; bit > 0; bit /= 2)
            writer.send(rank + bit, 1);
    });
}

// Four neighbours on a torus; receives are posted first, and the next turn waits for all of them.
MessageProgram halo(std::uint32_t ranks, std::uint64_t operations) {
    std::uint32_t const columns = 1U << (rounds_of(ranks) + 1) / 2;
    std::uint32_t const rows = ranks / columns;
    return repeated(ranks, operations, ranks * 9, [=](Writer& writer, std::uint32_t rank) {
        auto const column = rank % columns;
        auto const row = rank / columns;
        std::array const neighbours = {
            row * columns + (column + 1) % columns, row * columns + (column + columns - 1) % columns,
            (row + 1) % rows * columns + column, (row + rows - 1) % rows * columns + column};
        auto const computation = writer.next();
        bool const is_first = writer.is_first();
        writer.compute(Follows::precedences);
        if (!is_first)
            for (auto const earlier : {8U, 7U, 6U, 5U, 1U})  // the receives, and the last send
                writer.after(computation - earlier);
        for (std::uint32_t each = 0; each < 4; ++each) {
            writer.receive(neighbours[each], each ^ 1U,
                           each == 0 ? Follows::one_before : Follows::precedences);
            if (each > 0)
                writer.after(computation);
        }
        for (std::uint32_t each = 0; each < 4; ++each) {
            writer.send(neighbours[each], each, each == 0 ? Follows::precedences : Follows::one_before);
            if (each == 0)
                writer.after(computation);
        }
    });
}

// Each rank sends to another one in each turn, and receives from one.
MessageProgram permutations(std::uint32_t ranks, std::uint64_t operations) {
    auto const turns = std::max<std::uint64_t>(1, operations / (3 * ranks));
    MessageProgram program;
    auto const all = turns * 3 * ranks;
    program.kind.resize(all);
    program.amount.resize(all);
    program.peer.resize(all);
    program.tag.resize(all);
    for (std::uint32_t rank = 1; rank <= ranks; ++rank)
        program.first_operation.push_back(static_cast<std::uint32_t>(rank * turns * 3));
    std::uint64_t random = 1;
    auto const below = [&](std::uint64_t limit) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>((random >> 33U) % limit);
    };
    std::vector<std::uint32_t> to(ranks);
    std::iota(to.begin(), to.end(), 0U);
    for (std::uint64_t turn = 0; turn < turns; ++turn) {
        for (std::uint32_t left = ranks; left > 1; --left)
            std::swap(to[left - 1], to[below(left)]);
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            auto const first = (rank * turns + turn) * 3;
            auto const received = (to[rank] * turns + turn) * 3 + 2;
            program.kind[first] =
                MessageKind(MessageOperation::calc, turn == 0 ? Follows::nothing : Follows::one_before);
            program.amount[first] = compute_ns;
            program.kind[first + 1] = MessageKind(MessageOperation::send, Follows::one_before);
            program.peer[first + 1] = to[rank];
            program.kind[received] = MessageKind(MessageOperation::receive, Follows::one_before);
            program.peer[received] = rank;
            program.amount[first + 1] = program.amount[received] = message_bytes;
            program.tag[first + 1] = program.tag[received] = static_cast<std::uint32_t>(turn);
        }
    }
    return program;
}

constexpr std::array all_patterns{
    Pattern{"dissemination", dissemination},
    Pattern{"reduce, broadcast", reduce_and_broadcast},
    Pattern{"recursive doubling", recursive_doubling},
    Pattern{"2-D halo", halo},
    Pattern{"permutations", permutations},
};

}  // namespace

std::span<Pattern const> patterns() {
    return all_patterns;
}

}  // namespace parcast::bench
