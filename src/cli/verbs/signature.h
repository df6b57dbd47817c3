// parcast signature: how the number of events grows with the number of threads, and what follows (Marinescu,
// Rice and Vavalis 1990). Three questions under one name, a file each: of recordings, of a program that was
// written down, of a formula.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/signature.h"
#include "cli/options/given_options.h"
#include "cli/options/option_table.h"
#include "cli/verbs/predict.h"
#include "core/result.h"
#include "core/time.h"

namespace parcast::cli {

// A series of recordings, one for each number of threads.
struct SeriesArguments {
    Duration same_event{0};
    bool threads_from_names = false;
    std::optional<std::string> compare;   // a folder
    std::optional<std::string> measured;  // what scale --json wrote
    std::optional<std::string> plot;
    bool force = false;  // replace an existing picture
    bool threads_table = false;
    bool scaled = false;

    friend bool operator==(SeriesArguments const&, SeriesArguments const&) = default;
};

// A characteristic function, as it is typed, and W(1)/theta.
struct CharacteristicArguments {
    std::optional<std::string> g;
    std::optional<double> alpha;

    friend bool operator==(CharacteristicArguments const&, CharacteristicArguments const&) = default;
};

// A mapping of a program that was written down to threads, without a clock.
struct MappingArguments {
    std::optional<std::string> schedule;  // absent: pinned if the tasks are, or block
    std::optional<std::string> mapping;   // a file
    std::optional<double> cv;
    std::optional<double> correlation;
    std::optional<std::string> law;
    bool matrices = false;

    friend bool operator==(MappingArguments const&, MappingArguments const&) = default;
};

struct SignatureArguments {
    std::vector<std::string> files;  // recordings, a folder of them, or one program that was written down
    PredictArguments replay;  // its cpus are those of --cpus, in every form; its reading of task graphs
    SeriesArguments series;
    CharacteristicArguments characteristic;
    MappingArguments mapping;
    bool json = false;

    friend bool operator==(SignatureArguments const&, SignatureArguments const&) = default;
};

// Each returns an exit status. REQUIRES: --g and --alpha are there.
int signature_of_formula(SignatureArguments const& arguments);
// REQUIRES: one file, a task graph, steps or messages, and the options are for it.
int signature_of_mapping(SignatureArguments const& arguments, GivenOptions const& given);

bool is_folder(std::string const& path);

// The recordings in a folder, by name. Errors: not_found.
Result<std::vector<std::string>> recordings_in(std::string const& folder);

// The answer about `arguments.files`, with its verdict. Errors: those of reading and replaying them, and
// those of study::signature_of_series.
Result<SignatureAnswer> series_answer(SignatureArguments const& arguments, GivenOptions const& given);

// What `signature FILE --json --threads-table` prints for one recording, with a CPU for each thread. For
// pages: prints nothing while it works. Errors: those of reading and replaying it.
Result<std::string> recording_signature_json(std::string const& file, PredictArguments const& replay);

// What decides about the answer of a series, but for a second series.
void describe_series_question(OptionTable& options, SeriesArguments& arguments);

// Those options and `others`, for a page of a single file: they are for folders. Errors: unasked, those of
// GivenOptions::check_file.
Result<void> check_series_options(std::string const& file, GivenOptions const& given,
                                  std::vector<std::string_view> const& others = {});

void describe_characteristic(OptionTable& options, CharacteristicArguments& arguments);
void describe_mapping(OptionTable& options, SignatureArguments& arguments);

// The formula stands in place of a file. Errors: unasked.
Result<void> check_characteristic(SignatureArguments const& arguments);

}  // namespace parcast::cli
