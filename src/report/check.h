// The answer of `parcast check`: for people, as JSON (docs/formats/check.schema.json), and as CI systems read
// it.

#pragma once

#include <string>
#include <string_view>

#include "answer/answer.h"
#include "answer/contract.h"
#include "report/layout.h"

namespace parcast::report {

// A line for each assertion, then what is to be said about those that do not hold.
std::string check_text(ContractAnswer const& contract, Answer const& answer, Layout const& layout);

// With the predictions of `predict --json`, so that it can be a baseline.
std::string check_json(ContractAnswer const& contract, Answer const& answer, std::string_view version);

// A test suite with a case for each assertion; what cannot be told is skipped, or under --strict a failure.
std::string check_junit(ContractAnswer const& contract, Answer const& answer);

// For a summary of a build ($GITHUB_STEP_SUMMARY), or a comment.
std::string check_markdown(ContractAnswer const& contract, Answer const& answer);

// Commands of GitHub's runners, a line for each assertion that does not hold, at the source of the lock or
// the function that is to blame, else at the assertion. `root`: what paths become relative to.
std::string check_github_annotations(ContractAnswer const& contract, Answer const& answer,
                                     std::string_view root);

// The same as a code quality report of GitLab (the format of Code Climate).
std::string check_gitlab_report(ContractAnswer const& contract, Answer const& answer, std::string_view root);

}  // namespace parcast::report
