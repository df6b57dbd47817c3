// Writes raw recordings word by word, for tests: what the recorder would leave for a given story. One tick
// is one nanosecond unless a test says otherwise.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "wire/record.h"

namespace parcast::trace {

class RawFileBuilder {
public:
    RawFileBuilder() {
        header.magic = wire::magic;
        header.version = wire::version;
        header.process = 4711;
        header.begin = {1'000, 50'000};
        header.end = {1'001'000, 1'050'000};
        header.realtime_ns = 1'700'000'000'000'000'000;
        header.ending = wire::Ending::exit;
    }

    // Starts a chunk of events; later words go into it.
    RawFileBuilder& stream(std::uint32_t number, std::uint32_t sequence = 0) {
        add_chunk({wire::ChunkKind::events, chunk_pages, number, sequence, 0});
        return *this;
    }

    RawFileBuilder& text(wire::ChunkKind kind, std::string_view content) {
        add_chunk({kind, chunk_pages, 0, 0, static_cast<std::uint32_t>(content.size())});
        std::memcpy(chunks_.data() + next_, content.data(), content.size());
        return *this;
    }

    RawFileBuilder& word(std::uint64_t value) {
        std::memcpy(chunks_.data() + next_, &value, sizeof value);
        next_ += sizeof value;
        return *this;
    }

    RawFileBuilder& event(wire::Kind kind, std::uint32_t delta,
                          std::initializer_list<std::uint64_t> payload = {}, unsigned object = 0,
                          unsigned site = 0, std::uint64_t flags = 0) {
        word(wire::encode(kind, flags, object, site, delta));
        for (std::uint64_t const value : payload)
            word(value);
        return *this;
    }

    RawFileBuilder& object(unsigned slot, std::uint64_t address) {
        return event(wire::Kind::define_object, 0, {address}, slot);
    }
    RawFileBuilder& site(unsigned slot, std::uint64_t address) {
        return event(wire::Kind::define_site, 0, {address}, 0, slot);
    }
    // `clock_ns`: the thread's CPU clock.
    RawFileBuilder& sync(std::uint32_t delta, std::uint64_t clock_ns, std::uint64_t flags = 0) {
        return event(wire::Kind::cpu_sync, delta, {clock_ns}, 0, 0, flags);
    }
    // At `ns` since the start of the recording; its CPU clock reads `clock_ns`.
    RawFileBuilder& begin_thread(std::uint32_t number, std::uint64_t ns, std::uint64_t clock_ns = 0,
                                 std::uint64_t handle = 0) {
        event(wire::Kind::time_base, 0, {header.begin.ticks + ns});
        event(wire::Kind::thread_begin, 0,
              {number, 0x400000 + number, handle ? handle : 0x7000 + number, 100 + number});
        return sync(0, clock_ns);
    }

    std::vector<std::byte> bytes() const {
        std::vector<std::byte> file(wire::header_bytes + chunks_.size());
        wire::Header complete = header;
        complete.page_count = static_cast<std::uint32_t>(chunks_.size() / wire::page_bytes);
        std::memcpy(file.data(), &complete, sizeof complete);
        std::copy(chunks_.begin(), chunks_.end(), file.begin() + wire::header_bytes);
        return file;
    }

    wire::Header header{};

private:
    void add_chunk(wire::ChunkHeader const& chunk) {
        next_ = chunks_.size();
        chunks_.resize(chunks_.size() + chunk_pages * wire::page_bytes);
        std::memcpy(chunks_.data() + next_, &chunk, sizeof chunk);
        next_ += sizeof chunk;
    }

    static constexpr std::uint16_t chunk_pages = wire::most_chunk_pages;

    std::vector<std::byte> chunks_;
    std::size_t next_ = 0;
};

}  // namespace parcast::trace
