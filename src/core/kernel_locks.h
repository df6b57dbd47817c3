// The kernel's locks on the memory of a process, as objects of a recording (docs/record.md).

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/catalogue.h"

namespace parcast {

enum class KernelLock : std::uint8_t {
    none,
    memory_map,    // changes of the map take it for themselves; before Linux 6.4 page faults share it
    memory_areas,  // of single areas, one object for all: page faults share those since then
};

// Names of their objects in recordings, and in programs that are written down (formats/threads.md).
inline constexpr auto kernel_lock_names = std::to_array<std::string_view>({"", "memory map", "memory areas"});

constexpr std::string_view name_of(KernelLock lock) {
    return kernel_lock_names[static_cast<std::size_t>(lock)];
}

// None: there is no lock of that name.
constexpr std::optional<KernelLock> kernel_lock_named(std::string_view name) {
    for (auto const lock : {KernelLock::memory_map, KernelLock::memory_areas})
        if (name == name_of(lock))
            return lock;
    return std::nullopt;
}

// Locks of a program have addresses.
inline KernelLock kernel_lock_of(Object const& object) {
    bool const may_be = object.kind == ObjectKind::reader_writer_lock && object.address == 0;
    return may_be ? kernel_lock_named(object.name).value_or(KernelLock::none) : KernelLock::none;
}

// Which objects they are.
class KernelLocks {
public:
    KernelLocks() = default;
    explicit KernelLocks(Catalogue const& catalogue) {
        for (std::size_t object = 0; object < catalogue.objects.size(); ++object)
            if (auto const lock = kernel_lock_of(catalogue.objects[object]); lock != KernelLock::none)
                set(lock, ObjectId(object));
    }

    void set(KernelLock lock, ObjectId object) { objects_[static_cast<std::size_t>(lock) - 1] = object; }
    bool has(ObjectId object) const {
        return !object.is_none() && (object == objects_.front() || object == objects_.back());
    }

private:
    std::array<ObjectId, 2> objects_ = {ObjectId::none(), ObjectId::none()};  // but for KernelLock::none
};

}  // namespace parcast
