#include "timeline/event_list.h"

#include <algorithm>

namespace parcast {

void EventList::resize(std::size_t count) {
    while (size() > count) {
        pop_back();
    }
    while (size() < count) {
        push_back({});
    }
}

// An event that has a rest keeps it, needed or not.
void EventList::set(std::size_t i, Event const& event) {
    Row row = row_of(event);
    Row const before = rows_[i];
    if ((before.tag & rest_bit) != 0) {
        row.object_or_rest = before.object_or_rest;
        row.tag |= rest_bit;
        rests_[before.object_or_rest] = rest_of(event);
    } else if (has_rest(event)) {
        row.object_or_rest = static_cast<std::uint32_t>(rests_.size());
        row.tag |= rest_bit;
        rests_.push_back(rest_of(event));
    }
    rows_[i] = row;
}

bool operator==(EventList const& a, EventList const& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

}  // namespace parcast
