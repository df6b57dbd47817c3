#include "program/scaled_work.h"

#include <limits>
#include <utility>

namespace parcast {

namespace {

constexpr auto is_long = std::numeric_limits<std::uint32_t>::max();

}  // namespace

ScaledWork::ScaledWork(ThreadProgram& program, std::size_t owner, double factor)
    : program_(program), shares_(program.shares) {
    work_ns_.reserve(static_cast<std::size_t>(operation_count(program)));
    for (auto const& list : program.lists)
        for (Operation const& operation : list) {
            bool const fits = operation.work_ns < is_long;
            work_ns_.push_back(fits ? static_cast<std::uint32_t>(operation.work_ns) : is_long);
            if (!fits)
                long_ns_.push_back(operation.work_ns);
        }
    scale_work(program, owner, factor);
}

ScaledWork::~ScaledWork() {
    auto work_ns = work_ns_.begin();
    auto long_ns = long_ns_.begin();
    for (auto& list : program_.lists)
        for (std::size_t i = 0; i < list.size(); ++i, ++work_ns)
            list.set_work(i, *work_ns == is_long ? *long_ns++ : std::int64_t{*work_ns});
    program_.shares = std::move(shares_);
}

}  // namespace parcast
