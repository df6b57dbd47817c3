#include "view/message_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "simulate/messages/replay_messages.h"
#include "timeline/run_of_messages.h"
#include "view/execution.h"

namespace parcast::view {

namespace {

constexpr std::size_t values_each = network_fields.size() + 1;  // and the bytes of a rendezvous
static_assert(setting_numbers == 1 + values_each + 1 + values_each + 1);
constexpr std::uint32_t waits_for_start = std::uint32_t{1} << 31U;
// Of a rendezvous: exact as a double, and no message has as many.
constexpr double most_exact = 9007199254740992.0;

double* add_values(double* next, NetworkValues const& values) {
    for (auto const& field : network_fields)
        *next++ = values.*field.value;
    *next++ = std::min(static_cast<double>(values.rendezvous_bytes), most_exact);
    return next;
}

double const* read_values(double const* next, NetworkValues& values) {
    for (auto const& field : network_fields)
        values.*field.value = *next++;
    auto const bytes = *next++;
    values.rendezvous_bytes = bytes >= most_exact ? std::numeric_limits<std::uint64_t>::max()
                                                  : static_cast<std::uint64_t>(std::max(bytes, 0.0));
    return next;
}

tl::unexpected<Error> malformed_columns(char const* what) {
    return fail(ErrorCode::malformed, what);
}

// The columns of the operations and of the precedences, each as long as the others.
Result<void> read_operations(SectionReader const& reader, MessageProgram& program) {
    auto const first = reader.column<std::uint32_t>("rank.first");
    auto const kind = reader.column<std::uint8_t>("op.kind");
    auto const amount = reader.column<std::uint64_t>("op.amount");
    auto const peer = reader.column<std::uint32_t>("op.peer");
    auto const tag = reader.column<std::uint32_t>("op.tag");
    auto const cpu = reader.column<std::uint8_t>("op.cpu");
    auto const nic = reader.column<std::uint8_t>("op.nic");
    auto const later = reader.column<std::uint32_t>("precedence.later");
    auto const earlier = reader.column<std::uint32_t>("precedence.earlier");
    if (!first || !kind || !amount || !peer || !tag || !cpu || !nic || !later || !earlier)
        return malformed_columns("it lacks a column of a message program");
    auto const size = kind->size();
    auto const is_none_or_all = [size](auto const& column) {
        return column.empty() || column.size() == size;
    };
    if (amount->size() != size || peer->size() != size || tag->size() != size || !is_none_or_all(*cpu) ||
        !is_none_or_all(*nic) || later->size() != earlier->size() || first->empty() || size > most_operations)
        return malformed_columns("the columns of its operations differ in length");
    program.first_operation.assign(first->begin(), first->end());
    program.kind.resize(size);
    for (std::size_t each = 0; each < size; ++each) {
        program.kind[each].bits = (*kind)[each];
        if (program.kind[each].operation() == MessageOperation::collective)
            return malformed_columns("it has a collective operation");
    }
    program.amount.assign(amount->begin(), amount->end());
    program.peer.assign(peer->begin(), peer->end());
    program.tag.assign(tag->begin(), tag->end());
    program.cpu.assign(cpu->begin(), cpu->end());
    program.nic.assign(nic->begin(), nic->end());
    program.name_of.clear();
    program.names = {""};
    program.communicators = {{}};
    for (std::size_t each = 0; each < later->size(); ++each)
        program.precedences.emplace_back((*later)[each], (*earlier)[each] & ~waits_for_start,
                                         ((*earlier)[each] & waits_for_start) != 0);
    return {};
}

// By rank: neighbours share a node.
std::vector<std::uint32_t> packed_nodes(std::uint32_t ranks, std::uint32_t nodes) {
    auto const on_each = (ranks + nodes - 1) / nodes;
    std::vector<std::uint32_t> node_of_rank(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        node_of_rank[rank] = rank / on_each;
    return node_of_rank;
}

}  // namespace

std::array<double, setting_numbers> numbers_of(MessageSetting const& setting) {
    std::array<double, setting_numbers> numbers{};
    auto const& network = setting.network;
    auto* next = numbers.data();
    *next++ = static_cast<double>(network.kind);
    next = add_values(next, network.values);
    *next++ = network.node ? 1 : 0;
    next = add_values(next, network.node.value_or(NetworkValues{}));
    *next = setting.nodes;
    return numbers;
}

Result<MessageSetting> setting_of(std::span<double const> numbers) {
    bool const are_finite =
        std::ranges::all_of(numbers, [](double each) { return std::isfinite(each) && each >= 0; });
    if (numbers.size() != setting_numbers || !are_finite || numbers[0] >= network_kinds.size() ||
        numbers.back() > std::numeric_limits<std::uint32_t>::max() / 2)
        return fail(ErrorCode::malformed,
                    "a network is " + std::to_string(setting_numbers) +
                        " numbers: its kind, its values, those inside a node, and nodes");
    MessageSetting setting;
    setting.network.kind = static_cast<NetworkKind>(numbers[0]);
    auto const* next = read_values(numbers.data() + 1, setting.network.values);
    bool const has_node = *next++ != 0;
    NetworkValues inside;
    next = read_values(next, inside);
    if (has_node)
        setting.network.node = inside;
    setting.nodes = static_cast<std::uint32_t>(*next);
    if (auto const checked = check(setting.network); !checked)
        return pass_on(checked);
    return setting;
}

Bytes message_program_bytes(MessageProgram const& program, std::vector<std::uint32_t> const& node_of_rank,
                            double cpu_speed) {
    SectionWriter writer(message_program_magic, program.operations() * 18 + program.precedences.size() * 8);
    writer.add("rank.first", program.first_operation);
    auto const kind = writer.add<std::uint8_t>("op.kind", program.operations());
    for (std::size_t each = 0; each < program.operations(); ++each)
        kind[each] = program.kind[each].bits;
    writer.add("op.amount", program.amount);
    writer.add("op.peer", program.peer);
    writer.add("op.tag", program.tag);
    writer.add("op.cpu", program.cpu);
    writer.add("op.nic", program.nic);
    auto const later = writer.add<std::uint32_t>("precedence.later", program.precedences.size());
    for (std::size_t each = 0; each < later.size(); ++each)
        later[each] = program.precedences[each].later;
    auto const earlier = writer.add<std::uint32_t>("precedence.earlier", program.precedences.size());
    for (std::size_t each = 0; each < earlier.size(); ++each)
        earlier[each] = program.precedences[each].earlier |
                        (program.precedences[each].is_start != 0 ? waits_for_start : 0);
    writer.add("rank.node", node_of_rank);
    writer.add("cpu_speed", std::vector{cpu_speed});
    return writer.finish();
}

Result<PortableMessages> read_message_program(std::span<std::byte const> bytes) {
    auto const reader = SectionReader::open(bytes, message_program_magic);
    if (!reader)
        return pass_on(reader);
    PortableMessages read;
    if (auto const done = read_operations(*reader, read.program); !done)
        return pass_on(done);
    auto const nodes = reader->column<std::uint32_t>("rank.node");
    if (!nodes || (!nodes->empty() && nodes->size() + 1 != read.program.first_operation.size()))
        return malformed_columns("it does not say on which node each rank is");
    read.node_of_rank.assign(nodes->begin(), nodes->end());
    auto const speed = reader->column<double>("cpu_speed");
    if (!speed || speed->size() != 1 || !((*speed)[0] > 0) || !std::isfinite((*speed)[0]))
        return malformed_columns("it does not say how fast a rank computes");
    read.cpu_speed = (*speed)[0];
    if (auto const checked = check(read.program); !checked)
        return pass_on(checked);
    return read;
}

Result<Bytes> replay_messages(MessageProgram const& program, std::vector<std::uint32_t> node_of_rank,
                              double cpu_speed, MessageSetting const& setting, Detail detail) {
    if (!setting.network.node)
        node_of_rank.clear();
    else if (setting.nodes > 0)
        node_of_rank = packed_nodes(program.ranks(), setting.nodes);
    auto run = simulate::replay_messages(
        program, setting.network,
        {.node_of_rank = node_of_rank, .cpu_speed = cpu_speed, .with_log = detail == Detail::timeline});
    if (!run)
        return pass_on(run);
    if (run->accounts.size() > most_cpus)
        return fail(ErrorCode::out_of_range, "a page shows at most 65,534 ranks and their CPUs");
    auto const ideal = simulate::replay_messages(program, ideal_network(), {.cpu_speed = cpu_speed});
    if (!ideal)
        return pass_on(ideal);
    auto times = message_times(*run, program, MessageMethod::replay);
    if (!ideal->is_deadlocked)
        times.ideal_network = ideal->completion;
    return message_execution_bytes(run_of(std::move(*run)), times, node_of_rank);
}

}  // namespace parcast::view
