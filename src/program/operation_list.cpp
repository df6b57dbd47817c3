#include "program/operation_list.h"

#include <algorithm>
#include <bit>

#include "core/word_halves.h"

namespace parcast {

// Which numbers of it do not stand in its 12 bytes.
std::uint32_t OperationList::more_of(Operation const& operation) {
    std::uint32_t more = 0;
    if (high_half(operation.work_ns) != 0)
        more |= long_work;
    if (high_half(operation.value) != 0)
        more |= low_half(operation.value) == 1 ? one_token : has_value | long_value;
    else if (operation.value != 0)
        more |= has_value;
    return more;
}

void OperationList::set(std::size_t i, Operation const& operation) {
    auto const had = packed_[i].site_and_kind & has_more;
    auto const needed = more_of(operation);
    auto more = needed | had;
    if (is_one_token(more) && !is_one_token(needed))
        more |= has_value;
    auto place = packed_[i].work;
    if (more != had) {
        place = low_half(static_cast<std::int64_t>(words_.size()));
        words_.resize(words_.size() + 1 + static_cast<std::size_t>(std::popcount(more)));
    }
    auto const kind = std::min(operation.site_and_kind >> 24, most_kinds - 1);
    packed_[i] = {more == 0 ? low_half(operation.work_ns) : place, operation.object,
                  (operation.site_and_kind & Operation::no_site) | kind << 24 | more};
    if (more == 0)
        return;
    auto* word = words_.data() + place;
    *word++ = low_half(operation.work_ns);
    if ((more & long_work) != 0)
        *word++ = high_half(operation.work_ns);
    if ((more & has_value) != 0)
        *word++ = low_half(operation.value);
    if ((more & long_value) != 0)
        *word = high_half(operation.value);
}

void OperationList::add_rest(Packed const& packed, Operation& operation) const {
    auto const* word = words_.data() + packed.work;
    auto const more = packed.site_and_kind;
    auto const work = *word++;
    operation.work_ns = from_halves(work, (more & long_work) != 0 ? *word++ : 0);
    auto const value = (more & has_value) != 0 ? *word++ : is_one_token(more) ? 1 : 0;
    operation.value = from_halves(value, (more & long_value) != 0 ? *word : 0);
}

bool operator==(OperationList const& a, OperationList const& b) {
    return std::ranges::equal(a, b);
}

}  // namespace parcast
