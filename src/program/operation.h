// What a thread does next: CPU time, and then one operation.

#pragma once

#include <cstdint>

#include "core/id.h"
#include "program/operation_kind.h"

namespace parcast {

struct Operation {
    std::int64_t work_ns = 0;  // CPU time before the operation
    std::int64_t value = 0;
    std::uint32_t object = 0xffffffff;
    std::uint32_t site_and_kind = 0x00ffffff;

    static constexpr std::uint32_t no_site = 0x00ffffff;
    static constexpr std::uint32_t no_object = 0xffffffff;

    OperationKind kind() const { return static_cast<OperationKind>(site_and_kind >> 24); }
    SiteId site() const {
        auto const site = site_and_kind & no_site;
        return site == no_site ? SiteId::none() : SiteId(site);
    }
    ObjectId object_id() const { return object == 0xffffffff ? ObjectId::none() : ObjectId(object); }
    ThreadId thread_id() const { return ThreadId(object); }

    friend bool operator==(Operation const&, Operation const&) = default;
};

// site is stored in 24 bits: sites beyond 16 M are stored as none.
Operation make_operation(OperationKind kind, std::int64_t work_ns, std::uint32_t object = 0xffffffff,
                         std::int64_t value = 0, SiteId site = SiteId::none());

}  // namespace parcast
