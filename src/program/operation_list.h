// The operations of a thread: of a recording a hundred million. Most of them have no value and less than four
// seconds of work, and take 12 bytes; what others have more stands in a table beside them, in 4 to 16 bytes.
// So operations come and go by value: who changes one writes it back.

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <vector>

#include "program/operation.h"

namespace parcast {

class OperationList {
public:
    class Iterator;
    using value_type = Operation;
    using iterator = Iterator;
    using const_iterator = Iterator;

    OperationList() = default;
    OperationList(std::initializer_list<Operation> operations) : OperationList(std::span(operations)) {}
    explicit OperationList(std::span<Operation const> operations) {
        reserve(operations.size());
        for (Operation const& operation : operations)
            push_back(operation);
    }

    std::size_t size() const { return packed_.size(); }
    bool empty() const { return packed_.empty(); }
    void reserve(std::size_t operations) { packed_.reserve(operations); }

    // REQUIRES: i < size().
    Operation operator[](std::size_t i) const {
        Packed const& packed = packed_[i];
        Operation operation{packed.work, 0, packed.object, packed.site_and_kind & ~has_more};
        if ((packed.site_and_kind & has_more) != 0) [[unlikely]]
            add_rest(packed, operation);
        return operation;
    }
    Operation front() const { return (*this)[0]; }
    Operation back() const { return (*this)[size() - 1]; }

    // A kind that there is not stays one.
    void push_back(Operation const& operation) {
        packed_.emplace_back();
        set(packed_.size() - 1, operation);
    }
    // Operations [first, last) of another list.
    void append(OperationList const& from, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            push_back(from[i]);
    }
    void set(std::size_t i, Operation const& operation);
    void set_work(std::size_t i, std::int64_t work_ns) {
        Operation operation = (*this)[i];
        operation.work_ns = work_ns;
        set(i, operation);
    }

    // A hint that it will soon be read; it need not be there.
    void fetch(std::size_t i) const { __builtin_prefetch(packed_.data() + i); }

    Iterator begin() const;
    Iterator end() const;

    friend bool operator==(OperationList const& a, OperationList const& b);

private:
    static constexpr std::uint32_t long_work = std::uint32_t{1} << 31;   // of two words
    static constexpr std::uint32_t has_value = std::uint32_t{1} << 30;   // of one word
    static constexpr std::uint32_t long_value = std::uint32_t{1} << 29;  // or of two
    static constexpr std::uint32_t has_more = long_work | has_value | long_value;
    static constexpr std::uint32_t most_kinds = 32;  // in the five bits that are left
    static_assert(operation_kinds.size() < most_kinds, "one is none");

    struct Packed {
        std::uint32_t work = 0;  // ns; if it has more: where its words begin, those of the work first
        std::uint32_t object = Operation::no_object;
        std::uint32_t site_and_kind = Operation::no_site;
    };
    static_assert(sizeof(Packed) == 12);

    static std::uint32_t more_of(Operation const& operation);
    void add_rest(Packed const& packed, Operation& operation) const;

    std::vector<Packed> packed_;
    std::vector<std::uint32_t> words_;  // an operation that gets more leaves those that it had
};

// Of operations that are meant only the work before them stays.
template <class IsMeant>
void keep_only_work(OperationList& list, IsMeant const& is_meant) {
    for (std::size_t i = 0; i < list.size(); ++i)
        if (auto const operation = list[i]; is_meant(operation))
            list.set(i, make_operation(OperationKind::work_only, operation.work_ns, Operation::no_object, 0,
                                       operation.site()));
}

class OperationList::Iterator {
public:
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;  // what it gives is no reference
    using value_type = Operation;
    using difference_type = std::ptrdiff_t;
    using reference = Operation;
    struct pointer {
        Operation operation;
        Operation const* operator->() const { return &operation; }
    };

    Iterator() = default;
    Iterator(OperationList const& list, std::size_t place) : list_(&list), place_(place) {}

    Operation operator*() const { return (*list_)[place_]; }
    pointer operator->() const { return {**this}; }
    Operation operator[](difference_type offset) const { return *(*this + offset); }

    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this -= 1; }
    Iterator operator++(int) {
        auto const before = *this;
        ++*this;
        return before;
    }
    Iterator operator--(int) {
        auto const before = *this;
        --*this;
        return before;
    }
    Iterator& operator+=(difference_type offset) {
        place_ += static_cast<std::size_t>(offset);
        return *this;
    }
    Iterator& operator-=(difference_type offset) { return *this += -offset; }

    friend Iterator operator+(Iterator at, difference_type offset) { return at += offset; }
    friend Iterator operator+(difference_type offset, Iterator at) { return at += offset; }
    friend Iterator operator-(Iterator at, difference_type offset) { return at -= offset; }
    friend difference_type operator-(Iterator a, Iterator b) {
        return static_cast<difference_type>(a.place_ - b.place_);
    }
    friend bool operator==(Iterator a, Iterator b) { return a.place_ == b.place_; }
    friend auto operator<=>(Iterator a, Iterator b) { return a.place_ <=> b.place_; }

private:
    OperationList const* list_ = nullptr;
    std::size_t place_ = 0;
};

inline OperationList::Iterator OperationList::begin() const {
    return {*this, 0};
}
inline OperationList::Iterator OperationList::end() const {
    return {*this, size()};
}

}  // namespace parcast
