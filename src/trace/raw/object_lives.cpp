#include "trace/raw/object_lives.h"

#include <algorithm>
#include <tuple>

#include "wire/record.h"

namespace parcast::trace {

namespace {

// An object is known by where it does its work: workers that wait at a barrier, not main that sets it up.
bool says_what_for(EventKind kind) {
    return kind != EventKind::object_init && kind != EventKind::object_destroy;
}

// Of a mutex, that it is a stream's lock is all that its type tells.
std::optional<std::int64_t> told_value(ObjectKind kind, std::optional<std::int64_t> initial_value) {
    if (kind == ObjectKind::semaphore || kind == ObjectKind::barrier)
        return initial_value;
    bool const is_stream = kind == ObjectKind::mutex && initial_value == std::int64_t{wire::stream_lock};
    return is_stream ? std::optional(stream_lock_value) : std::nullopt;
}

}  // namespace

std::size_t ObjectLives::life_at(Lives const& lives, std::int64_t wall_ns) {
    if (lives.back().begin_ns <= wall_ns)
        return lives.size() - 1;
    auto const later = std::upper_bound(lives.begin(), lives.end(), wall_ns,
                                        [](std::int64_t at, Life const& life) { return at < life.begin_ns; });
    return static_cast<std::size_t>(later - lives.begin()) - 1;
}

void ObjectLives::use(std::uint32_t key, std::uint32_t thread, Event const& event) {
    if (key >= lives_.size())
        lives_.resize(key + std::size_t{1}, Lives(1));
    bool const begins = event.kind == EventKind::object_init;
    if (begins && !begins_are_known_)
        begin_life(key, event.wall_ns);
    Life& life = lives_[key][life_at(lives_[key], event.wall_ns)];
    life.last_use_ns = std::max(life.last_use_ns, event.wall_ns);
    Use const use{event.wall_ns, thread, event.site};
    if (use.is_before(life.first))
        life.first = use;
    if (says_what_for(event.kind) && use.is_before(life.first_for_its_purpose))
        life.first_for_its_purpose = use;
    if (begins && thread >= life.initialiser) {
        life.initial_value = event.value;
        life.initialiser = thread;
    }
}

// What was seen of the last life is before the new one, or all of it is part of it.
void ObjectLives::begin_life(std::uint32_t key, std::int64_t wall_ns) {
    Lives& lives = lives_[key];
    Life& last = lives.back();
    if (wall_ns == last.begin_ns)
        return;
    if (wall_ns > last.begin_ns && last.last_use_ns < wall_ns) {
        lives.emplace_back().begin_ns = wall_ns;
    } else if (wall_ns > last.begin_ns && last.first.wall_ns >= wall_ns) {
        Life begun = std::exchange(last, Life{});
        last.begin_ns = std::exchange(begun.begin_ns, wall_ns);
        lives.push_back(begun);
    } else {
        unplaced_.emplace_back(key, wall_ns);
    }
}

void ObjectLives::count_again() {
    std::vector<std::vector<std::int64_t>> begins(lives_.size());
    for (std::size_t key = 0; key < lives_.size(); ++key)
        for (Life const& life : lives_[key])
            begins[key].push_back(life.begin_ns);
    for (auto const& [key, begin_ns] : unplaced_)
        begins[key].push_back(begin_ns);
    for (std::size_t key = 0; key < lives_.size(); ++key) {
        auto& of_key = begins[key];
        std::sort(of_key.begin(), of_key.end());
        of_key.erase(std::unique(of_key.begin(), of_key.end()), of_key.end());
        lives_[key].assign(of_key.size(), {});
        for (std::size_t i = 0; i < of_key.size(); ++i)
            lives_[key][i].begin_ns = of_key[i];
    }
    unplaced_.clear();
    begins_are_known_ = true;
}

std::vector<Object> ObjectLives::number_objects(std::span<ObjectKey const> keys) {
    struct Place {
        std::uint32_t key;
        std::uint32_t life;
    };
    std::vector<Place> order;
    for (std::uint32_t key = 0; key < lives_.size(); ++key)
        for (std::uint32_t life = 0; life < lives_[key].size(); ++life)
            if (lives_[key][life].is_used())
                order.push_back({key, life});
    std::stable_sort(order.begin(), order.end(), [&](Place const& a, Place const& b) {
        return lives_[a.key][a.life].first.is_before(lives_[b.key][b.life].first);
    });
    std::vector<Object> objects;
    for (Place const& place : order) {
        ObjectKey const& key = keys[place.key];
        Life& life = lives_[place.key][place.life];
        life.object = ObjectId(objects.size());
        objects.push_back(
            {key.kind, key.address, "", life.place(), told_value(key.kind, life.initial_value)});
    }
    return objects;
}

}  // namespace parcast::trace
