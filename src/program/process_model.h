// A process model: what a set of processes must do, with symbolic times, counts and conditions. The program
// form of the PAMELA language (docs/formats/pamela.md): sequences, parallel compositions, conditions and the
// exclusive use of resources. Equations are substituted: a process here is a tree without calls.
//
// Invariant: processes only refer to processes before them; times are scalars, random or not; bounds of loops
// and indices of resources are numbers (bounds may be random: a random count, from 1).

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "symbolic/expression.h"

namespace parcast {

struct ProcessId {
    std::uint32_t value = 0;
    friend bool operator==(ProcessId, ProcessId) = default;
};

// A server with `multiplicity` places and one queue, first come, first served. Two with the same index are
// one.
struct Resource {
    std::string name;  // of the equation: "shmem", "cpu"
    symbolic::Expression index;
    symbolic::Expression multiplicity;
};

struct Delay {
    symbolic::Expression time;
};

struct Use {
    Resource resource;
    symbolic::Expression time;
};

struct Sequence {  // empty: nothing is done
    std::vector<ProcessId> parts;
};

struct Parallel {  // ends when all have ended
    std::vector<ProcessId> branches;
};

// seq (index = first, last) body, or par: for every value from first to last. Fewer than one: nothing.
struct ProcessLoop {
    bool parallel = false;
    symbolic::IndexId index;
    symbolic::Expression first;
    symbolic::Expression last;
    ProcessId body;
};

struct ProcessChoice {
    symbolic::Expression condition;
    bool stochastic =
        false;  // the condition is a probability or a random quantity, not a number that is 0 or not
    ProcessId then;
    ProcessId otherwise;
};

using Process = std::variant<Delay, Use, Sequence, Parallel, ProcessLoop, ProcessChoice>;

// An equation of the model that has no formal parameters: `process main = ...`, `numeric T_main = ...`.
struct ProcessEquation {
    std::string name;
    ProcessId root;
};

struct NumericEquation {
    std::string name;
    symbolic::Expression value;
};

// `numeric parameter P` or `numeric parameter P = 100`.
struct ModelParameter {
    std::string name;
    std::optional<double> value;
};

struct ProcessModel {
    symbolic::ExpressionPool expressions;
    std::vector<Process> processes;
    std::vector<ProcessEquation> process_equations;  // in the order of the text
    std::vector<NumericEquation> numeric_equations;
    std::vector<ModelParameter> parameters;

    Process const& operator[](ProcessId process) const { return processes[process.value]; }
};

}  // namespace parcast
