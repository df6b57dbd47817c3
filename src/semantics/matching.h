// Which receive gets which message: MPI's rules, for all ranks of a program.
//
// A message goes to the first posted receive of its rank that asks for its sender and tag; a receive that is
// posted takes the first message that is there already ("unexpected"). Either may wait. A receive asks for
// one sender and tag, or for any of them (any_peer, any_tag). So messages of one sender with one tag do not
// overtake each other, as long as they arrive in the order in which they were sent.
//
// What is posted, and what is unexpected, lies in a hash table of queues: a queue holds what waits with the
// same rank, peer and tag, first in, first out. A message looks into the four queues that may hold its
// receive and takes the one that was posted first.
//
// Source: MPI 4.0, section 3.5 (order). Cost: constant time; a receive for any sender or tag looks through
// the messages of its rank that it does not ask for. Memory: 48 bytes for each receive or message that waits
// at one time, 8 for each rank.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace parcast::semantics {

// Whose receive or message it is. For a message: the rank that it is for, its sender and its tag.
struct Envelope {
    std::uint32_t rank = 0;
    std::uint32_t peer = 0;  // or any_peer
    std::uint32_t tag = 0;   // or any_tag

    friend bool operator==(Envelope const&, Envelope const&) = default;
};

// What waits, by envelope. `Place` is that of an entry; it stays valid until the entry is taken.
class EnvelopeQueues {
public:
    using Place = std::uint32_t;
    static constexpr Place nowhere = 0xffffffff;

    struct Entry {
        Envelope envelope;
        std::uint32_t item = 0;      // the caller's
        std::uint64_t sequence = 0;  // in which entries were added
        Place next_in_bucket = nowhere;
        Place next_alike = nowhere;  // the one behind it in its queue
        Place last_alike = nowhere;  // of the first in a queue: the last one
        // For lists of the caller's.
        Place before = nowhere;
        Place after = nowhere;
    };

    EnvelopeQueues() : buckets_(first_buckets, nowhere) {}

    std::size_t size() const { return size_; }
    Entry& operator[](Place place) { return entries_[place]; }
    Entry const& operator[](Place place) const { return entries_[place]; }

    // The first of its queue.
    Place find(Envelope const& envelope) const {
        auto place = buckets_[bucket_of(envelope)];
        while (place != nowhere && entries_[place].envelope != envelope)
            place = entries_[place].next_in_bucket;
        return place;
    }

    Place add(Envelope const& envelope, std::uint32_t item);
    // REQUIRES: the place is of the first in its queue.
    void take(Place place);

    // Those that wait, by rank, then in the order in which they were added.
    std::vector<Entry> waiting() const;

private:
    static constexpr std::size_t first_buckets = 64;  // a power of two, as all sizes

    std::size_t bucket_of(Envelope const& envelope) const {
        auto mixed = (std::uint64_t{envelope.rank} << 32U | envelope.peer) * 0x9e3779b97f4a7c15U;
        mixed = (mixed ^ mixed >> 29U ^ envelope.tag) * 0xbf58476d1ce4e5b9U;
        return (mixed >> 32U) & (buckets_.size() - 1);
    }
    void grow();

    std::vector<Place> buckets_;
    std::vector<Entry> entries_;
    Place free_ = nowhere;  // linked by next_in_bucket
    std::size_t size_ = 0;
    std::uint64_t added_ = 0;
};

class Matching {
public:
    explicit Matching(std::uint32_t ranks) : ranks_(ranks) {}

    // `receive` is posted. The message that it takes; if there is none, it waits.
    std::optional<std::uint32_t> post(Envelope const& envelope, std::uint32_t receive);
    // `message` is there. The receive that takes it; if there is none, it waits.
    // REQUIRES: the envelope has no wildcards.
    std::optional<std::uint32_t> arrive(Envelope const& envelope, std::uint32_t message);

    struct Waiting {
        Envelope envelope;
        std::uint32_t item = 0;
    };
    // By rank, then in the order in which they came.
    std::vector<Waiting> posted() const;
    std::vector<Waiting> unexpected() const;

private:
    using Place = EnvelopeQueues::Place;

    // What waits longest at one rank, in its order: the usual case. All that waits in the queues came later.
    struct Few {
        struct Entry {
            std::uint32_t peer = 0;
            std::uint32_t tag = 0;
            std::uint32_t item = 0;
        };
        std::array<Entry, 4> entries;
        std::uint32_t count = 0;
        std::uint32_t others = 0;  // in the queues

        // The first that fits.
        template <class Fits>
        std::optional<std::uint32_t> take(Fits const& fits) {
            for (std::uint32_t each = 0; each < count; ++each)
                if (fits(entries[each])) {
                    auto const item = entries[each].item;
                    --count;
                    for (; each < count; ++each)
                        entries[each] = entries[each + 1];
                    return item;
                }
            return std::nullopt;
        }
        // Whether it waits here from now on.
        bool keep(Envelope const& envelope, std::uint32_t item) {
            if (count == entries.size() || others > 0)
                return false;
            entries[count++] = {envelope.peer, envelope.tag, item};
            return true;
        }
    };
    struct alignas(64) Rank {
        Few posted;
        // The others that are unexpected, in the order of their arrival.
        Place first_message = EnvelopeQueues::nowhere;
        Place last_message = EnvelopeQueues::nowhere;
        Few unexpected;
    };

    std::vector<Waiting> waiting(Few Rank::* few, EnvelopeQueues const& others) const;
    Place find_message(Envelope const& wanted) const;

    std::vector<Rank> ranks_;
    EnvelopeQueues posted_;
    EnvelopeQueues unexpected_;
    std::size_t wildcards_ = 0;  // in posted_
};

}  // namespace parcast::semantics
