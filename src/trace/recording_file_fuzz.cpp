// Any bytes as a trace file, and, since checksums keep nearly all of them out, as the content of its
// blocks.

#include <cstdint>

#include "core/ensure.h"
#include "trace/catalogue_coding.h"
#include "trace/event_columns.h"
#include "trace/recording_file.h"
#include "trace/share_columns.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace parcast;
    auto const bytes = std::as_bytes(std::span(data, size));
    if (auto const timeline = trace::read_recording(bytes))
        ensure(check(*timeline).has_value(), "what is accepted is sound");
    if (auto const count = trace::decode_events(bytes, 0, 3, [](ThreadId, std::span<Event const>) {}))
        ensure(*count <= trace::block_events && *count <= size, "an event takes a byte at least");
    std::size_t shares = 0;
    static_cast<void>(trace::decode_shares(
        bytes, 3, [&shares](ThreadId, std::span<WorkShare const> run) { shares += run.size(); }));
    ensure(shares <= trace::block_shares && shares * trace::BlockOfShares::column_count <= size,
           "a share takes a byte in each column at least");
    for (unsigned version = trace::oldest_readable_version; version <= trace::recording_version; ++version) {
        trace::ByteReader catalogue(bytes);
        trace::read_catalogue(catalogue, version);
        trace::ByteReader provenance(bytes);
        trace::read_provenance(provenance, version);
    }
    return 0;
}
