#include "cli/files/memory_needed.h"

#include <span>

#include "cli/files/files.h"
#include "core/bytes_text.h"
#include "core/counted.h"
#include "measure/available_memory.h"
#include "trace/recording_file.h"
#include "trace/recording_size.h"

namespace parcast::cli {

namespace {

// docs/performance.md. Below so many events it is not worth a look.
constexpr std::uint64_t bytes_of_an_event = 40;
constexpr std::uint64_t few_events = 1'000'000;

}  // namespace

Result<void> check_memory_for(std::uint64_t events, std::optional<std::uint64_t> available,
                              std::string const& path) {
    if (events <= few_events || !available || events <= *available / bytes_of_an_event)
        return {};
    auto const needed = events * bytes_of_an_event;
    return fail(make_error(
        ErrorCode::exhausted,
        "predicting " + path + ", " + counted(static_cast<std::int64_t>(events), "event") + ", takes about " +
            bytes_text(needed) + " of memory; this machine has " + bytes_text(*available),
        "Record less of the program: record --time-limit TIME or --max-size SIZE, or give it "
        "less to do; or predict on a machine with more memory. info and export need less."));
}

Result<void> check_memory_for(std::string const& path) {
    auto const input = InputFile::open(path);
    if (!input || !trace::begins_recording(input->head(trace::recording_magic.size())))
        return {};
    trace::FileBytes file(input->size(), [&](std::uint64_t offset, std::span<std::byte> to) {
        return input->read_at(offset, to);
    });
    auto const events = trace::count_events(file);
    return events ? check_memory_for(*events, measure::available_memory(), path) : Result<void>();
}

}  // namespace parcast::cli
