#include "pages/source_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace parcast::pages {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t lines_around = 30;  // before the place, and after it
constexpr std::size_t longest_line = 400;
constexpr std::uintmax_t largest_file = 8 << 20;
constexpr std::size_t most_text = 16 << 20;  // of all excerpts of a report

constexpr auto endings = std::to_array<std::string_view>(
    {".c",   ".cc",  ".cpp", ".cxx", ".c++", ".C",   ".h",   ".hh",  ".hpp", ".hxx", ".h++",
     ".inc", ".inl", ".ipp", ".tcc", ".icc", ".def", ".m",   ".mm",  ".S",   ".rs",  ".go",
     ".f",   ".F",   ".f90", ".F90", ".f95", ".d",   ".adb", ".pas", ".zig", ".cu"});

std::vector<std::string> split_into_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        auto const end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.emplace_back(line.substr(0, longest_line));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace

std::string working_directory(Answer const& answer) {
    auto const& recorded = answer.recording().provenance;
    return recorded ? recorded->working_directory : std::string();
}

bool looks_like_source(std::string const& file) {
    fs::path const path(file);
    std::string const ending = path.extension().string();
    if (std::ranges::find(endings, ending) != endings.end())
        return true;
    // A program of threads that was written down is its own source.
    if (file.ends_with(".threads.json"))
        return true;
    // <vector>, <mutex>: headers of the C++ library have no ending.
    return ending.empty() && path.lexically_normal().string().starts_with("/usr/include/c++/");
}

std::vector<std::string> const& SourceTexts::lines_of(std::string const& path) {
    auto const [entry, is_new] = lines_.try_emplace(path);
    std::error_code problem;
    // Not a device or a pipe, which may have no end.
    if (is_new && fs::is_regular_file(path, problem) && fs::file_size(path, problem) <= largest_file) {
        if (auto const text = read_text_(path))
            entry->second = split_into_lines(*text);
    }
    return entry->second;
}

std::optional<std::string> SourceTexts::path_of(Site const& site) {
    if (site.frames.empty() || site.frames.front().line == 0)
        return std::nullopt;
    auto const& [function, file, line] = site.frames.front();
    std::error_code problem;
    // A link is judged by what it leads to.
    auto path = fs::weakly_canonical(fs::path(folder_) / file, problem).string();
    bool const is_readable = !problem && looks_like_source(path) && line <= lines_of(path).size();
    return is_readable ? std::optional(std::move(path)) : std::nullopt;
}

std::optional<report::SourceExcerpt> SourceTexts::around(Site const& site) {
    auto const path = path_of(site);
    if (!path)
        return std::nullopt;
    auto const& [function, file, line] = site.frames.front();
    auto const& lines = lines_of(*path);
    std::uint32_t const first = line > lines_around ? line - lines_around : 1;
    auto const last = std::min<std::size_t>(lines.size(), std::size_t{line} + lines_around);
    return report::SourceExcerpt{
        file, first, {lines.begin() + (first - 1), lines.begin() + static_cast<std::ptrdiff_t>(last)}};
}

RecordedSources sources_of(Catalogue const& catalogue, std::string const& folder, ReadText const& read_text) {
    RecordedSources found;
    SourceTexts texts(folder, read_text);
    std::size_t size = 0;
    for (std::size_t i = 0; i < catalogue.sites.size(); ++i) {
        auto excerpt = texts.around(catalogue.sites[i]);
        if (!excerpt)
            continue;
        for (auto const& line : excerpt->lines)
            size += line.size() + 1;
        if (size > most_text) {
            found.is_complete = false;
            break;
        }
        found.excerpts.push_back({static_cast<std::uint32_t>(i), std::move(*excerpt)});
    }
    return found;
}

}  // namespace parcast::pages
