// Words of a judged assertion, that every output of `parcast check` has.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "answer/answer.h"
#include "answer/contract.h"

namespace parcast::report {

// "12.6", "141 ms", "9.6 %", "lock"; empty where nothing is known.
std::string found_text(JudgedAssertion const& judged);
// "11.9 - 12.9"; empty where it is exact.
std::string found_range_text(JudgedAssertion const& judged);
// "8 % to spare", "15 % too much", "2 % too little"; empty for words.
std::string margin_text(JudgedAssertion const& judged);

// Why it does not hold, what limits the program and what would mend it: sentences. Empty if it holds.
std::string explanation_of(JudgedAssertion const& judged, Answer const& answer);
// "Asked for because a frame has to be ready."; empty: the contract says nothing about it.
std::string reason_of(JudgedAssertion const& judged);
// Both.
std::string explanation_and_reason(JudgedAssertion const& judged, Answer const& answer);

// "12.6 (90 %: 11.9 - 12.9), 8 % to spare"; empty where nothing is known.
std::string numbers_text(JudgedAssertion const& judged);

// "The contract is broken: 1 of 4 assertions fails, 1 cannot be told."
std::string contract_verdict(ContractAnswer const& contract);

// What was recorded, or the file.
std::string checked_program(Answer const& answer);

struct SourceLine {
    std::string file;
    std::uint32_t line = 1;
};
// Of what is to blame, else of the assertion. None: of neither. `root` is taken off the path.
std::optional<SourceLine> source_line_of(JudgedAssertion const& judged, Answer const& answer,
                                         std::string_view root);

}  // namespace parcast::report
