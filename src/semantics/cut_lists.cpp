#include "semantics/cut_lists.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/split_mix.h"

namespace parcast::semantics {

namespace {

// What the waits before which a list is cut have in common.
struct CutKey {
    OperationKind kind{};
    std::uint32_t object = Operation::no_object;
    std::uint32_t mutex = Operation::no_object;
    std::uint64_t locks = 0;

    friend bool operator==(CutKey const&, CutKey const&) = default;
    friend bool operator<(CutKey const& a, CutKey const& b) {
        return std::tie(a.kind, a.object, a.mutex, a.locks) < std::tie(b.kind, b.object, b.mutex, b.locks);
    }
};

// The locks that a thread holds, as one number: two different sets have the same with a probability of 2^-64.
class LockSet {
public:
    void note(Operation const& operation) {
        auto const role = traits_of(operation.kind()).role;
        if (role == Role::takes_lock) {
            ++held_[operation.object];
            number_ += number_of(operation.object);
        } else if (role == Role::releases_lock) {
            auto const found = held_.find(operation.object);
            if (found == held_.end() || found->second == 0)
                return;
            --found->second;
            number_ -= number_of(operation.object);
        }
    }
    std::uint64_t number() const { return number_; }

private:
    static std::uint64_t number_of(std::uint32_t object) {
        return split_mix((std::uint64_t{object} + 1) * split_mix_step);
    }

    std::map<std::uint32_t, std::uint32_t> held_;
    std::uint64_t number_ = 0;
};

// None if nobody knows what the operation took in the recording, or it takes nothing.
std::optional<CutKey> key_of(Operation const& operation, std::uint64_t locks) {
    CutKey key{operation.kind(), operation.object, Operation::no_object, locks};
    switch (operation.kind()) {
        case OperationKind::condition_wait: {
            auto const wait = decode_wait(operation.value);
            key.mutex = wait.mutex.value;
            return wait.token ? std::optional(key) : std::nullopt;
        }
        case OperationKind::semaphore_wait:
            return decode_number(operation.value) ? std::optional(key) : std::nullopt;
        case OperationKind::accept:
            key.object = Operation::no_object;
            return decode_number(operation.value) ? std::optional(key) : std::nullopt;
        case OperationKind::join_any:
            key.object = Operation::no_object;
            return operation.thread_id().is_none() ? std::nullopt : std::optional(key);
        default: return std::nullopt;
    }
}

template <class Visit>
void for_each_key(OperationList const& list, LockSet& held, Visit const& visit) {
    for (std::uint32_t place = 0; place < list.size(); ++place) {
        held.note(list[place]);
        if (auto const key = key_of(list[place], held.number()))
            visit(place, *key);
    }
}

CutLists::Cut taken(std::vector<CutLists::Cut>& takers, std::size_t number) {
    return number < takers.size() ? std::exchange(takers[number], {}) : CutLists::Cut();
}

void put(std::vector<CutLists::Cut>& takers, std::size_t number, CutLists::Cut cut) {
    if (number >= takers.size())
        takers.resize(number + 1);
    takers[number] = cut;
}

}  // namespace

CutLists::CutLists(ThreadProgram const& program)
    : program_(program),
      threads_(program.lists.size()),
      of_objects_(program.objects.size()),
      of_activations_(program.lists.size()),
      of_ends_(program.lists.size()) {
    for (std::size_t thread = 0; thread < threads_.size(); ++thread)
        cut(ThreadId(thread));
    give_what_is_there();
}

// Rules 1 and 2. A list with a single cut is as it was.
void CutLists::cut(ThreadId thread) {
    auto const& list = program_.lists[thread.index()];
    std::map<CutKey, std::uint32_t> waits;
    LockSet held;
    for_each_key(list, held, [&](std::uint32_t, CutKey const& key) { ++waits[key]; });
    auto const most =
        std::ranges::max_element(waits, [](auto const& a, auto const& b) { return a.second < b.second; });
    if (most == waits.end() || most->second < 2)
        return;
    auto& state = threads_[thread.index()];
    state.is_cut.resize(list.size());
    state.left = most->second;
    auto const locks_at_end = held.number();
    held = {};
    std::optional<std::uint32_t> last;
    for_each_key(list, held, [&](std::uint32_t place, CutKey const& key) {
        if (key != most->first)
            return;
        if (!last)
            state.first = place;
        state.is_cut[place] = true;
        note_taker({thread, place}, list[place]);
        last = place;
    });
    if (locks_at_end != most->first.locks)
        state.last = last;
}

void CutLists::note_taker(Cut cut, Operation const& wait) {
    switch (wait.kind()) {
        case OperationKind::condition_wait:
            return put(of_objects_[wait.object], *decode_wait(wait.value).token, cut);
        case OperationKind::semaphore_wait:
            return put(of_objects_[wait.object], *decode_number(wait.value), cut);
        case OperationKind::accept:
            return put(of_activations_[cut.thread.index()], *decode_number(wait.value), cut);
        default: return put(of_ends_, wait.object, cut);
    }
}

// Units and tokens that are there from the start.
void CutLists::give_what_is_there() {
    for (std::size_t object = 0; object < of_objects_.size(); ++object) {
        auto const initial = program_.objects[object].initial_count;
        for (std::size_t number = 0; std::cmp_less(number, initial) && number < of_objects_[object].size();
             ++number)
            if (auto const cut = taken(of_objects_[object], number); !cut.is_none())
                give(cut);
    }
}

CutLists::Cut CutLists::taker_of_unit(ObjectId object, std::uint32_t number) {
    return taken(of_objects_[object.index()], number);
}

CutLists::Cut CutLists::taker_of_activation(ThreadId receiver, std::uint32_t number) {
    return taken(of_activations_[receiver.index()], number);
}

CutLists::Cut CutLists::taker_of_end(ThreadId ended) {
    return taken(of_ends_, ended.index());
}

Operation CutLists::wait_of(ThreadId thread) const {
    return program_.lists[thread.index()][threads_[thread.index()].first];
}

std::optional<std::uint32_t> CutLists::comes(ThreadId thread) {
    auto& state = threads_[thread.index()];
    std::optional<std::uint32_t> place;
    if (!state.given.empty()) {
        place = state.given.front();
        state.given.pop_front();
    } else if (state.left == 1 && state.last_is_given) {
        place = state.last;
    }
    state.waits = !place;
    state.left -= place ? 1 : 0;
    return place;
}

bool CutLists::give(Cut cut) {
    auto& state = threads_[cut.thread.index()];
    bool const is_last = state.last == cut.place;
    bool const goes_on = state.waits && (!is_last || state.left == 1);
    if (goes_on) {
        state.waits = false;
        --state.left;
    } else if (is_last) {
        state.last_is_given = true;
    } else {
        state.given.push_back(cut.place);
    }
    return goes_on;
}

bool cuts_lists(ThreadProgram const& program) {
    CutLists const lists(program);
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread)
        if (lists.has_cuts(ThreadId(thread)))
            return true;
    return false;
}

}  // namespace parcast::semantics
