#include "study/program_streams.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parcast::study {

namespace {

constexpr off_t most_read = 4096;
constexpr std::size_t most_lines = 4;

}  // namespace

ProgramStreams::ProgramStreams()
    : nothing_(open("/dev/null", O_RDWR | O_CLOEXEC)), messages_(memfd_create("messages", MFD_CLOEXEC)) {
    // Several processes may write to it, and each starts anew.
    if (messages_ >= 0)
        fcntl(messages_, F_SETFL, O_APPEND);
    else
        messages_ = dup(nothing_);
}

ProgramStreams::~ProgramStreams() {
    close(nothing_);
    close(messages_);
}

void ProgramStreams::clear() const {
    (void)!ftruncate(messages_, 0);
}

std::string ProgramStreams::last_words() const {
    struct stat status{};
    if (fstat(messages_, &status) != 0)
        return {};
    off_t const from = std::max<off_t>(0, status.st_size - most_read);
    std::string text(static_cast<std::size_t>(status.st_size - from), '\0');
    ssize_t const got = pread(messages_, text.data(), text.size(), from);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    if (text.empty())
        return {};
    std::vector<std::string> lines;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);)
        lines.push_back(line);
    std::string words;
    for (std::size_t i = lines.size() - std::min(lines.size(), most_lines); i < lines.size(); ++i)
        words += (words.empty() ? "" : " · ") + lines[i];
    return words;
}

}  // namespace parcast::study
