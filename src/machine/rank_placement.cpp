#include "machine/rank_placement.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/counted.h"
#include "core/leading_number.h"

namespace parcast {

namespace {

constexpr char const* place_help =
    "A line for each rank has the name of its node; or lines are \"rank 3=node1\": docs/messages.md.";

std::string_view without_blanks(std::string_view text) {
    auto const first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

class PlaceReader {
public:
    PlaceReader(std::string const& file, std::uint32_t ranks) : file_(file), node_(ranks) {}

    Result<RankNodes> read(std::string_view text) {
        while (!text.empty()) {
            ++line_;
            auto const end = std::min(text.find('\n'), text.size());
            auto const line = text.substr(0, end);
            if (auto const read = read_line(without_blanks(line.substr(0, line.find('#')))); !read)
                return pass_on(read);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        auto const missing = std::ranges::find_if(node_, [](auto const& node) { return !node; });
        if (missing != node_.end())
            return complain(ErrorCode::inconsistent,
                            "there is no node for rank " + std::to_string(missing - node_.begin()) +
                                ": the program has " +
                                counted(static_cast<std::int64_t>(node_.size()), "rank"));
        RankNodes nodes{{}, static_cast<std::uint32_t>(names_.size()), std::move(names_)};
        for (auto const& node : node_)
            nodes.node_of_rank.push_back(*node);
        return nodes;
    }

private:
    Result<void> read_line(std::string_view line) {
        if (line.empty())
            return {};
        constexpr std::string_view rankfile = "rank ";
        bool const is_of_rankfile = line.starts_with(rankfile);
        if (uses_numbers_ && *uses_numbers_ != is_of_rankfile)
            return complain(ErrorCode::malformed, "lines with and without the number of a rank are mixed");
        uses_numbers_ = is_of_rankfile;
        std::uint64_t rank = next_++;
        if (is_of_rankfile) {
            auto const sign = std::min(line.find('='), line.size());
            auto const number = number_in<std::uint64_t>(without_blanks(
                line.substr(rankfile.size(), std::max(sign, rankfile.size()) - rankfile.size())));
            if (!number || sign == line.size())
                return complain(ErrorCode::malformed, "a line of a rankfile is \"rank 3=node1\"");
            rank = *number;
            line = without_blanks(line.substr(sign + 1));
            auto const blank = std::min(line.find_first_of(" \t"), line.size());
            if (auto const rest = without_blanks(line.substr(blank));
                !rest.empty() && !rest.starts_with("slot=") && !rest.starts_with("slots="))
                return complain(ErrorCode::malformed, "\"" + std::string(rest) + "\" is no slot=...");
            line = line.substr(0, blank);
        }
        if (line.empty() || line.find_first_of(" \t=:") != std::string_view::npos)
            return complain(ErrorCode::malformed, "\"" + std::string(line) + "\" is no name of one node");
        if (rank >= node_.size())
            return complain(ErrorCode::inconsistent,
                            "rank " + std::to_string(rank) + " does not exist: the program has " +
                                counted(static_cast<std::int64_t>(node_.size()), "rank"));
        if (node_[rank])
            return complain(ErrorCode::inconsistent, "rank " + std::to_string(rank) + " has a node already");
        auto const [node, is_new] =
            numbers_.try_emplace(std::string(line), static_cast<std::uint32_t>(names_.size()));
        if (is_new)
            names_.emplace_back(line);
        node_[rank] = node->second;
        return {};
    }

    tl::unexpected<Error> complain(ErrorCode code, std::string message) const {
        return fail(Error{code, std::move(message), SourcePosition{file_, line_, {}, {}}, place_help});
    }

    std::string const& file_;
    std::uint32_t line_ = 0;
    std::uint64_t next_ = 0;
    std::optional<bool> uses_numbers_;
    std::vector<std::optional<std::uint32_t>> node_;  // by rank
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<std::string> names_;
};

// Ranks fill one node after the other; with a number of nodes each gets as many.
std::vector<std::uint32_t> packed_ranks(RankPlacement const& placement,
                                        std::vector<std::uint32_t> const& cpus_of_rank) {
    std::vector<std::uint32_t> node_of_rank;
    if (placement.nodes > 0) {
        auto const ranks = static_cast<std::uint32_t>(cpus_of_rank.size());
        auto const on_each = (ranks + placement.nodes - 1) / placement.nodes;
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            node_of_rank.push_back(rank / on_each);
        return node_of_rank;
    }
    std::uint64_t used = 0;
    std::uint32_t node = 0;
    for (auto const cpus : cpus_of_rank) {
        if (used > 0 && used + cpus > placement.cpus_of_node) {
            ++node;
            used = 0;
        }
        used += cpus;
        node_of_rank.push_back(node);
    }
    return node_of_rank;
}

Result<void> check_cpus(RankNodes const& nodes, std::vector<std::uint32_t> const& cpus_of_rank,
                        std::uint32_t cpus_of_node) {
    std::vector<std::uint64_t> used(nodes.nodes);
    for (std::size_t rank = 0; rank < cpus_of_rank.size(); ++rank)
        used[nodes.node_of_rank[rank]] += cpus_of_rank[rank];
    auto const fullest = std::ranges::max_element(used);
    if (fullest == used.end() || *fullest <= cpus_of_node)
        return {};
    auto const number = static_cast<std::size_t>(fullest - used.begin());
    return fail(make_error(ErrorCode::unasked,
                           "node " + (nodes.names.empty() ? std::to_string(number) : nodes.names[number]) +
                               " has " + counted(static_cast<std::int64_t>(cpus_of_node), "CPU") +
                               ", and its ranks compute on " + std::to_string(*fullest) +
                               ": ranks do not share CPUs in a prediction",
                           "Spread them over more nodes, or leave --cpus out."));
}

}  // namespace

Result<RankNodes> placed_ranks(RankPlacement const& placement,
                               std::vector<std::uint32_t> const& cpus_of_rank) {
    if (!placement.is_asked())
        return RankNodes{};
    auto const ranks = static_cast<std::uint32_t>(cpus_of_rank.size());
    Result<RankNodes> nodes = RankNodes{};
    if (!placement.file.empty()) {
        nodes = PlaceReader(placement.file, ranks).read(placement.text);
        if (!nodes)
            return nodes;
    } else {
        nodes->node_of_rank = packed_ranks(placement, cpus_of_rank);
    }
    for (auto const node : nodes->node_of_rank)
        nodes->nodes = std::max(nodes->nodes, node + 1);
    if (placement.order == RankPlacement::Order::round_robin && placement.file.empty())
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            nodes->node_of_rank[rank] = rank % (placement.nodes > 0 ? placement.nodes : nodes->nodes);
    if (placement.cpus_of_node > 0)
        if (auto const checked = check_cpus(*nodes, cpus_of_rank, placement.cpus_of_node); !checked)
            return pass_on(checked);
    return nodes;
}

}  // namespace parcast
