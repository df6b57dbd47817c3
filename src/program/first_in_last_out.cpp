#include "program/first_in_last_out.h"

namespace parcast {

namespace {

bool takes(Operation const& operation) {
    return traits_of(operation.kind()).role == Role::takes_lock;
}

bool gives_back(Operation const& operation) {
    return traits_of(operation.kind()).role == Role::releases_lock;
}

}  // namespace

bool takes_to_leave(OperationList const& list, std::uint32_t operation) {
    if (std::size_t{operation} + 1 >= list.size() || !takes(list[operation]) ||
        !gives_back(list[operation + 1]))
        return false;
    auto const mutex = list[operation].object_id();
    auto const left = list[operation + 1].object_id();
    if (left == mutex)
        return false;
    bool had_no_mutex = false;  // between taking the lock and now
    bool is_taken = false;      // the lock: what comes before is looked at
    for (std::uint32_t i = operation; i-- > 0;) {
        Operation const& earlier = list[i];
        if (!is_taken) {
            had_no_mutex = had_no_mutex || (gives_back(earlier) && earlier.object_id() == mutex);
            is_taken = takes(earlier) && earlier.object_id() == left;
        } else if (earlier.object_id() == mutex && (takes(earlier) || gives_back(earlier))) {
            return had_no_mutex && takes(earlier);
        }
    }
    return false;
}

}  // namespace parcast
