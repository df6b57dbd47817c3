#include "trace/exports/track_walk.h"

#include <numeric>

namespace parcast::trace {

namespace {

// From how many items each group has, at [group + 1], to where its items begin in one array.
std::vector<std::uint32_t> starts(std::vector<std::uint32_t> counts) {
    std::partial_sum(counts.begin(), counts.end(), counts.begin());
    return counts;
}

}  // namespace

char const* name_of(Category category) {
    switch (category) {
        case Category::critical_path: return "critical path";
        case Category::release: return "release";
        case Category::operation: return "operation";
        case Category::message: return "message";
    }
    return name_of(static_cast<ThreadState>(category));
}

MessageEnds::MessageEnds(Timeline const& timeline) {
    for (auto const end : {End::sent, End::received}) {
        auto& [first, messages] = ends_[static_cast<std::size_t>(end)];
        auto const thread_of = [&](Message const& message) {
            return end == End::sent ? message.from : message.to;
        };
        std::vector<std::uint32_t> counts(timeline.catalogue.threads.size() + 1);
        for (auto const& message : timeline.messages)
            ++counts[thread_of(message).index() + 1];
        first = starts(std::move(counts));
        messages.resize(timeline.messages.size());
        auto next = first;
        for (std::uint32_t number = 0; number < messages.size(); ++number)
            messages[next[thread_of(timeline.messages[number]).index()]++] = number;
        if (end == End::received)
            for (std::size_t thread = 0; thread + 1 < first.size(); ++thread)
                std::stable_sort(messages.begin() + first[thread], messages.begin() + first[thread + 1],
                                 [&](std::uint32_t a, std::uint32_t b) {
                                     return timeline.messages[a].received < timeline.messages[b].received;
                                 });
    }
}

Departures::Departures(Timeline const& timeline, std::span<std::uint32_t const> lanes)
    : rows_(&*timeline.intervals),
      catalogue_(&timeline.catalogue),
      has_releases_(has_releases(timeline)),
      lanes_(lanes) {
    auto const& rows = *rows_;
    auto const& catalogue = *catalogue_;
    std::vector<std::uint32_t> counts(catalogue.threads.size() + 1);
    auto const each_arrow = [&](auto const& tell) {
        for (std::size_t row = 0; has_releases_ && row < rows.size(); ++row)
            if (is_released(rows, row))
                tell(rows.releaser[row], row);
        for (std::size_t thread = 0; thread < catalogue.threads.size(); ++thread)
            if (auto const parent = creator(thread); !parent.is_none())
                tell(parent, rows.size() + thread);
    };
    each_arrow([&](ThreadId from, std::size_t) { ++counts[from.index() + 1]; });
    first_ = starts(std::move(counts));
    released_.resize(first_.back());
    auto next = first_;
    each_arrow([&](ThreadId from, std::size_t what) {
        released_[next[from.index()]++] = static_cast<std::uint32_t>(what);
    });
}

ThreadId Departures::creator(std::size_t thread) const {
    auto const parent = catalogue_->threads[thread].parent;
    bool const is_shown = lanes_[thread] < lanes_[thread + 1] && !parent.is_none() &&
                          lanes_[parent.index()] < lanes_[parent.index() + 1];
    return is_shown ? parent : ThreadId::none();
}

std::vector<Departures::Departure> Departures::of(ThreadId thread) const {
    std::vector<Departure> all;
    for (auto i = first_[thread.index()]; i < first_[thread.index() + 1]; ++i) {
        std::size_t const what = released_[i];
        if (what < rows_->size()) {
            all.push_back({rows_->end[what], what + 1, rows_->thread[what]});
        } else {
            auto const created = what - rows_->size();
            all.push_back({rows_->begin[lanes_[created]], creation_of(created), ThreadId(created)});
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](Departure const& a, Departure const& b) { return a.when < b.when; });
    return all;
}

std::optional<std::uint64_t> Departures::arriving(std::size_t row) const {
    auto const thread = rows_->thread[row].index();
    if (row == lanes_[thread])
        return creator(thread).is_none() ? std::nullopt : std::optional(creation_of(thread));
    return has_releases_ && is_released(*rows_, row - 1) ? std::optional<std::uint64_t>(row) : std::nullopt;
}

}  // namespace parcast::trace
