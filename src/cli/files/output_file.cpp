#include "cli/files/output_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>

#include "cli/terminal.h"
#include "core/bytes_text.h"

namespace parcast::cli {

namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannot_write(std::string const& path) {
    int const reason = errno;
    ErrorCode const code = reason == ENOSPC || reason == EDQUOT ? ErrorCode::exhausted
                           : reason == ENOENT                   ? ErrorCode::not_found
                                                                : ErrorCode::not_permitted;
    std::string const name = path == OutputFile::standard_output ? "standard output" : path;
    return fail(
        make_error(code, name + " cannot be written: " + std::strerror(reason), "Name another file."));
}

tl::unexpected<Error> not_written(Error const& error) {
    return fail(with_code(ErrorCode::not_written, error, error.advice));
}

}  // namespace

Result<OutputFile> OutputFile::open(std::string const& path, Existing existing) {
    if (path == standard_output)
        return OutputFile(path, existing, nullptr);
    std::error_code ignored;
    auto const there = fs::status(path, ignored);
    if (fs::is_directory(there))
        return fail(
            make_error(ErrorCode::not_permitted, path + " is a folder", "Name a file in it with -o."));
    if (fs::exists(there) && !fs::is_regular_file(there))
        return fail(make_error(ErrorCode::not_permitted, path + " is not an ordinary file",
                               "For a pipe, write to standard output: -o -"));
    if (fs::exists(there) && existing == Existing::keep)
        return fail(make_error(ErrorCode::not_permitted, path + " exists already",
                               "Replace it with --force, or name another file with -o."));
    auto file = std::make_unique<record::TemporaryFile>(path);
    if (!file->is_open())
        return cannot_write(path);
    return OutputFile(path, existing, std::move(file));
}

Result<void> OutputFile::write(std::string_view bytes) {
    bool const is_written = file_ ? file_->append(std::as_bytes(std::span(bytes)))
                                  : std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
    if (!is_written)
        return cannot_write(path_);
    bytes_ += bytes.size();
    return {};
}

Result<void> OutputFile::finish() {
    bool const is_there = file_ ? file_->settle() && (existing_ == Existing::replace ? file_->replace(path_)
                                                                                     : file_->move_to(path_))
                                : std::fflush(stdout) == 0;
    if (!is_there)
        return cannot_write(path_);
    if (current_manners().verbose)
        print_note("writing " + (file_ ? path_ : "standard output") + ": " + bytes_text(bytes_));
    return {};
}

Result<void> check_output(std::string const& path, Existing existing, std::string const& input) {
    std::error_code missing;
    if (fs::equivalent(path, input, missing))
        return fail(make_error(ErrorCode::unasked, path + " is the input itself", "Name another file."));
    auto const file = OutputFile::open(path, existing);
    if (!file)
        return not_written(file.error());
    return {};
}

std::string usual_output(std::string const& stem, std::string const& ending, Existing existing,
                         std::span<std::string const> others) {
    auto const is_taken = [&](std::string const& name) {
        std::error_code unknown;
        return fs::exists(name + ending, unknown) || std::ranges::any_of(others, [&](auto const& other) {
                   return fs::exists(name + other, unknown);
               });
    };
    std::string name = stem;
    for (int number = 1; existing == Existing::keep && is_taken(name); ++number)
        name = stem + "." + std::to_string(number);
    return name + ending;
}

Result<std::size_t> write_text(std::string_view text, std::string const& path, Existing existing) {
    auto file = OutputFile::open(path, existing);
    if (!file)
        return not_written(file.error());
    auto written = file->write(text);
    if (written)
        written = file->finish();
    if (!written)
        return not_written(written.error());
    return text.size();
}

}  // namespace parcast::cli
