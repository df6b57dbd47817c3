#include "timeline/event_list.h"

#include <algorithm>

namespace parcast {

void EventList::resize(std::size_t count) {
    while (size() > count)
        pop_back();
    while (size() < count)
        push_back({});
}

// An event that has a rest keeps its place, needed or not, unless it needs a larger one.
void EventList::set(std::size_t i, Event const& event) {
    Row row = row_of(event, first_wall_ns(i));
    Row const before = rows_[i];
    auto const form = least_form(event, first_wall_ns(i));
    if (form > form_of(before)) {
        add_rest(form, row, event);
        release_rest(before);
    } else if (form_of(before) != Form::none) {
        row.tag |= static_cast<std::uint32_t>(form_of(before)) << form_shift;
        row.object_or_rest = before.object_or_rest;
        set_rest(row, event);
    }
    rows_[i] = row;
}

void EventList::set_rest(Row const& row, Event const& event) {
    switch (form_of(row)) {
        case Form::none: return;
        case Form::wait: waits_[row.object_or_rest] = wait_of(event); return;
        case Form::call: calls_[row.object_or_rest] = call_of(event); return;
        case Form::wide: wides_[row.object_or_rest] = wide_of(event); return;
    }
}

void EventList::release_before(std::size_t i) {
    for (; released_ < i; ++released_)
        release_rest(rows_[released_]);
    rows_.release_before(i);
}

void EventList::release_rest(Row const& row) {
    switch (form_of(row)) {
        case Form::none: return;
        case Form::wait: return waits_.release(row.object_or_rest);
        case Form::call: return calls_.release(row.object_or_rest);
        case Form::wide: return wides_.release(row.object_or_rest);
    }
}

// For one event, whatever it becomes.
void EventList::reserve_rest() {
    waits_.reserve_one();
    calls_.reserve_one();
    wides_.reserve_one();
}

bool operator==(EventList const& a, EventList const& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

}  // namespace parcast
