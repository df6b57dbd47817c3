#include "trace/block.h"

#include <xxhash.h>
#include <zstd.h>

#include "core/ensure.h"

namespace parcast::trace {

std::uint64_t checksum_of(std::span<std::byte const> bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

void BlockWriter::Free::operator()(ZSTD_CCtx_s* context) const {
    ZSTD_freeCCtx(context);
}

BlockWriter::BlockWriter() : context_(ZSTD_createCCtx()) {
    ensure(context_ != nullptr, "no memory for a zstd context");
}

BlockSize BlockWriter::write(std::span<std::byte const> content, std::vector<std::byte>& file) {
    std::size_t const begin = file.size();
    file.resize(begin + ZSTD_compressBound(content.size()));
    // Level 1: levels 2 and 3 gain 3 % on columns of deltas and take half as long again.
    std::size_t stored = ZSTD_compressCCtx(context_.get(), file.data() + begin, file.size() - begin,
                                           content.data(), content.size(), 1);
    bool const is_compressed = !ZSTD_isError(stored) && stored < content.size();
    if (!is_compressed || content.size() / largest_expansion >= stored) {
        stored = content.size();
        std::copy(content.begin(), content.end(), file.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    file.resize(begin + stored);
    return {stored, content.size(), checksum_of(std::span(file).subspan(begin))};
}

void BlockReader::Free::operator()(ZSTD_DCtx_s* context) const {
    ZSTD_freeDCtx(context);
}

BlockReader::BlockReader() : context_(ZSTD_createDCtx()) {
    ensure(context_ != nullptr, "no memory for a zstd context");
}

Result<std::span<std::byte const>> BlockReader::read(std::span<std::byte const> stored,
                                                     BlockSize const& size) {
    if (checksum_of(stored) != size.checksum)
        return fail(ErrorCode::corrupted, "the checksum of this block does not match: the file was damaged");
    if (size.content == size.stored)
        return stored;
    if (size.content < size.stored || size.content / largest_expansion > size.stored)
        return fail(ErrorCode::malformed, "this block claims an impossible size");
    content_.resize(size.content);
    std::size_t const result =
        ZSTD_decompressDCtx(context_.get(), content_.data(), content_.size(), stored.data(), stored.size());
    if (ZSTD_isError(result) || result != size.content)
        return fail(ErrorCode::malformed, "this block does not decompress to the size that it claims");
    return content_;
}

}  // namespace parcast::trace
