#include "cli/machine_file_output.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include <unistd.h>

namespace parcast::cli {

namespace {

tl::unexpected<Error> cannot_write(std::string const& path, std::error_code const& reason) {
    return fail(reason == std::errc::no_space_on_device ? ErrorCode::exhausted : ErrorCode::not_permitted,
                "cannot write " + path + ": " + reason.message() + ".");
}

bool write_whole(std::string const& path, std::string_view text) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    return !file.fail();
}

}  // namespace

Result<std::optional<std::string>> replace_machine_file(std::string const& path, std::string_view text) {
    namespace fs = std::filesystem;
    std::error_code failure;
    if (fs::path const folder = fs::path(path).parent_path(); !folder.empty()) {
        fs::create_directories(folder, failure);
        if (failure)
            return cannot_write(path, failure);
    }
    auto const there = fs::status(path, failure);
    if (there.type() == fs::file_type::none)
        return cannot_write(path, failure);
    failure.clear();
    if (fs::is_directory(there))
        return cannot_write(path, std::make_error_code(std::errc::is_a_directory));
    if (fs::exists(there) && !fs::is_regular_file(there)) {
        // A device such as /dev/stdout: there is nothing to keep or to replace.
        if (!write_whole(path, text))
            return cannot_write(path, std::make_error_code(std::errc::io_error));
        return std::optional<std::string>();
    }
    std::string const new_file = path + "." + std::to_string(getpid());
    auto const given_up = [&](std::error_code const& reason) {
        std::error_code ignored;
        fs::remove(new_file, ignored);
        return cannot_write(path, reason);
    };
    if (!write_whole(new_file, text))
        return given_up({errno, std::generic_category()});
    std::optional<std::string> former;
    if (fs::exists(there)) {
        former = path + "~";
        fs::copy_file(path, *former, fs::copy_options::overwrite_existing, failure);
    }
    if (!failure)
        fs::rename(new_file, path, failure);
    if (failure)
        return given_up(failure);
    return former;
}

}  // namespace parcast::cli
