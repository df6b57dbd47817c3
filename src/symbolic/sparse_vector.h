// A vector of times by their indices, base 0, most of them absent: the work of each resource. What is absent
// is 0. Built by adding; sorted and summed up once, when it is read.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "symbolic/time_algebra.h"

namespace parcast::symbolic {

template <TimeAlgebra Algebra>
class SparseVector {
public:
    using Time = typename Algebra::Time;

    struct Component {
        std::uint64_t index;
        Time value;
    };

    void add(std::uint64_t index, Time const& value) {
        is_sorted_ = is_sorted_ && (components_.empty() || components_.back().index < index);
        components_.push_back({index, value});
    }

    void add(SparseVector const& other) {
        for (auto const& component : other.components_)
            add(component.index, component.value);
    }

    // Ascending, each index once.
    std::span<Component const> components() const {
        if (!is_sorted_)
            sum_up();
        return components_;
    }

    Time element(std::uint64_t index) const {
        auto const all = components();
        auto const found = std::ranges::lower_bound(all, index, {}, &Component::index);
        return found != all.end() && found->index == index ? found->value : Algebra::of(0);
    }

    // The maximum of independent components. An absent one counts where no other is random: times are not
    // negative.
    Time largest() const {
        MaximumOfMany<Algebra> maximum;
        for (auto const& component : components())
            maximum.add(component.value);
        bool const has_gaps = !components_.empty() && components_.back().index >= components_.size();
        auto const found = maximum.value();
        return has_gaps && Algebra::are_alike(Algebra::maximum(found, Algebra::of(0)), Algebra::of(0))
                   ? Algebra::of(0)
                   : found;
    }

    template <class Function>
    SparseVector each(Function const& function) const {
        SparseVector result;
        for (auto const& component : components())
            result.add(component.index, function(component.value));
        return result;
    }

    // Combines components with the same index; 0 stands for an absent one.
    template <class Function>
    static SparseVector together(SparseVector const& left, SparseVector const& right,
                                 Function const& function) {
        SparseVector result;
        auto const zero = Algebra::of(0);
        auto const lefts = left.components();
        auto const rights = right.components();
        std::size_t at_left = 0;
        std::size_t at_right = 0;
        while (at_left < lefts.size() || at_right < rights.size()) {
            bool const takes_left =
                at_right == rights.size() ||
                (at_left < lefts.size() && lefts[at_left].index <= rights[at_right].index);
            bool const takes_right =
                at_left == lefts.size() ||
                (at_right < rights.size() && rights[at_right].index <= lefts[at_left].index);
            auto const index = takes_left ? lefts[at_left].index : rights[at_right].index;
            result.add(index, function(takes_left ? lefts[at_left].value : zero,
                                       takes_right ? rights[at_right].value : zero));
            at_left += takes_left;
            at_right += takes_right;
        }
        return result;
    }

private:
    void sum_up() const {
        std::ranges::stable_sort(components_, {}, &Component::index);
        std::size_t size = 0;
        for (auto const& component : components_)
            if (size > 0 && components_[size - 1].index == component.index)
                components_[size - 1].value = Algebra::add(components_[size - 1].value, component.value);
            else
                components_[size++] = component;
        components_.resize(size);
        is_sorted_ = true;
    }

    mutable std::vector<Component> components_;
    mutable bool is_sorted_ = true;
};

}  // namespace parcast::symbolic
