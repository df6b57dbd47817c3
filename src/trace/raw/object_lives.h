// Which object an address means at a time, and which life of it. An object is (address, kind) since its last
// initialisation; re-use of memory without one (a new std::mutex where an old one was) is not seen and stays
// one object.
//
// Threads are looked at one after the other, so a thread may turn out to initialise an object in the middle
// of what another one was seen to do with it. Then needs_all_begins(), and the uses are to be counted once
// more: rare, since most objects are initialised before anybody else knows them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/catalogue.h"
#include "timeline/event.h"

namespace parcast::trace {

struct ObjectKey {
    std::uint64_t address = 0;
    ObjectKind kind = ObjectKind::mutex;
    friend bool operator==(ObjectKey const&, ObjectKey const&) = default;
};

// Keys are dense numbers in the order of their first appearance, threads numbers of the recorder.
class ObjectLives {
public:
    // The events of a thread come in their order. Cost: O(log lives of the key).
    void use(std::uint32_t key, std::uint32_t thread, Event const& event);

    bool needs_all_begins() const { return !unplaced_.empty(); }
    // Forgets all uses; begins of lives are known from now on.
    void count_again();

    // Ids in the order of first use.
    std::vector<Object> number_objects(std::span<ObjectKey const> keys);
    // REQUIRES: its objects are numbered, and the use was counted.
    ObjectId object_of(std::uint32_t key, std::int64_t wall_ns) const {
        auto const& lives = lives_[key];
        return lives[life_at(lives, wall_ns)].object;
    }

private:
    static constexpr std::uint32_t no_thread = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::int64_t before_all = std::numeric_limits<std::int64_t>::min();

    struct Use {
        std::int64_t wall_ns = std::numeric_limits<std::int64_t>::max();
        std::uint32_t thread = no_thread;
        SiteId site = SiteId::none();

        bool is_before(Use const& other) const {
            return std::pair(wall_ns, thread) < std::pair(other.wall_ns, other.thread);
        }
    };
    struct Life {
        std::int64_t begin_ns = before_all;  // its initialisation
        std::int64_t last_use_ns = before_all;
        Use first;
        Use first_for_its_purpose;
        std::optional<std::int64_t> initial_value;
        std::uint32_t initialiser = 0;  // the last thread that gave it a value
        ObjectId object = ObjectId::none();

        bool is_used() const { return first.thread != no_thread; }
        SiteId place() const {
            return first_for_its_purpose.thread == no_thread ? first.site : first_for_its_purpose.site;
        }
    };
    using Lives = std::vector<Life>;  // the first one lasts until the first initialisation that was seen

    static std::size_t life_at(Lives const& lives, std::int64_t wall_ns);
    void begin_life(std::uint32_t key, std::int64_t wall_ns);

    std::vector<Lives> lives_;  // lives_[key]
    bool begins_are_known_ = false;
    std::vector<std::pair<std::uint32_t, std::int64_t>> unplaced_;  // keys, and begins of lives
};

}  // namespace parcast::trace
