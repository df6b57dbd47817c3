#include "trace/raw/raw_names.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace parcast::trace {

namespace {

bool relates_to_mutex(EventKind kind) {
    return kind == EventKind::condition_wait || kind == EventKind::timed_condition_wait;
}

bool relates_to_handle(EventKind kind) {
    return kind == EventKind::thread_join || kind == EventKind::thread_detach ||
           kind == EventKind::set_affinity || kind == EventKind::set_priority;
}

// An object is known by where it does its work: workers that wait at a barrier, not main that sets it up.
bool says_what_for(EventKind kind) {
    return kind != EventKind::object_init && kind != EventKind::object_destroy;
}

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// Lives of objects: life k of an object key lasts from its k-th initialisation to the next.
class ObjectLives {
public:
    explicit ObjectLives(RawThreads const& raw) : begins_(raw.objects.values().size()) {
        for (RawThread const& thread : raw.threads) {
            for (Event const& event : thread.events)
                if (event.kind == EventKind::object_init && !event.object.is_none())
                    begins_[event.object.index()].push_back(event.wall_ns);
        }
        first_life_.reserve(begins_.size() + 1);
        std::size_t lives = 0;
        for (auto& begins : begins_) {
            std::sort(begins.begin(), begins.end());
            first_life_.push_back(lives);
            lives += begins.size() + 1;  // one before the first initialisation that was seen
        }
        lives_.resize(lives);
    }

    std::size_t life_of(std::uint32_t key, std::int64_t wall_ns) const {
        auto const& begins = begins_[key];
        auto const later = std::upper_bound(begins.begin(), begins.end(), wall_ns);
        return first_life_[key] + static_cast<std::size_t>(later - begins.begin());
    }

    void use(std::uint32_t key, std::uint32_t thread, Event const& event) {
        Life& life = lives_[life_of(key, event.wall_ns)];
        life.key = key;
        Use const use{event.wall_ns, thread, event.site};
        life.first = std::min(life.first, use);
        if (says_what_for(event.kind))
            life.first_for_its_purpose = std::min(life.first_for_its_purpose, use);
    }

    // Ids in the order of first use.
    std::vector<Object> number_objects(RawThreads const& raw) {
        std::vector<std::size_t> order(lives_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::erase_if(order, [&](std::size_t life) { return lives_[life].key == none; });
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return std::tie(lives_[a].first, a) < std::tie(lives_[b].first, b);
        });
        std::vector<Object> objects;
        for (std::size_t const life : order) {
            ObjectKey const& key = raw.objects.values()[lives_[life].key];
            lives_[life].object = ObjectId(objects.size());
            objects.push_back({key.kind, key.address, "", lives_[life].place(), std::nullopt});
        }
        return objects;
    }

    ObjectId object_of(std::uint32_t key, std::int64_t wall_ns) const {
        return lives_[life_of(key, wall_ns)].object;
    }

private:
    struct Use {
        std::int64_t wall_ns = std::numeric_limits<std::int64_t>::max();
        std::uint32_t thread = none;
        SiteId site = SiteId::none();

        friend bool operator<(Use const& a, Use const& b) {
            return std::tie(a.wall_ns, a.thread) < std::tie(b.wall_ns, b.thread);
        }
    };
    struct Life {
        std::uint32_t key = none;  // none: no use was seen
        Use first;
        Use first_for_its_purpose;
        ObjectId object = ObjectId::none();

        SiteId place() const {
            return first_for_its_purpose.thread == none ? first.site : first_for_its_purpose.site;
        }
    };
    std::vector<std::vector<std::int64_t>> begins_;  // begins_[key]
    std::vector<std::size_t> first_life_;            // first_life_[key]
    std::vector<Life> lives_;
};

void resolve_objects(RawThreads& raw, Timeline& timeline) {
    ObjectLives lives(raw);
    for (std::uint32_t thread = 0; thread < raw.threads.size(); ++thread) {
        for (Event const& event : raw.threads[thread].events) {
            if (!event.object.is_none())
                lives.use(event.object.value, thread, event);
            if (relates_to_mutex(event.kind))
                lives.use(event.related, thread, event);
        }
    }
    auto& objects = timeline.catalogue.objects = lives.number_objects(raw);
    for (RawThread& thread : raw.threads) {
        for (std::size_t i = 0; i < thread.events.size(); ++i) {
            Event const event = thread.events[i];
            if (relates_to_mutex(event.kind))
                thread.events.edit(i)->related = lives.object_of(event.related, event.wall_ns).value;
            if (event.object.is_none())
                continue;
            ObjectId const id = lives.object_of(event.object.value, event.wall_ns);
            thread.events.set_object(i, id);
            Object& object = objects[id.index()];
            bool const counts = object.kind == ObjectKind::semaphore || object.kind == ObjectKind::barrier;
            if (event.kind == EventKind::object_init && counts)
                object.initial_value = event.value;
        }
    }
}

// Who was created with a pthread_t (or ran under a kernel thread id), and since when it means that thread.
class HandleOwners {
public:
    void add(std::uint64_t handle, std::int64_t since_ns, std::uint32_t thread) {
        owners_[handle].emplace_back(since_ns, thread);
    }
    void sort() {
        for (auto& [handle, owners] : owners_)
            std::sort(owners.begin(), owners.end());
    }
    std::uint32_t owner_at(std::uint64_t handle, std::int64_t wall_ns) const {
        auto const owners = owners_.find(handle);
        if (owners == owners_.end())
            return none;
        auto const later =
            std::upper_bound(owners->second.begin(), owners->second.end(), std::pair{wall_ns, none});
        return later == owners->second.begin() ? none : std::prev(later)->second;
    }
    // Of the last few owners until then the last one for which `is_it` holds.
    template <class Predicate>
    std::uint32_t last_owner_until(std::uint64_t handle, std::int64_t wall_ns, Predicate&& is_it) const {
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

private:
    std::unordered_map<std::uint64_t, std::vector<std::pair<std::int64_t, std::uint32_t>>, HashAddress>
        owners_;
};

// Turns numbers of created threads into ids, and notes who created whom where. Returns since when each
// thread exists.
std::vector<std::int64_t> resolve_creations(RawThreads& raw, Catalogue& catalogue) {
    std::unordered_map<std::uint32_t, std::uint32_t> ids;
    std::vector<std::int64_t> since;
    for (RawThread const& thread : raw.threads) {
        ids.emplace(thread.number, static_cast<std::uint32_t>(since.size()));
        since.push_back(thread.events.front().wall_ns);
    }
    for (std::uint32_t creator = 0; creator < raw.threads.size(); ++creator) {
        EventList& events = raw.threads[creator].events;
        for (std::size_t i = 0; i < events.size(); ++i) {
            Event const event = events[i];
            if (event.kind != EventKind::thread_create)
                continue;
            auto const child = ids.find(event.related);
            bool const is_known = child != ids.end() && child->second != 0 && child->second != creator;
            events.edit(i)->related = is_known ? child->second : none;
            if (is_known) {
                catalogue.threads[child->second].parent = ThreadId(creator);
                catalogue.threads[child->second].created_at = event.site;
                since[child->second] = std::min(since[child->second], event.wall_ns);
            }
        }
    }
    return since;
}

bool is_join_at_once(Event const& event) {
    return event.kind == EventKind::thread_join && !event.blocked && event.outcome == Outcome::done;
}

// A join that did not wait is written after it was done: meanwhile another thread may have been created with
// the pthread_t that it set free. Who was joined had ended, and that is most often a child of the one who
// joins, who cannot have created another one while it did.
std::uint32_t joined_at_once(HandleOwners const& owners, RawThreads const& raw, Catalogue const& catalogue,
                             std::uint32_t joiner, Event const& join) {
    std::uint64_t const handle = raw.handles.values()[join.related];
    auto const had_ended = [&](std::uint32_t thread) {
        Event const last = raw.threads[thread].events.back();
        return last.kind == EventKind::thread_end && last.wall_ns <= join.wall_ns;
    };
    auto const child = owners.last_owner_until(handle, join.wall_ns, [&](std::uint32_t thread) {
        return had_ended(thread) && catalogue.threads[thread].parent == ThreadId(joiner);
    });
    if (child != none)
        return child;
    auto const ended = owners.last_owner_until(handle, join.wall_ns, had_ended);
    return ended != none ? ended : owners.owner_at(handle, join.wall_ns);
}

void resolve_handles(RawThreads& raw, std::vector<std::int64_t> const& since, Catalogue& catalogue) {
    HandleOwners owners;
    for (std::uint32_t thread = 0; thread < raw.threads.size(); ++thread) {
        owners.add(raw.threads[thread].handle, since[thread], thread);
        owners.add(raw.threads[thread].kernel_id, since[thread], thread);
    }
    owners.sort();
    for (std::uint32_t thread = 0; thread < raw.threads.size(); ++thread) {
        EventList& events = raw.threads[thread].events;
        for (std::size_t i = 0; i < events.size(); ++i) {
            Event const event = events[i];
            if (is_join_at_once(event))
                events.edit(i)->related = joined_at_once(owners, raw, catalogue, thread, event);
            else if (relates_to_handle(event.kind))
                events.edit(i)->related = owners.owner_at(raw.handles.values()[event.related], event.wall_ns);
        }
    }
    std::stable_sort(raw.names.begin(), raw.names.end(),
                     [](RawName const& a, RawName const& b) { return a.wall_ns < b.wall_ns; });
    for (RawName& name : raw.names)
        if (std::uint32_t const thread = owners.owner_at(name.handle, name.wall_ns); thread != none)
            catalogue.threads[thread].name = std::move(name.name);
}

// A start routine is a site of its own: an entry point, where all other sites are return addresses.
void add_start_sites(RawThreads const& raw, Catalogue& catalogue) {
    std::unordered_map<std::uint64_t, SiteId> known;
    for (std::size_t i = 0; i < raw.threads.size(); ++i) {
        std::uint64_t const address = raw.threads[i].start_routine;
        if (address == 0)
            continue;
        auto const [position, is_new] = known.try_emplace(address, SiteId(catalogue.sites.size()));
        if (is_new)
            catalogue.sites.push_back({address, 0, "", {}});
        catalogue.threads[i].start_site = position->second;
    }
}

}  // namespace

void resolve_names(RawThreads&& raw, Timeline& timeline) {
    Catalogue& catalogue = timeline.catalogue;
    for (std::uint64_t const address : raw.sites.values())
        catalogue.sites.push_back({address, 0, "", {}});
    catalogue.threads.resize(raw.threads.size());
    resolve_objects(raw, timeline);
    resolve_handles(raw, resolve_creations(raw, catalogue), catalogue);
    add_start_sites(raw, catalogue);
    for (std::size_t i = 0; i < raw.threads.size(); ++i) {
        catalogue.threads[i].start_words = std::move(raw.threads[i].start_words);
        catalogue.threads[i].kernel_id = static_cast<std::uint32_t>(raw.threads[i].kernel_id);
        timeline.events.push_back(std::move(raw.threads[i].events));
    }
}

}  // namespace parcast::trace
