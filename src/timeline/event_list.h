// The events of one thread, stored in as little memory as most of them need: 16 bytes for a call that did
// nothing but synchronise without waiting, 12 more for one that waited, 20 more for one that carries a value
// or names another thread or object, and 48 more where any of these numbers takes more than 32 bits, or the
// event comes over four seconds after the first of its 32.
//
// Reads like a std::vector<Event> whose elements are made when they are asked for: operator[] and the
// iterators return values. To change one: list.edit(i)->wall_ns = 5.
//
//     row  = wall_ns since that of the first of its 32, low half of cpu_ns, object or index into the rests of
//            its form, tag
//     tag  = site (19 bits) | form of its rest (2) | unmeasured | switched | blocked | outcome (2) | kind (6)
//     wait = object, span, CPU time inside
//     call = the same, value, related
//     wide = all of it at full width, wall_ns, high half of cpu_ns, site

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

#include "core/chunked_list.h"
#include "core/index_iterator.h"
#include "timeline/event.h"

namespace parcast {

class EventList {
public:
    class Edit;
    using value_type = Event;
    using Iterator = IndexIterator<EventList>;
    using const_iterator = Iterator;

    EventList() = default;
    explicit EventList(std::size_t count) { resize(count); }
    EventList(std::initializer_list<Event> events) : EventList(events.begin(), events.end()) {}
    EventList(std::vector<Event> const& events) : EventList(events.begin(), events.end()) {}
    template <std::input_iterator Each>
    EventList(Each first, Each last) {
        for (; first != last; ++first)
            push_back(*first);
    }

    std::size_t size() const { return rows_.size(); }
    bool empty() const { return rows_.empty(); }
    // REQUIRES for all of these: the event exists and was not released.
    Event operator[](std::size_t i) const;
    ObjectId object_of(std::size_t i) const;
    Event front() const { return (*this)[0]; }
    Event back() const { return (*this)[size() - 1]; }
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

    void push_back(Event const& event);
    void pop_back();
    void resize(std::size_t count);
    void set(std::size_t i, Event const& event);
    void set_object(std::size_t i, ObjectId object);
    // A copy of the event that is written back at the end of the full expression.
    Edit edit(std::size_t i);
    Edit edit_last();

    // Frees memory of events before `i`, which must not be read any more. Indices stay as they are.
    void release_before(std::size_t i);

    friend bool operator==(EventList const& a, EventList const& b);

private:
    struct Row {
        std::uint32_t wall_ns;  // since that of the first row of its block
        std::uint32_t cpu_low;
        std::uint32_t object_or_rest;
        std::uint32_t tag;
    };
    static_assert(sizeof(Row) == 16);

    // What does not fit into the row.
    enum class Form : std::uint32_t { none, wait, call, wide };

    struct Wait {
        std::uint32_t object;
        std::uint32_t span_ns;
        std::uint32_t cpu_inside_ns;
    };
    static_assert(sizeof(Wait) == 12);

    struct Call {
        Wait wait;
        std::uint32_t value;
        std::uint32_t related;
    };
    static_assert(sizeof(Call) == 20);

    struct Wide {
        std::int64_t wall_ns;
        std::int64_t span_ns;
        std::int64_t cpu_inside_ns;
        std::int64_t value;
        std::uint32_t cpu_high;
        std::uint32_t object;
        std::uint32_t related;
        std::uint32_t site;
    };
    static_assert(sizeof(Wide) == 48);

    static constexpr unsigned outcome_shift = 6;
    static constexpr std::uint32_t blocked_bit = 1u << 8;
    static constexpr std::uint32_t switched_bit = 1u << 9;
    static constexpr std::uint32_t unmeasured_bit = 1u << 10;
    static constexpr unsigned form_shift = 11;
    static constexpr unsigned site_shift = 13;
    static constexpr std::uint32_t no_site = 0xffffffff >> site_shift;

    static Form form_of(Row const& row) { return static_cast<Form>(row.tag >> form_shift & 3); }
    static Form least_form(Event const& event, std::int64_t first_wall_ns);
    static Row row_of(Event const& event, std::int64_t first_wall_ns);
    static std::uint64_t since(std::int64_t first_ns, std::int64_t wall_ns);
    static Wait wait_of(Event const& event);
    static Call call_of(Event const& event);
    static Wide wide_of(Event const& event);
    static void read(Wait const& wait, Event& event);
    static void read(Wide const& wide, Event& event);
    void read_rest(Row const& row, Event& event) const;
    void add_rest(Form form, Row& row, Event const& event);
    void set_rest(Row const& row, Event const& event);
    void release_rest(Row const& row);
    void reserve_rest();

    static constexpr std::size_t block_size = 32;  // rows
    std::int64_t first_wall_ns(std::size_t i) const { return first_wall_ns_[i / block_size]; }

    ChunkedList<Row> rows_;
    std::vector<std::int64_t> first_wall_ns_;  // by block, when its first row was appended
    ChunkedList<Wait> waits_;
    ChunkedList<Call> calls_;
    ChunkedList<Wide> wides_;
    std::size_t released_ = 0;  // rows
};
static_assert(event_kind_count <= 64);

class EventList::Edit {
public:
    // Makes room for what the event may grow by, so that writing it back allocates nothing.
    Edit(EventList& list, std::size_t i) : list_(list), position_(i), event_(std::as_const(list)[i]) {
        list_.reserve_rest();
    }
    ~Edit() { list_.set(position_, event_); }
    Edit(Edit const&) = delete;
    Edit& operator=(Edit const&) = delete;
    Event* operator->() { return &event_; }
    Event& operator*() { return event_; }

private:
    EventList& list_;
    std::size_t position_;
    Event event_;
};

inline Event EventList::operator[](std::size_t i) const {
    Row const& row = rows_[i];
    Event event;
    // What a wide one has comes in its place.
    event.wall_ns = static_cast<std::int64_t>(static_cast<std::uint64_t>(first_wall_ns(i)) + row.wall_ns);
    event.cpu_ns = row.cpu_low;
    event.kind = static_cast<EventKind>(row.tag & 0x3f);
    event.outcome = static_cast<Outcome>(row.tag >> outcome_shift & 3);
    event.blocked = (row.tag & blocked_bit) != 0;
    event.switched = (row.tag & switched_bit) != 0;
    event.unmeasured = (row.tag & unmeasured_bit) != 0;
    std::uint32_t const site = row.tag >> site_shift;
    event.site.value = site == no_site ? SiteId::none().value : site;
    if (form_of(row) == Form::none)
        event.object.value = row.object_or_rest;
    else
        read_rest(row, event);
    return event;
}

inline void EventList::read(Wait const& wait, Event& event) {
    event.object.value = wait.object;
    event.span_ns = wait.span_ns;
    event.cpu_inside_ns = wait.cpu_inside_ns;
}

inline void EventList::read(Wide const& wide, Event& event) {
    event.cpu_ns = static_cast<std::int64_t>(std::uint64_t{wide.cpu_high} << 32 |
                                             static_cast<std::uint32_t>(event.cpu_ns));
    event.wall_ns = wide.wall_ns;
    event.span_ns = wide.span_ns;
    event.cpu_inside_ns = wide.cpu_inside_ns;
    event.value = wide.value;
    event.object.value = wide.object;
    event.related = wide.related;
    event.site.value = wide.site;
}

inline void EventList::read_rest(Row const& row, Event& event) const {
    switch (form_of(row)) {
        case Form::none: return;
        case Form::wait: return read(waits_[row.object_or_rest], event);
        case Form::call: {
            Call const& call = calls_[row.object_or_rest];
            read(call.wait, event);
            event.value = call.value;
            event.related = call.related;
            return;
        }
        case Form::wide: return read(wides_[row.object_or_rest], event);
    }
}

// Wraps around: numbers of a damaged file may be any.
inline std::uint64_t EventList::since(std::int64_t first_ns, std::int64_t wall_ns) {
    return static_cast<std::uint64_t>(wall_ns) - static_cast<std::uint64_t>(first_ns);
}

inline EventList::Form EventList::least_form(Event const& event, std::int64_t first_wall_ns) {
    bool const has_wide_site = event.site.value >= no_site && !event.site.is_none();
    auto const numbers =
        static_cast<std::uint64_t>(event.cpu_ns) | static_cast<std::uint64_t>(event.span_ns) |
        static_cast<std::uint64_t>(event.cpu_inside_ns) | static_cast<std::uint64_t>(event.value);
    auto const since_first = since(first_wall_ns, event.wall_ns);
    if (has_wide_site || (numbers | since_first) >> 32 != 0)
        return Form::wide;
    if (event.value != 0 || event.related != Event{}.related)
        return Form::call;
    return (event.span_ns | event.cpu_inside_ns) != 0 ? Form::wait : Form::none;
}

inline EventList::Row EventList::row_of(Event const& event, std::int64_t first_wall_ns) {
    std::uint32_t const tag = static_cast<std::uint32_t>(event.kind) |
                              static_cast<std::uint32_t>(event.outcome) << outcome_shift |
                              (event.blocked ? blocked_bit : 0) | (event.switched ? switched_bit : 0) |
                              (event.unmeasured ? unmeasured_bit : 0) | event.site.value << site_shift;
    return {static_cast<std::uint32_t>(since(first_wall_ns, event.wall_ns)),
            static_cast<std::uint32_t>(event.cpu_ns), event.object.value, tag};
}

inline EventList::Wait EventList::wait_of(Event const& event) {
    return {event.object.value, static_cast<std::uint32_t>(event.span_ns),
            static_cast<std::uint32_t>(event.cpu_inside_ns)};
}

inline EventList::Call EventList::call_of(Event const& event) {
    return {wait_of(event), static_cast<std::uint32_t>(event.value), event.related};
}

inline EventList::Wide EventList::wide_of(Event const& event) {
    return {event.wall_ns,
            event.span_ns,
            event.cpu_inside_ns,
            event.value,
            static_cast<std::uint32_t>(event.cpu_ns >> 32),
            event.object.value,
            event.related,
            event.site.value};
}

inline void EventList::add_rest(Form form, Row& row, Event const& event) {
    row.tag |= static_cast<std::uint32_t>(form) << form_shift;
    switch (form) {
        case Form::none: return;
        case Form::wait:
            row.object_or_rest = static_cast<std::uint32_t>(waits_.size());
            return waits_.push_back(wait_of(event));
        case Form::call:
            row.object_or_rest = static_cast<std::uint32_t>(calls_.size());
            return calls_.push_back(call_of(event));
        case Form::wide:
            row.object_or_rest = static_cast<std::uint32_t>(wides_.size());
            return wides_.push_back(wide_of(event));
    }
}

inline void EventList::push_back(Event const& event) {
    if (size() % block_size == 0)
        first_wall_ns_.push_back(event.wall_ns);
    auto const first_ns = first_wall_ns_.back();
    Row row = row_of(event, first_ns);
    add_rest(least_form(event, first_ns), row, event);
    rows_.push_back(row);
}

inline void EventList::pop_back() {
    rows_.pop_back();
    if (size() % block_size == 0)
        first_wall_ns_.pop_back();
}

inline ObjectId EventList::object_of(std::size_t i) const {
    Row const& row = rows_[i];
    ObjectId object;
    switch (form_of(row)) {
        case Form::none: object.value = row.object_or_rest; break;
        case Form::wait: object.value = waits_[row.object_or_rest].object; break;
        case Form::call: object.value = calls_[row.object_or_rest].wait.object; break;
        case Form::wide: object.value = wides_[row.object_or_rest].object; break;
    }
    return object;
}

inline void EventList::set_object(std::size_t i, ObjectId object) {
    Row& row = rows_[i];
    switch (form_of(row)) {
        case Form::none: row.object_or_rest = object.value; return;
        case Form::wait: waits_[row.object_or_rest].object = object.value; return;
        case Form::call: calls_[row.object_or_rest].wait.object = object.value; return;
        case Form::wide: wides_[row.object_or_rest].object = object.value; return;
    }
}

inline EventList::Edit EventList::edit(std::size_t i) {
    return {*this, i};
}
inline EventList::Edit EventList::edit_last() {
    return {*this, size() - 1};
}

}  // namespace parcast
