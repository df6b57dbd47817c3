// The source around the places that a recording names, read from files of this machine.
//
// A recording can come from anybody and name any file, and a report is made to be passed on. So only what
// looks like source is read (source_text_test.cpp), and only lines near a recorded place.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "core/catalogue.h"
#include "core/result.h"
#include "report/json/view_json.h"

namespace parcast::pages {

// Where the paths of its sources begin; empty if the program was written down. REQUIRES: of replayed_forms.
std::string working_directory(Answer const& answer);

// By its name: "yarn.c", "queue.hpp", a header without an ending in a folder of the compiler.
bool looks_like_source(std::string const& file);

// The whole file.
using ReadText = std::function<Result<std::string>(std::string const& path)>;

class SourceTexts {
public:
    // `folder`: where the program ran, which relative names are relative to.
    SourceTexts(std::string folder, ReadText read_text)
        : folder_(std::move(folder)), read_text_(std::move(read_text)) {}

    // None: no place is known, the file is not there, is no source, is large or has no such line. Reads each
    // file once.
    std::optional<report::SourceExcerpt> around(Site const& site);

    // The file of such an excerpt on this machine.
    std::optional<std::string> path_of(Site const& site);

private:
    std::vector<std::string> const& lines_of(std::string const& path);

    std::string folder_;
    ReadText read_text_;
    std::map<std::string, std::vector<std::string>> lines_;  // by path; empty: not readable
};

struct RecordedSources {
    std::vector<report::SiteExcerpt> excerpts;
    bool is_complete = true;  // false: they are as many as a report may have
};
RecordedSources sources_of(Catalogue const& catalogue, std::string const& folder, ReadText const& read_text);

}  // namespace parcast::pages
