// Goes through a list whose elements are made when they are asked for: operator[] returns a value.

#pragma once

#include <compare>
#include <cstddef>
#include <iterator>
#include <utility>

namespace parcast {

template <class List>
class IndexIterator {
public:
    using iterator_category = std::input_iterator_tag;  // what it gives is no reference
    using iterator_concept = std::random_access_iterator_tag;
    using value_type = typename List::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;
    struct pointer {  // holds what -> looks into  NOLINT(readability-identifier-naming): iterators name it so
        value_type value;
        value_type const* operator->() const { return &value; }
    };

    IndexIterator() = default;
    IndexIterator(List const& list, std::size_t position) : list_(&list), position_(position) {}

    value_type operator*() const { return (*list_)[position_]; }
    pointer operator->() const { return {**this}; }
    value_type operator[](difference_type by) const { return *(*this + by); }

    IndexIterator& operator+=(difference_type by) {
        position_ += static_cast<std::size_t>(by);
        return *this;
    }
    IndexIterator& operator-=(difference_type by) { return *this += -by; }
    IndexIterator& operator++() { return *this += 1; }
    IndexIterator& operator--() { return *this -= 1; }
    IndexIterator operator++(int) { return std::exchange(*this, *this + 1); }
    IndexIterator operator--(int) { return std::exchange(*this, *this - 1); }
    friend IndexIterator operator+(IndexIterator it, difference_type by) { return it += by; }
    friend IndexIterator operator+(difference_type by, IndexIterator it) { return it += by; }
    friend IndexIterator operator-(IndexIterator it, difference_type by) { return it -= by; }
    friend difference_type operator-(IndexIterator const& a, IndexIterator const& b) {
        return static_cast<difference_type>(a.position_ - b.position_);
    }
    friend bool operator==(IndexIterator const& a, IndexIterator const& b) {
        return a.position_ == b.position_;
    }
    friend auto operator<=>(IndexIterator const& a, IndexIterator const& b) {
        return a.position_ <=> b.position_;
    }

private:
    List const* list_ = nullptr;
    std::size_t position_ = 0;
};

}  // namespace parcast
