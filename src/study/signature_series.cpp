#include "study/signature_series.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>

#include "answer/finding.h"
#include "core/counted.h"
#include "core/leading_number.h"
#include "core/path.h"

namespace parcast::study {

namespace {

Result<void> check_run(RecordingSignature const& recording) {
    bool const has_failed = has_finding(recording.findings, FindingKind::exit_status) ||
                            has_finding(recording.findings, FindingKind::killed);
    if (!has_failed || recording.is_cut_short)
        return {};
    return fail(make_error(ErrorCode::inconsistent, recording.file + ": the program failed in this run",
                           "Why: parcast info --findings " + recording.file));
}

// "out.8" of the recording with 8 threads, or of solver.8.parcast -> "out.{cpus}"
std::string with_placeholder(std::string word, std::optional<std::uint32_t> number) {
    auto const text = number ? std::to_string(*number) : std::string();
    auto const at = text.empty() ? std::string::npos : word.find(text);
    return at == std::string::npos ? word : word.replace(at, text.size(), "{cpus}");
}

std::string with_named_number(std::string const& word, RecordingSignature const& recording) {
    return with_placeholder(word, number_in_name(recording.file));
}

std::string with_threads(std::string const& word, RecordingSignature const& recording) {
    return with_placeholder(word, recording.threads);
}

}  // namespace

std::string program_of(RecordingSignature const& recording) {
    return recording.command.empty() ? "" : file_name(recording.command.front());
}

std::optional<std::uint32_t> number_in_name(std::string const& file) {
    auto const stem = std::filesystem::path(file).stem().string();
    auto begin = stem.size();
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(stem[begin - 1])) != 0)
        --begin;
    auto const found = number_in<std::uint32_t>(stem.substr(begin));
    return found && *found > 0 ? found : std::nullopt;
}

Result<void> take_threads_from_names(Recordings& recordings) {
    for (auto& recording : recordings) {
        auto const threads = number_in_name(recording.file);
        if (!threads)
            return fail(make_error(ErrorCode::malformed,
                                   recording.file + ": its name has no number of threads before its ending",
                                   "Such as solver.8.parcast; or leave --threads-from out."));
        recording.threads = *threads;
    }
    return {};
}

Result<void> check_programs(std::span<RecordingSignature const> recordings) {
    auto const& first = recordings.front();
    for (auto const& recording : recordings) {
        if (program_of(recording) != program_of(first))
            return fail(make_error(ErrorCode::inconsistent,
                                   "a series is of one program: " + first.file + " is of " +
                                       program_of(first) + ", " + recording.file + " of " +
                                       program_of(recording),
                                   "Two programs: parcast signature FOLDER --compare OTHER"));
        if (auto const checked = check_run(recording); !checked)
            return checked;
    }
    return {};
}

Result<void> check_counts(std::span<RecordingSignature const> recordings) {
    for (std::size_t i = 1; i < recordings.size(); ++i) {
        auto const& before = recordings[i - 1];
        auto const& here = recordings[i];
        if (before.threads == here.threads)
            return fail(make_error(
                ErrorCode::inconsistent,
                before.file + " and " + here.file + " both have " +
                    counted(std::int64_t{here.threads}, "working thread"),
                "A series has one recording for each number of threads; --threads-from name takes the number "
                "from the files' names."));
    }
    return {};
}

std::vector<std::string> command_of_series(std::span<RecordingSignature const> recordings) {
    auto const& last = recordings.back();
    auto const all_have = [&](std::size_t place, auto const& text_of) {
        return std::ranges::all_of(recordings, [&](RecordingSignature const& each) {
            return each.command.size() == last.command.size() &&
                   text_of(each.command[place], each) == text_of(last.command[place], last);
        });
    };
    auto command = last.command;
    for (std::size_t place = 0; place < command.size(); ++place) {
        if (all_have(place, [](std::string const& word, auto const&) { return word; }))
            continue;
        command[place] = all_have(place, with_named_number) ? with_named_number(command[place], last)
                         : all_have(place, with_threads)    ? with_threads(command[place], last)
                                                            : std::string("...");
    }
    return command;
}

}  // namespace parcast::study
