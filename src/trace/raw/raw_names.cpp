#include "trace/raw/raw_names.h"

#include <algorithm>
#include <limits>

namespace parcast::trace {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

bool relates_to_handle(EventKind kind) {
    return kind == EventKind::thread_join || kind == EventKind::thread_detach ||
           kind == EventKind::set_affinity || kind == EventKind::set_priority;
}

bool is_join_at_once(Event const& event) {
    return event.kind == EventKind::thread_join && !event.blocked && event.outcome == Outcome::done;
}

}  // namespace

void HandleOwners::sort() {
    for (auto& [handle, owners] : owners_)
        std::sort(owners.begin(), owners.end());
}

std::uint32_t HandleOwners::owner_at(std::uint64_t handle, std::int64_t wall_ns) const {
    auto const owners = owners_.find(handle);
    if (owners == owners_.end())
        return none;
    auto const later =
        std::upper_bound(owners->second.begin(), owners->second.end(), std::pair{wall_ns, none});
    return later == owners->second.begin() ? none : std::prev(later)->second;
}

template <class Predicate>
std::uint32_t HandleOwners::last_owner_until(std::uint64_t handle, std::int64_t wall_ns,
                                             Predicate&& is_it) const {
    constexpr int most = 16;  // so that ten thousand threads in turn are not looked at for each of them
    auto const owners = owners_.find(handle);
    if (owners == owners_.end())
        return none;
    auto const& all = owners->second;
    auto next = std::upper_bound(all.begin(), all.end(), std::pair{wall_ns, none});
    for (int looked_at = 0; next != all.begin() && looked_at < most; ++looked_at)
        if (is_it((--next)->second))
            return next->second;
    return none;
}

RawNames::RawNames(RawThreads& raw) {
    for (std::uint64_t const address : raw.numbers.sites.values())
        catalogue_.sites.push_back({address, 0, "", {}});
    catalogue_.threads.resize(raw.threads.size());
    catalogue_.objects = raw.lives.number_objects(raw.numbers.objects.values());
    resolve_handles(raw, resolve_creations(raw));
    add_start_sites(raw);
    add_stacks(raw);
    for (std::size_t i = 0; i < raw.threads.size(); ++i) {
        catalogue_.threads[i].start_words = raw.threads[i].start_words;
        catalogue_.threads[i].kernel_id = static_cast<std::uint32_t>(raw.threads[i].kernel_id);
        parents_.push_back(catalogue_.threads[i].parent);
    }
}

void RawNames::resolve(RawThreads const& raw, std::uint32_t thread, Event& event) const {
    if (relates_to_mutex(event.kind))
        event.related = raw.lives.object_of(event.related, event.wall_ns).value;
    else if (event.kind == EventKind::thread_create)
        event.related = known_child(thread, event.related);
    else if (is_join_at_once(event))
        event.related = joined_at_once(raw, thread, event);
    else if (relates_to_handle(event.kind))
        event.related = owners_.owner_at(raw.numbers.handles.values()[event.related], event.wall_ns);
    if (!event.object.is_none())
        event.object = raw.lives.object_of(event.object.value, event.wall_ns);
}

std::uint32_t RawNames::known_child(std::uint32_t creator, std::uint32_t number) const {
    auto const child = ids_.find(number);
    bool const is_known = child != ids_.end() && child->second != 0 && child->second != creator;
    return is_known ? child->second : none;
}

// Notes who created whom where. Returns since when each thread exists.
std::vector<std::int64_t> RawNames::resolve_creations(RawThreads const& raw) {
    std::vector<std::int64_t> since;
    for (RawThread const& thread : raw.threads) {
        ids_.emplace(thread.number, static_cast<std::uint32_t>(since.size()));
        since.push_back(thread.begin_ns);
    }
    for (RawCreation const& creation : raw.creations) {
        std::uint32_t const creator = ids_.at(creation.creator);
        std::uint32_t const child = known_child(creator, creation.child);
        if (child != none) {
            catalogue_.threads[child].parent = ThreadId(creator);
            catalogue_.threads[child].created_at = creation.site;
            since[child] = std::min(since[child], creation.wall_ns);
        }
    }
    return since;
}

// A join that did not wait is written after it was done: meanwhile another thread may have been created with
// the pthread_t that it set free. Who was joined had ended, and that is most often a child of the one who
// joins, who cannot have created another one while it did.
std::uint32_t RawNames::joined_at_once(RawThreads const& raw, std::uint32_t joiner, Event const& join) const {
    std::uint64_t const handle = raw.numbers.handles.values()[join.related];
    auto const had_ended = [&](std::uint32_t thread) {
        Event const& last = raw.threads[thread].last;
        return last.kind == EventKind::thread_end && last.wall_ns <= join.wall_ns;
    };
    auto const child = owners_.last_owner_until(handle, join.wall_ns, [&](std::uint32_t thread) {
        return had_ended(thread) && parents_[thread] == ThreadId(joiner);
    });
    if (child != none)
        return child;
    auto const ended = owners_.last_owner_until(handle, join.wall_ns, had_ended);
    return ended != none ? ended : owners_.owner_at(handle, join.wall_ns);
}

void RawNames::resolve_handles(RawThreads& raw, std::vector<std::int64_t> const& since) {
    for (std::uint32_t thread = 0; thread < raw.threads.size(); ++thread) {
        owners_.add(raw.threads[thread].handle, since[thread], thread);
        owners_.add(raw.threads[thread].kernel_id, since[thread], thread);
    }
    owners_.sort();
    std::stable_sort(raw.remarks.names.begin(), raw.remarks.names.end(),
                     [](RawName const& a, RawName const& b) { return a.wall_ns < b.wall_ns; });
    for (RawName& name : raw.remarks.names)
        if (std::uint32_t const thread = owners_.owner_at(name.handle, name.wall_ns); thread != none)
            catalogue_.threads[thread].name = std::move(name.name);
}

// A start routine is a site of its own: an entry point, where all other sites are return addresses.
void RawNames::add_start_sites(RawThreads const& raw) {
    std::unordered_map<std::uint64_t, SiteId> known;
    for (std::size_t i = 0; i < raw.threads.size(); ++i) {
        std::uint64_t const address = raw.threads[i].start_routine;
        if (address == 0)
            continue;
        auto const [position, is_new] = known.try_emplace(address, SiteId(catalogue_.sites.size()));
        if (is_new)
            catalogue_.sites.push_back({address, 0, "", {}});
        catalogue_.threads[i].start_site = position->second;
    }
}

// For instrumented functions, whose entry points are known.
void RawNames::add_stacks(RawThreads const& raw) {
    std::unordered_map<std::uint64_t, SiteId> known;
    for (RawStack const& stack : raw.numbers.stacks.values()) {
        auto const [position, is_new] = known.try_emplace(stack.function, SiteId(catalogue_.sites.size()));
        if (is_new)
            catalogue_.sites.push_back({stack.function, 0, "", {}});
        catalogue_.stacks.push_back({StackId(stack.caller), position->second});
    }
}

}  // namespace parcast::trace
