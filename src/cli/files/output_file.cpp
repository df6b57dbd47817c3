#include "cli/files/output_file.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "cli/terminal.h"
#include "core/bytes_text.h"

namespace parcast::cli {

namespace {

namespace fs = std::filesystem;

std::string shown_name(std::string const& path) {
    return path == OutputFile::standard_output ? "standard output" : path;
}

tl::unexpected<Error> cannot_write(std::string const& path) {
    int const reason = errno;
    ErrorCode const code = reason == ENOSPC || reason == EDQUOT ? ErrorCode::exhausted
                           : reason == ENOENT                   ? ErrorCode::not_found
                                                                : ErrorCode::not_permitted;
    return fail(make_error(code, shown_name(path) + " cannot be written: " + std::strerror(reason),
                           "Name another file."));
}

tl::unexpected<Error> not_written(Error const& error) {
    return fail(with_code(ErrorCode::not_written, error, error.advice));
}

// N of /dev/fd/N, and of a link to it such as /dev/stdout.
std::optional<int> descriptor_named(fs::path path) {
    constexpr int most_links = 40;  // as in Linux
    std::error_code missing;
    for (int followed = 0; followed < most_links; ++followed) {
        if (fs::equivalent(path.parent_path(), "/proc/self/fd", missing)) {
            int number = 0;
            auto const name = path.filename().string();
            auto const [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
            bool const is_number = problem == std::errc{} && end == name.data() + name.size();
            return is_number ? std::optional(number) : std::nullopt;
        }
        if (!fs::is_symlink(path, missing))
            return std::nullopt;
        path = path.parent_path() / fs::read_symlink(path, missing);
    }
    return std::nullopt;
}

struct Place {
    std::string target;  // behind links
    bool is_stream;      // a device, a pipe, or a descriptor of this process
};

Result<Place> place_of(std::string const& path, Existing existing) {
    if (descriptor_named(path))
        return Place{path, true};
    std::error_code ignored;
    auto const there = fs::status(path, ignored);
    if (fs::is_directory(there))
        return fail(make_error(ErrorCode::not_permitted, path + " is a folder", "Name a file in it."));
    if (fs::is_block_file(there))
        return fail(make_error(ErrorCode::not_permitted, path + " is a disk", "Name a file."));
    if (fs::exists(there) && !fs::is_regular_file(there))
        return Place{path, true};
    bool const is_link = fs::is_symlink(path, ignored);
    if (!fs::exists(there) && is_link)
        return fail(make_error(ErrorCode::not_permitted, path + " is a link to a file that is not there",
                               "Name another file."));
    if (fs::exists(there) && existing == Existing::keep)
        return fail(make_error(ErrorCode::not_permitted, path + " exists already",
                               "Replace it with --force, or name another file."));
    return Place{is_link ? fs::canonical(path, ignored).string() : path, false};
}

}  // namespace

Result<OutputFile> OutputFile::open(std::string const& path, Existing existing) {
    if (path == standard_output)
        return OutputFile(path, existing, nullptr);
    auto const place = place_of(path, existing);
    if (!place)
        return pass_on(place);
    if (place->is_stream)
        return open_stream(path);
    auto file = std::make_unique<record::TemporaryFile>(place->target);
    if (!file->is_open())
        return cannot_write(path);
    return OutputFile(place->target, existing, std::move(file));
}

// A descriptor is shared, not opened again: what is written to it before and after stays.
Result<OutputFile> OutputFile::open_stream(std::string const& path) {
    std::fflush(stdout);
    auto const named = descriptor_named(path);
    int const descriptor =
        named ? fcntl(*named, F_DUPFD_CLOEXEC, 0) : ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
    Stream stream(descriptor < 0 ? nullptr : fdopen(descriptor, "w"));
    if (!stream)
        return cannot_write(path);
    return OutputFile(path, Existing::replace, nullptr, std::move(stream));
}

Result<void> OutputFile::write(std::string_view bytes) {
    bool const is_written = file_ ? file_->append(std::as_bytes(std::span(bytes)))
                                  : std::fwrite(bytes.data(), 1, bytes.size(), stream()) == bytes.size();
    if (!is_written)
        return cannot_write(path_);
    bytes_ += bytes.size();
    return {};
}

Result<void> OutputFile::finish() {
    bool const is_there = file_ ? file_->settle() && (existing_ == Existing::replace ? file_->replace(path_)
                                                                                     : file_->move_to(path_))
                                : std::fflush(stream()) == 0;
    if (!is_there)
        return cannot_write(path_);
    if (current_manners().verbose)
        print_note("writing " + shown_name(path_) + ": " + bytes_text(bytes_));
    return {};
}

Result<void> check_output(std::string const& path, Existing existing, std::string const& input) {
    std::error_code missing;
    if (fs::equivalent(path, input, missing))
        return fail(make_error(ErrorCode::unasked, path + " is the input itself", "Name another file."));
    if (path == OutputFile::standard_output)
        return {};
    auto const place = place_of(path, existing);
    if (!place)
        return not_written(place.error());
    // A pipe is not opened: its reader would see an end.
    bool const is_writable =
        place->is_stream ? access(path.c_str(), W_OK) == 0 : record::TemporaryFile(place->target).is_open();
    if (!is_writable)
        return not_written(cannot_write(path).value());
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
