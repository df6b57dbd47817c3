#include "semantics/matching.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "program/message_program.h"

namespace parcast::semantics {

namespace {

bool has_wildcard(Envelope const& wanted) {
    return wanted.peer == any_peer || wanted.tag == any_tag;
}

bool asks_for(Envelope const& wanted, Envelope const& message) {
    return (wanted.peer == any_peer || wanted.peer == message.peer) &&
           (wanted.tag == any_tag || wanted.tag == message.tag);
}

}  // namespace

EnvelopeQueues::Place EnvelopeQueues::add(Envelope const& envelope, std::uint32_t item) {
    auto place = free_;
    if (place == nowhere) {
        place = static_cast<Place>(entries_.size());
        entries_.emplace_back();
    } else {
        free_ = entries_[place].next_in_bucket;
    }
    if (++size_ > buckets_.size())
        grow();
    entries_[place] = {.envelope = envelope, .item = item, .sequence = added_++, .last_alike = place};
    if (auto const first = find(envelope); first != nowhere) {
        entries_[entries_[first].last_alike].next_alike = place;
        entries_[first].last_alike = place;
    } else {
        auto& bucket = buckets_[bucket_of(envelope)];
        entries_[place].next_in_bucket = bucket;
        bucket = place;
    }
    return place;
}

void EnvelopeQueues::take(Place place) {
    auto* link = &buckets_[bucket_of(entries_[place].envelope)];
    while (*link != place)
        link = &entries_[*link].next_in_bucket;
    auto& taken = entries_[place];
    if (taken.next_alike == nowhere) {
        *link = taken.next_in_bucket;
    } else {
        auto& next = entries_[taken.next_alike];
        *link = taken.next_alike;
        next.next_in_bucket = taken.next_in_bucket;
        next.last_alike = taken.last_alike;
    }
    taken.last_alike = nowhere;
    taken.next_in_bucket = free_;
    free_ = place;
    --size_;
}

void EnvelopeQueues::grow() {
    auto const old = std::exchange(buckets_, std::vector<Place>(2 * buckets_.size(), nowhere));
    for (auto first : old)
        while (first != nowhere) {
            auto const next = entries_[first].next_in_bucket;
            auto& bucket = buckets_[bucket_of(entries_[first].envelope)];
            entries_[first].next_in_bucket = bucket;
            bucket = first;
            first = next;
        }
}

std::vector<EnvelopeQueues::Entry> EnvelopeQueues::waiting() const {
    std::vector<Entry> all;
    for (auto first : buckets_)
        for (; first != nowhere; first = entries_[first].next_in_bucket)
            for (auto each = first; each != nowhere; each = entries_[each].next_alike)
                all.push_back(entries_[each]);
    std::ranges::sort(all, {},
                      [](Entry const& entry) { return std::tuple(entry.envelope.rank, entry.sequence); });
    return all;
}

std::optional<std::uint32_t> Matching::post(Envelope const& envelope, std::uint32_t receive) {
    auto& rank = ranks_[envelope.rank];
    auto& messages = rank.unexpected;
    if (auto const item = messages.take([&](Few::Entry const& message) {
            return asks_for(envelope, {envelope.rank, message.peer, message.tag});
        }))
        return item;
    bool const is_open = has_wildcard(envelope);
    auto const place = messages.others == 0 ? EnvelopeQueues::nowhere
                       : is_open            ? find_message(envelope)
                                            : unexpected_.find(envelope);
    if (place == EnvelopeQueues::nowhere) {
        if (!rank.posted.keep(envelope, receive)) {
            posted_.add(envelope, receive);
            ++rank.posted.others;
            wildcards_ += is_open ? 1 : 0;
        }
        return std::nullopt;
    }
    auto const& message = unexpected_[place];
    (message.before == EnvelopeQueues::nowhere ? rank.first_message : unexpected_[message.before].after) =
        message.after;
    (message.after == EnvelopeQueues::nowhere ? rank.last_message : unexpected_[message.after].before) =
        message.before;
    auto const item = message.item;
    unexpected_.take(place);
    --messages.others;
    return item;
}

std::optional<std::uint32_t> Matching::arrive(Envelope const& envelope, std::uint32_t message) {
    auto& rank = ranks_[envelope.rank];
    auto& receives = rank.posted;
    if (auto const item = receives.take([&](Few::Entry const& receive) {
            return asks_for({envelope.rank, receive.peer, receive.tag}, envelope);
        }))
        return item;
    auto place = receives.others == 0 ? EnvelopeQueues::nowhere : posted_.find(envelope);
    if (receives.others > 0 && wildcards_ > 0)
        for (auto const& open :
             {Envelope{envelope.rank, any_peer, envelope.tag},
              Envelope{envelope.rank, envelope.peer, any_tag}, Envelope{envelope.rank, any_peer, any_tag}})
            if (auto const other = posted_.find(open);
                other != EnvelopeQueues::nowhere &&
                (place == EnvelopeQueues::nowhere || posted_[other].sequence < posted_[place].sequence))
                place = other;
    if (place == EnvelopeQueues::nowhere) {
        if (rank.unexpected.keep(envelope, message))
            return std::nullopt;
        auto const added = unexpected_.add(envelope, message);
        unexpected_[added].before = rank.last_message;
        (rank.last_message == EnvelopeQueues::nowhere ? rank.first_message
                                                      : unexpected_[rank.last_message].after) = added;
        rank.last_message = added;
        ++rank.unexpected.others;
        return std::nullopt;
    }
    wildcards_ -= has_wildcard(posted_[place].envelope) ? 1 : 0;
    auto const item = posted_[place].item;
    posted_.take(place);
    --receives.others;
    return item;
}

std::vector<Matching::Waiting> Matching::posted() const {
    return waiting(&Rank::posted, posted_);
}

std::vector<Matching::Waiting> Matching::unexpected() const {
    return waiting(&Rank::unexpected, unexpected_);
}

std::vector<Matching::Waiting> Matching::waiting(Few Rank::* few, EnvelopeQueues const& others) const {
    std::vector<Waiting> all;
    auto const sorted = others.waiting();
    auto next = sorted.begin();
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
        auto const& first = ranks_[rank].*few;
        for (std::uint32_t each = 0; each < first.count; ++each)
            all.push_back(
                {{rank, first.entries[each].peer, first.entries[each].tag}, first.entries[each].item});
        for (; next != sorted.end() && next->envelope.rank == rank; ++next)
            all.push_back({next->envelope, next->item});
    }
    return all;
}

// The first of a rank that asks for it is the first of its queue, too.
EnvelopeQueues::Place Matching::find_message(Envelope const& wanted) const {
    auto place = ranks_[wanted.rank].first_message;
    while (place != EnvelopeQueues::nowhere && !asks_for(wanted, unexpected_[place].envelope))
        place = unexpected_[place].after;
    return place;
}

}  // namespace parcast::semantics
