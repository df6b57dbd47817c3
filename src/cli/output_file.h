// A result file, written whole or not at all: under another name first, which takes the place of a former
// file at the end. What is no regular file (a pipe, /dev/null) is written directly, "-" is standard output.

#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"

namespace parcast::cli {

class OutputFile {
public:
    // Errors: not_permitted, not_found (the folder), each with the path.
    static Result<OutputFile> open(std::string const& path);

    OutputFile(OutputFile&&) noexcept = default;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();  // without finish(): nothing is left

    // Errors: exhausted (a full disk), not_permitted.
    Result<void> write(std::string_view bytes);
    Result<void> finish();

private:
    struct Closer {
        void operator()(std::FILE* file) const {
            if (file != stdout)
                std::fclose(file);
        }
    };
    using File = std::unique_ptr<std::FILE, Closer>;

    OutputFile(File file, std::string path, std::string temporary)
        : file_(std::move(file)), path_(std::move(path)), temporary_(std::move(temporary)) {}

    File file_;
    std::string path_;
    std::string temporary_;  // empty: written directly
};

}  // namespace parcast::cli
