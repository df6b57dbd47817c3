#include "cli/verbs/machine_file_output.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include <unistd.h>

namespace parcast::cli {

namespace {

namespace fs = std::filesystem;

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

// What is there now, if a file of this name can be; its folder exists then.
Result<fs::file_status> status_of(std::string const& path) {
    std::error_code failure;
    if (fs::path const folder = fs::path(path).parent_path(); !folder.empty()) {
        fs::create_directories(folder, failure);
        if (failure)
            return cannot_write(path, failure);
    }
    auto const there = fs::status(path, failure);
    if (there.type() == fs::file_type::none)
        return cannot_write(path, failure);
    if (fs::is_directory(there))
        return cannot_write(path, std::make_error_code(std::errc::is_a_directory));
    return there;
}

bool is_device(fs::file_status const& there) {
    return fs::exists(there) && !fs::is_regular_file(there);
}

std::string new_name(std::string const& path) {
    return path + "." + std::to_string(getpid());
}

}  // namespace

Result<void> check_machine_file_output(std::string const& path) {
    auto there = status_of(path);
    if (!there)
        return pass_on(there);
    if (is_device(*there))
        return {};
    bool const is_writable = write_whole(new_name(path), "");
    std::error_code const reason{errno, std::generic_category()};
    std::error_code ignored;
    fs::remove(new_name(path), ignored);
    if (!is_writable)
        return cannot_write(path, reason);
    return {};
}

Result<std::optional<std::string>> replace_machine_file(std::string const& path, std::string_view text) {
    auto status = status_of(path);
    if (!status)
        return pass_on(status);
    fs::file_status const there = *status;
    if (is_device(there)) {
        // A device such as /dev/stdout: there is nothing to keep or to replace.
        if (!write_whole(path, text))
            return cannot_write(path, std::make_error_code(std::errc::io_error));
        return std::optional<std::string>();
    }
    std::string const new_file = new_name(path);
    std::error_code failure;
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
