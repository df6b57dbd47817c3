// Where a result of many pieces goes: a file that is there whole or not at all; or standard output, a device
// or a pipe, which are written to piece by piece. A link stays, and what it leads to is written.

#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "record/temporary_file.h"

namespace parcast::cli {

enum class Existing : std::uint8_t { keep, replace };

class OutputFile {
public:
    static constexpr std::string_view standard_output = "-";

    // Errors: not_permitted (also: it exists, or is a folder or a disk), not_found (its folder).
    static Result<OutputFile> open(std::string const& path, Existing existing);

    // Errors: exhausted (a full disk), not_permitted. Nothing is left behind without finish().
    Result<void> write(std::string_view bytes);
    Result<void> finish();

private:
    struct Close {
        void operator()(std::FILE* stream) const { std::fclose(stream); }
    };
    using Stream = std::unique_ptr<std::FILE, Close>;

    OutputFile(std::string path, Existing existing, std::unique_ptr<record::TemporaryFile> file,
               Stream stream = {})
        : path_(std::move(path)), existing_(existing), file_(std::move(file)), stream_(std::move(stream)) {}

    static Result<OutputFile> open_stream(std::string const& path);
    std::FILE* stream() const { return stream_ ? stream_.get() : stdout; }

    std::string path_;
    std::uint64_t bytes_ = 0;
    Existing existing_;
    std::unique_ptr<record::TemporaryFile> file_;  // null: a stream
    Stream stream_;                                // null: standard output
};

// Before the work whose result it is: can it be written, and is it not the input? Errors: not_written,
// unasked.
Result<void> check_output(std::string const& path, Existing existing, std::string const& input);

// The name that a verb gives its result by itself, STEM + ENDING; with .1, .2 ... before the ending if a file
// of that name, or of one of `others` instead of the ending, is there and is to be kept.
std::string usual_output(std::string const& stem, std::string const& ending, Existing existing,
                         std::span<std::string const> others = {});

// The whole file. Returns the number of bytes. Errors: not_written.
Result<std::size_t> write_text(std::string_view text, std::string const& path, Existing existing);

}  // namespace parcast::cli
