// A process model as a closed queueing network, where it is one: P clients, each of which N times thinks and
// visits resources,
//
//     par (p = 1, P) seq (i = 1, N) { delay(z) ; use(r, s) ; ... }
//
// with loops and stochastic conditions within a turn as mean numbers of visits. A resource that only one
// client can use at a time is no station: its use is thinking. The exact mean value analysis (exact_mva.h)
// says how long a turn takes in the long run, with the waiting that the formula of the model leaves out.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "model/queueing/closed_network.h"
#include "program/process_model.h"

namespace parcast::model {

struct ProcessNetwork {
    ClosedNetwork network;
    std::vector<std::string> names;  // of the stations
    std::uint32_t clients = 0;
    double turns = 0;  // of each client
    std::vector<std::string>
        assumptions;  // where the model has no product form: "s serves in exponential times; ..."
};

// At the values of the model's parameters, in their order. Errors: unsupported (no closed network, and why
// not), those of resource_needs.
Result<ProcessNetwork> process_network(ProcessModel const& model, ProcessId root,
                                       std::span<double const> parameters);

struct LongRun {
    double turn = 0;   // mean time of a turn of a client
    double total = 0;  // of all its turns: that of the whole model but for its beginning and its end
    std::vector<std::string> assumptions;
};

// Errors: those of process_network and of exact_mva.
Result<LongRun> long_run(ProcessModel const& model, ProcessId root, std::span<double const> parameters);

}  // namespace parcast::model
