// Writes a program of steps, one after the other: first what its ranks compute, then what they send. Private
// to this room.

#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "program/step_program.h"

namespace parcast::generate {

class StepsOfRanks {
public:
    StepsOfRanks(std::string name, std::uint32_t ranks, double operation_ns) : operation_ns_(operation_ns) {
        program_.name = std::move(name);
        program_.ranks = ranks;
    }

    // Arithmetic operations of the next rank, or of all of them.
    void compute(double operations) { program_.compute_ns.push_back(time_of(operations)); }
    void compute(std::span<double const> operations) {
        for (double const each : operations)
            compute(each);
    }

    void send(std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
        program_.messages.push_back({from, to, bytes});
    }

    void end_step() { program_.first_message.push_back(program_.messages.size()); }

    StepProgram finish(std::vector<std::string> assumptions) {
        program_.assumptions = std::move(assumptions);
        return std::move(program_);
    }

private:
    std::int64_t time_of(double operations) const { return std::llround(operations * operation_ns_); }

    double operation_ns_;
    StepProgram program_;
};

}  // namespace parcast::generate
