// Runs of ranks on several networks: the points of a sweep over values of a network, what a change would
// bring at each of them, and which value of the network the time depends on most.

#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "answer/question.h"
#include "core/result.h"
#include "machine/network.h"
#include "machine/network_parameter.h"
#include "program/work_change.h"

namespace parcast::forecast {

struct NetworkPoint {
    Network network;
    std::vector<double> values;  // by sweep
};

struct NetworkPoints {
    std::vector<NetworkParameter> swept;
    std::vector<NetworkPoint> points;  // the last sweep changes first; without a sweep the network itself
};

// Errors: unasked (a value that the network does not have, one with a wrong unit, too many points for so
// many ranks), out_of_range.
Result<NetworkPoints> network_points(Network const& network, std::span<Sweep const> sweeps,
                                     std::uint32_t ranks);

// The network after those changes of a scenario that are of networks: L=half, G*0.1, node.o=200ns, S=never.
// Errors: unasked, out_of_range.
Result<Network> changed(Network network, Scenario const& scenario);
bool changes_network(WorkChange const& change);

// One run: the program as it is, or as the scenario with that number - 1 makes it, on a network.
struct NetworkTrial {
    Network network;
    std::size_t scenario = 0;
};
// Its rows: one for each method.
using RowsOfTrial = std::function<Result<std::vector<Row>>(NetworkTrial const&)>;

// The rows of all points, one point after the other, with what each scenario and, if asked, half of each
// value of the network would bring. Errors: those of the runs and of changed().
Result<std::vector<Row>> rows_of_points(NetworkPoints const& points, Question const& question,
                                        RowsOfTrial const& rows_of);

}  // namespace parcast::forecast
