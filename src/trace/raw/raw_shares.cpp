#include "trace/raw/raw_shares.h"

#include <algorithm>
#include <limits>

#include "wire/record.h"

namespace parcast::trace {

namespace {

constexpr std::uint32_t outside = std::numeric_limits<std::uint32_t>::max();
constexpr char const* undefined = "the recording refers to a call stack that was never defined.";

std::uint32_t sum_of_calls(std::uint32_t a, std::uint64_t b) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(a + (b & outside), outside));
}

}  // namespace

char const* RawShares::define(std::uint32_t number, std::uint64_t function, std::uint64_t caller,
                              RawNumbers& numbers) {
    bool const is_known = caller == 0 || (caller < known_.size() && known_[caller].is_defined);
    if (number == 0 || number >= wire::most_stacks || caller == number || !is_known)
        return undefined;
    if (known_.size() <= number)
        known_.resize(number + 1);
    std::uint32_t const of_caller = caller == 0 ? outside : known_[caller].number;
    known_[number] = {true, numbers.stacks.number_of({of_caller, function}), 0};
    return nullptr;
}

WorkShare* RawShares::row_of(std::uint32_t number) {
    if (known_.empty())
        known_.resize(1);
    known_[0] = {true, outside, known_[0].row};
    if (number >= known_.size() || !known_[number].is_defined)
        return nullptr;
    Known& known = known_[number];
    if (known.row >= piece_.size() || piece_[known.row].stack.value != known.number) {
        known.row = static_cast<std::uint32_t>(piece_.size());
        piece_.push_back({0, StackId(known.number), 0, 0, 0});
    }
    last_row_ = known.row;
    return &piece_[known.row];
}

char const* RawShares::add(std::uint32_t number, std::int64_t ns, std::uint64_t calls) {
    WorkShare* const row = row_of(number);
    if (!row)
        return undefined;
    row->ns = sum_up_to_all(row->ns, ns);
    row->calls = sum_of_calls(row->calls, calls);
    row->deeper_calls = sum_of_calls(row->deeper_calls, calls >> 32);
    piece_ns_ = sum_up_to_all(piece_ns_, ns);
    return nullptr;
}

char const* RawShares::add_rest(std::uint32_t number, std::int64_t used_ns) {
    return add(number, std::max<std::int64_t>(0, used_ns - piece_ns_), 0);
}

// The stack that makes the call comes last.
void RawShares::end_piece(std::uint32_t piece) {
    if (piece_.empty())
        return;
    std::swap(piece_[last_row_], piece_.back());
    for (WorkShare& share : piece_)
        share.piece = piece;
    done_.insert(done_.end(), piece_.begin(), piece_.end());
    piece_.clear();
    piece_ns_ = 0;
}

void RawShares::begin_thread() {
    piece_.clear();
    piece_ns_ = 0;
    done_.clear();
}

std::span<WorkShare const> RawShares::before(std::uint32_t end) const {
    auto const last = std::ranges::lower_bound(done_, end, {}, &WorkShare::piece);
    return {done_.begin(), last};
}

void RawShares::drop_before(std::uint32_t end) {
    done_.erase(done_.begin(), std::ranges::lower_bound(done_, end, {}, &WorkShare::piece));
}

}  // namespace parcast::trace
