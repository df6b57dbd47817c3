#include "answer/limit.h"

#include <array>

namespace parcast {

std::optional<Limit> largest_loss(std::span<Limit const> limits, double least_share) {
    std::array<Limit, causes.size()> totals{};
    std::array<Limit, causes.size()> largest_part{};
    for (Limit const& limit : limits) {
        auto const cause = static_cast<std::size_t>(limit.cause);
        totals[cause].cause = limit.cause;
        totals[cause].processor_time += limit.processor_time;
        totals[cause].share += limit.share;
        if (!limit.object.is_none() && limit.processor_time > largest_part[cause].processor_time)
            largest_part[cause] = limit;
    }
    std::optional<Limit> largest;
    for (std::size_t cause = 0; cause < causes.size(); ++cause) {
        bool const is_loss =
            cause != static_cast<std::size_t>(Cause::busy) && totals[cause].share > least_share;
        if (is_loss && (!largest || totals[cause].processor_time > largest->processor_time)) {
            bool const one_object = largest_part[cause].processor_time * 2 >= totals[cause].processor_time;
            largest = totals[cause];
            largest->object = one_object ? largest_part[cause].object : ObjectId::none();
        }
    }
    return largest;
}

}  // namespace parcast
