// The operations of a thread: of a recording a hundred million. Most of them have no value and less than four
// seconds of work, and take 12 bytes; the numbers of the others stand beside them, in 8 to 16 bytes (8 for a
// number or a token). So operations come and go by value.

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "core/index_iterator.h"
#include "program/operation.h"

namespace parcast {

class OperationList {
public:
    using value_type = Operation;
    using Iterator = IndexIterator<OperationList>;
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
    // `values`: of so many of them, those of waits for a condition included.
    void reserve(std::size_t operations, std::size_t values = 0) {
        packed_.reserve(operations);
        words_.reserve(3 * values);
    }

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
    // `change` gets the operation.
    template <class Change>
    void change(std::size_t i, Change const& change) {
        Operation operation = (*this)[i];
        change(operation);
        set(i, operation);
    }
    // Allocates nothing if the operation had as much work before.
    void set_work(std::size_t i, std::int64_t work_ns) {
        change(i, [work_ns](Operation& operation) { operation.work_ns = work_ns; });
    }

    // A hint that it will soon be read; it need not be there.
    void fetch(std::size_t i) const { __builtin_prefetch(packed_.data() + i); }

    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

    friend bool operator==(OperationList const& a, OperationList const& b);

private:
    static constexpr std::uint32_t long_work = std::uint32_t{1} << 31;   // of two words
    static constexpr std::uint32_t has_value = std::uint32_t{1} << 30;   // of one word
    static constexpr std::uint32_t long_value = std::uint32_t{1} << 29;  // or of two
    static constexpr std::uint32_t one_token = long_value;  // alone: a grant of one token, its number a word
    static constexpr std::uint32_t has_more = long_work | has_value | long_value;
    static constexpr std::uint32_t most_kinds = 32;  // in the five bits that are left
    static_assert(operation_kinds.size() < most_kinds, "one is none");

    struct Packed {
        std::uint32_t work = 0;  // ns; if it has more: where its words begin, those of the work first
        std::uint32_t object = Operation::no_object;
        std::uint32_t site_and_kind = Operation::no_site;
    };
    static_assert(sizeof(Packed) == 12);

    static bool is_one_token(std::uint32_t more) { return (more & (has_value | long_value)) == one_token; }
    static std::uint32_t more_of(Operation const& operation);
    void add_rest(Packed const& packed, Operation& operation) const;

    std::vector<Packed> packed_;
    std::vector<std::uint32_t> words_;  // an operation keeps its own, unless it needs more of them
};

// Of operations that are meant only the work before them stays.
template <class IsMeant>
void keep_only_work(OperationList& list, IsMeant const& is_meant) {
    for (std::size_t i = 0; i < list.size(); ++i)
        if (auto const operation = list[i]; is_meant(operation))
            list.set(i, make_operation(OperationKind::work_only, operation.work_ns, Operation::no_object, 0,
                                       operation.site()));
}

}  // namespace parcast
