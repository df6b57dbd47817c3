// Lists of tests that differ by some operations.

#pragma once

#include <vector>

#include "program/operation_list.h"

namespace parcast {

// `change` gets a std::vector of the operations.
template <class Change>
void edit(OperationList& list, Change const& change) {
    std::vector<Operation> operations(list.begin(), list.end());
    change(operations);
    list = OperationList(operations);
}

// `change` gets each of the operations.
template <class Change>
void edit_each(OperationList& list, Change const& change) {
    edit(list, [&](std::vector<Operation>& operations) {
        for (Operation& operation : operations)
            change(operation);
    });
}

template <class Change>
void edit_at(OperationList& list, std::size_t i, Change const& change) {
    edit(list, [&](std::vector<Operation>& operations) { change(operations[i]); });
}

inline void insert(OperationList& list, std::size_t before, std::vector<Operation> const& added) {
    edit(list, [&](std::vector<Operation>& operations) {
        operations.insert(operations.begin() + static_cast<std::ptrdiff_t>(before), added.begin(),
                          added.end());
    });
}

}  // namespace parcast
