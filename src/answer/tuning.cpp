#include "answer/tuning.h"

#include <algorithm>

namespace parcast {

std::uint64_t TuningGrid::size() const {
    std::uint64_t points = 1;
    for (auto const& axis : axes)
        points *= axis.values.size();
    return points;
}

std::size_t TuningGrid::coordinate(std::uint64_t point, std::size_t axis) const {
    for (std::size_t later = axes.size() - 1; later > axis; --later)
        point /= axes[later].values.size();
    return static_cast<std::size_t>(point % axes[axis].values.size());
}

std::uint64_t TuningGrid::point_at(std::vector<std::size_t> const& coordinates) const {
    std::uint64_t point = 0;
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
        point = point * axes[axis].values.size() + coordinates[axis];
    return point;
}

std::optional<std::size_t> TuningGrid::curve_axis() const {
    auto const found = std::ranges::find_if(
        axes, [](TuningAxis const& axis) { return axis.is_numeric() && axis.values.size() > 1; });
    if (found == axes.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - axes.begin());
}

}  // namespace parcast
