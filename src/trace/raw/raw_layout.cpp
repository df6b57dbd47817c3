#include "trace/raw/raw_layout.h"

#include <algorithm>
#include <tuple>

namespace parcast::trace {

namespace {

struct FoundChunk {
    std::uint32_t stream;
    std::uint32_t sequence;
    RawChunk chunk;
};

SourcePosition at_byte(std::uint64_t offset) {
    return {{}, {}, {}, offset};
}

Result<wire::Header> read_header(FileBytes& file) {
    wire::Header header{};
    if (file.size() < wire::header_bytes) {
        return fail(ErrorCode::truncated,
                    "the recording is shorter than its header: the recorder did not start");
    }
    auto const bytes = file.at(0, sizeof header);
    if (!bytes)
        return pass_on(bytes);
    std::memcpy(&header, bytes->data(), sizeof header);
    if (header.magic != wire::magic)
        return fail(ErrorCode::unsupported, "this is not a raw recording of parcast", at_byte(0));
    if (header.version != wire::version) {
        return fail(ErrorCode::unsupported,
                    "the raw recording has version " + std::to_string(header.version) +
                        ", this parcast reads version " + std::to_string(wire::version) +
                        ": recorder and command come from different builds",
                    at_byte(sizeof header.magic));
    }
    return header;
}

std::string* text_of(RawLayout& layout, wire::ChunkKind kind) {
    switch (kind) {
        case wire::ChunkKind::modules: return &layout.modules;
        case wire::ChunkKind::command: return &layout.command;
        case wire::ChunkKind::working_directory: return &layout.working_directory;
        case wire::ChunkKind::exec_target: return &layout.exec_target;
        case wire::ChunkKind::final_clocks: return &layout.final_clocks;
        case wire::ChunkKind::settings: return &layout.settings;
        case wire::ChunkKind::unused:
        case wire::ChunkKind::events: break;
    }
    return nullptr;
}

Result<void> group_into_streams(std::vector<FoundChunk>& found, RawLayout& layout) {
    std::sort(found.begin(), found.end(), [](FoundChunk const& a, FoundChunk const& b) {
        return std::tie(a.stream, a.sequence) < std::tie(b.stream, b.sequence);
    });
    for (std::size_t i = 0; i < found.size(); ++i) {
        bool const first = i == 0 || found[i].stream != found[i - 1].stream;
        std::uint32_t const expected = first ? 0 : found[i - 1].sequence + 1;
        if (found[i].sequence != expected) {
            return fail(ErrorCode::malformed,
                        "stream " + std::to_string(found[i].stream) + " has chunk " +
                            std::to_string(found[i].sequence) + " where chunk " + std::to_string(expected) +
                            " belongs",
                        at_byte(found[i].chunk.offset));
        }
        if (first)
            layout.streams.emplace_back();
        layout.streams.back().push_back(found[i].chunk);
    }
    return {};
}

}  // namespace

Result<RawLayout> read_layout(FileBytes& file) {
    auto header = read_header(file);
    if (!header)
        return pass_on(header);
    RawLayout layout;
    layout.header = *header;
    std::vector<FoundChunk> found;
    std::uint32_t pages = 1;
    for (std::uint64_t page = 0; page < header->page_count; page += pages) {
        std::uint64_t const offset = wire::header_bytes + page * wire::page_bytes;
        if (offset > file.size() || file.size() - offset < sizeof(wire::ChunkHeader))
            break;
        wire::ChunkHeader chunk{};
        auto const chunk_header = file.at(offset, sizeof chunk);
        if (!chunk_header)
            return pass_on(chunk_header);
        std::memcpy(&chunk, chunk_header->data(), sizeof chunk);
        if (chunk.kind == wire::ChunkKind::unused) {
            pages = 1;
            continue;
        }
        if (chunk.pages == 0 || chunk.pages > wire::most_chunk_pages) {
            return fail(ErrorCode::malformed, "a chunk of the recording has an impossible size",
                        at_byte(offset));
        }
        pages = chunk.pages;
        std::uint64_t const content = offset + sizeof chunk;
        std::size_t const capacity = wire::chunk_content_bytes(chunk.pages);
        auto const available =
            static_cast<std::size_t>(std::min<std::uint64_t>(capacity, file.size() - content));
        if (chunk.kind == wire::ChunkKind::events) {
            std::size_t const bytes = available / sizeof(std::uint64_t) * sizeof(std::uint64_t);
            found.push_back({chunk.stream, chunk.sequence, {content, bytes, available < capacity}});
            continue;
        }
        std::string* text = text_of(layout, chunk.kind);
        if (text == nullptr || chunk.bytes > capacity) {
            return fail(ErrorCode::malformed, "a chunk of the recording has an unknown kind or size",
                        at_byte(offset));
        }
        auto const words = file.at(content, std::min<std::size_t>(chunk.bytes, available));
        if (!words)
            return pass_on(words);
        text->append(reinterpret_cast<char const*>(words->data()), words->size());
    }
    if (auto grouped = group_into_streams(found, layout); !grouped)
        return pass_on(grouped);
    return layout;
}

}  // namespace parcast::trace
