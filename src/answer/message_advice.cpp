#include "answer/message_advice.h"

#include <algorithm>

#include "answer/advice_sentences.h"
#include "answer/number_text.h"
#include "machine/network_parameter.h"

namespace parcast {

namespace {

constexpr double worth_a_doubt = 0.01;  // of the time

}  // namespace

std::string message_work_label(ChangeableWork const& work) {
    if (work.kind == OwnerKind::rank)
        return work.name.empty() ? "computing of all ranks" : "computing of rank " + work.name;
    if (work.kind == OwnerKind::tag)
        return "messages with tag " + work.name;
    if (work.kind == OwnerKind::collective)
        return work.name + " operations";
    if (auto const parameter = parameter_named(work.name); work.kind == OwnerKind::network && parameter)
        return (is_time(*parameter) ? meaning_of(*parameter) : "rendezvous") + " (" + work.name + ")";
    return work.name;
}

std::string change_text(ChangeableWork const& work, double factor) {
    auto const becomes = "*" + exact_number_text(factor);
    if (work.kind == OwnerKind::network) {
        bool const is_of_time = !work.name.ends_with('S');
        return work.name + (!is_of_time ? "=never" : factor == 0.5 ? "=half" : becomes);
    }
    bool const is_freed = factor == 0 && (work.kind == OwnerKind::tag || work.kind == OwnerKind::collective);
    return std::string(owner_kinds[static_cast<std::size_t>(work.kind)]) + ":" + work.name +
           (is_freed ? "=free" : becomes);
}

bool is_erratic(AdviceOnCpus const& at, AdviceRow const& row) {
    auto const without = tried_at(row, 0);
    if (!without)
        return false;
    double most = 0;
    for (auto const& tried : row.tried)
        if (tried.time_ns)
            most = std::max(most, gain(at, tried));
    return most >= worth_a_doubt && gain(at, *without) < most / 2;
}

}  // namespace parcast
