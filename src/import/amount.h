// An amount of each task of a group, as JSON gives it: a number, a list of numbers, or a formula of named
// parameters and of the index `i` of the task in its group. Private to taskgraph_json.cpp.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "import/json_reader.h"
#include "symbolic/formula.h"
#include "symbolic/parameters.h"

namespace parcast {

struct Amount {
    enum class Form : std::uint8_t { absent, number, list, formula };

    Form form = Form::absent;
    double number = 0;
    std::vector<double> list;
    std::optional<symbolic::Formula> formula;
    std::size_t place = 0;  // in the text

    bool is_given() const { return form != Form::absent; }
};

// Every call says whether to go on; complaints are with the JSON reader. All amounts are >= 0.
class AmountReader {
public:
    // `cpus`: the value of P in formulas, if neither `given` nor the file has another one.
    AmountReader(JsonReader& json, symbolic::Parameters given, std::uint32_t cpus);

    bool read(JsonReader::Value value, Amount& into);       // a number or a formula
    bool read_list(JsonReader::Value value, Amount& into);  // or a list
    // Speeds of a task by running tasks: numbers above 0, up to 1.
    bool read_speeds(JsonReader::Value value, std::vector<double>& into);

    // Without an index: a value, and a whole one from 0 to `most`. REQUIRES: given, and not a list.
    bool single(Amount const& amount, double& into);
    bool whole(Amount const& amount, double most, char const* what, double& into);

    // One for each of `size` tasks.
    bool expand(Amount const& amount, std::size_t size, std::vector<double>& into);

    // Its default in the file, which a given value wins over.
    bool declare(std::string name, JsonReader::Value value);
    // Complains of a value that was given for a parameter that is not in the file.
    bool check_given(symbolic::Parameters const& given);

    // Whether a formula has used the number of CPUs.
    bool uses_cpus() const { return uses_cpus_; }

private:
    bool expand_formula(Amount const& amount, std::size_t size, std::vector<double>& into);
    bool check(double value, std::size_t place);

    JsonReader& json_;
    symbolic::Parameters parameters_;
    std::set<std::string, std::less<>> names_;  // declared, or used in a formula
    std::uint32_t cpus_;
    bool is_P_cpus_;
    bool uses_cpus_ = false;
};

}  // namespace parcast
