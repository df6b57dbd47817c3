// The steps of one thread, 8 bytes each; 16 more for those with a value or a mutex to release, so that a
// plan takes a fraction of the recording that it is made for.
//
//     list[i] = operation(OperationKind::lock, 3);
//     Step const step = list[i];

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/chunked_list.h"
#include "extract/step.h"

namespace parcast::extract {

class StepList {
public:
    // A step of the list, to be read as a whole or replaced.
    class Place {
    public:
        Place(StepList& list, std::size_t position) : list_(list), position_(position) {}
        operator Step() const { return list_.get(position_); }
        Place& operator=(Step const& step) {
            list_.set(position_, step);
            return *this;
        }

    private:
        StepList& list_;
        std::size_t position_;
    };

    // Boundaries.
    explicit StepList(std::size_t count = 0) : rows_(count) {}

    std::size_t size() const { return rows_.size(); }
    Place operator[](std::size_t i) { return {*this, i}; }
    Step operator[](std::size_t i) const { return get(i); }

    // Frees memory of steps before `i`, which must not be read any more.
    void release_before(std::size_t i) {
        for (; released_ < i; ++released_)
            if (rows_[released_].has_rest)
                rests_.release(rows_[released_].object_or_rest);
        rows_.release_before(i);
    }

private:
    struct Row {
        std::uint32_t object_or_rest = no_object;
        Step::Form form = Step::Form::boundary;
        OperationKind kind = OperationKind::work_only;
        bool has_rest : 1 = false;
        bool locks : 1 = false;  // the rest's mutex is to be locked, not released
    };
    static_assert(sizeof(Row) == 8);

    struct Rest {
        std::int64_t value;
        std::uint32_t object;
        std::uint32_t mutex;
    };
    static_assert(sizeof(Rest) == 16);

    Step get(std::size_t i) const {
        Row const& row = rows_[i];
        if (!row.has_rest)
            return {row.form, row.kind, row.object_or_rest, no_object, 0, no_object};
        Rest const& rest = rests_[row.object_or_rest];
        return {row.form,    row.kind,
                rest.object, row.locks ? no_object : rest.mutex,
                rest.value,  row.locks ? rest.mutex : no_object};
    }

    void set(std::size_t i, Step const& step) {
        Row& row = rows_[i];
        bool const locks = step.locked_mutex != no_object;
        bool const needs_rest = step.value != 0 || step.released_mutex != no_object || locks;
        if (!needs_rest) {
            row = {step.object, step.form, step.kind, false, false};
            return;
        }
        Rest const rest{step.value, step.object, locks ? step.locked_mutex : step.released_mutex};
        if (row.has_rest) {
            rests_[row.object_or_rest] = rest;
            row = {row.object_or_rest, step.form, step.kind, true, locks};
        } else {
            row = {static_cast<std::uint32_t>(rests_.size()), step.form, step.kind, true, locks};
            rests_.push_back(rest);
        }
    }

    ChunkedList<Row> rows_;
    ChunkedList<Rest> rests_;
    std::size_t released_ = 0;  // rows
};

}  // namespace parcast::extract
