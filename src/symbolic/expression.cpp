#include "symbolic/expression.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/ensure.h"

namespace parcast::symbolic {

namespace {

bool is_loop(ExpressionKind kind) {
    return kind == ExpressionKind::sum_over || kind == ExpressionKind::maximum_over;
}

bool is_leaf(ExpressionKind kind) {
    return kind == ExpressionKind::number || kind == ExpressionKind::parameter ||
           kind == ExpressionKind::index;
}

struct Arity {
    std::size_t least;
    std::size_t most;
};

Arity arity_of(ExpressionKind kind) {
    constexpr auto any = static_cast<std::size_t>(-1);
    switch (kind) {
        case ExpressionKind::number:
        case ExpressionKind::parameter:
        case ExpressionKind::index: return {0, 0};
        case ExpressionKind::add:
        case ExpressionKind::multiply:
        case ExpressionKind::conjunction:
        case ExpressionKind::disjunction:
        case ExpressionKind::maximum:
        case ExpressionKind::minimum: return {1, any};
        case ExpressionKind::vector: return {0, any};
        case ExpressionKind::negate:
        case ExpressionKind::complement:
        case ExpressionKind::ceiling:
        case ExpressionKind::floor:
        case ExpressionKind::round:
        case ExpressionKind::absolute:
        case ExpressionKind::logarithm_2:
        case ExpressionKind::logarithm:
        case ExpressionKind::exponential:
        case ExpressionKind::square_root:
        case ExpressionKind::unit_vector:
        case ExpressionKind::largest: return {1, 1};
        case ExpressionKind::choose:
        case ExpressionKind::branch:
        case ExpressionKind::sum_over:
        case ExpressionKind::maximum_over: return {3, 3};
        case ExpressionKind::moments: return {4, 4};
        default: return {2, 2};
    }
}

std::size_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
    return static_cast<std::size_t>(hash ^ (hash >> 32));
}

}  // namespace

Expression ExpressionPool::number(double value) {
    if (value == 0)
        value = 0;  // -0 is 0
    numbers_.push_back(value);
    auto const made = intern({ExpressionKind::number, static_cast<std::uint32_t>(numbers_.size() - 1)}, {});
    if (nodes_[made.id].atom + 1 != numbers_.size())
        numbers_.pop_back();
    return made;
}

Expression ExpressionPool::parameter(std::string_view name) {
    auto const found = parameter_places_.find(name);
    if (found != parameter_places_.end())
        return intern({ExpressionKind::parameter, found->second}, {});
    auto const place = static_cast<std::uint32_t>(parameter_names_.size());
    parameter_names_.emplace_back(name);
    parameter_places_.emplace(name, place);
    return intern({ExpressionKind::parameter, place}, {});
}

Expression ExpressionPool::index(IndexId index) {
    return intern({ExpressionKind::index, index.value}, {});
}

IndexId ExpressionPool::new_index(std::string_view name) {
    index_names_.emplace_back(name);
    return {static_cast<std::uint32_t>(index_names_.size() - 1)};
}

IndexId ExpressionPool::shared_index(std::string_view name, std::uint32_t level) {
    auto const [known, is_new] = shared_indices_.try_emplace({std::string(name), level});
    if (is_new)
        known->second = new_index(name);
    return known->second;
}

Expression ExpressionPool::make(ExpressionKind kind, std::span<Expression const> operands) {
    auto const arity = arity_of(kind);
    ensure(
        !is_loop(kind) && !is_leaf(kind) && operands.size() >= arity.least && operands.size() <= arity.most,
        "an operation has as many operands as its kind takes");
    return intern({kind}, operands);
}

Expression ExpressionPool::make(ExpressionKind kind, std::initializer_list<Expression> operands) {
    return make(kind, std::span(operands.begin(), operands.size()));
}

Expression ExpressionPool::loop(ExpressionKind kind, IndexId index, Expression first, Expression last,
                                Expression body) {
    ensure(is_loop(kind), "only sum_over and maximum_over have an index");
    auto const operands = {first, last, body};
    return intern({kind, index.value}, std::span(operands.begin(), operands.size()));
}

std::span<Expression const> ExpressionPool::operands(Expression expression) const {
    auto const& node = nodes_[expression.id];
    return std::span(operands_).subspan(node.first_operand, node.operand_count);
}

double ExpressionPool::value(Expression number) const {
    debug_ensure(kind(number) == ExpressionKind::number, "only a number has a value");
    return numbers_[nodes_[number.id].atom];
}

std::string const& ExpressionPool::name(Expression parameter) const {
    auto const& node = nodes_[parameter.id];
    return node.kind == ExpressionKind::parameter ? parameter_names_[node.atom] : index_names_[node.atom];
}

IndexId ExpressionPool::bound_index(Expression loop_or_index) const {
    return {nodes_[loop_or_index.id].atom};
}

std::span<IndexId const> ExpressionPool::free_indices(Expression expression) const {
    return index_sets_[nodes_[expression.id].free_indices];
}

bool ExpressionPool::depends_on(Expression expression, IndexId index) const {
    return std::ranges::binary_search(free_indices(expression), index);
}

// Numbers are equal by their bits, so that NaN is found again.
std::size_t ExpressionPool::hash_of(Head head, std::span<Expression const> operands) const {
    auto hash = mixed(0, static_cast<std::size_t>(head.kind));
    hash = head.kind == ExpressionKind::number
               ? mixed(hash, std::bit_cast<std::uint64_t>(numbers_[head.atom]))
               : mixed(hash, head.atom);
    for (auto const operand : operands)
        hash = mixed(hash, operand.id);
    return hash;
}

Expression ExpressionPool::intern(Head head, std::span<Expression const> operands) {
    if (4 * (nodes_.size() + 1) > 3 * table_.size())
        grow_table();
    auto const bits = [&](std::uint32_t atom) { return std::bit_cast<std::uint64_t>(numbers_[atom]); };
    auto const is_same = [&](Node const& node, Expression id) {
        if (node.kind != head.kind || !std::ranges::equal(this->operands(id), operands))
            return false;
        return head.kind == ExpressionKind::number ? bits(node.atom) == bits(head.atom)
                                                   : node.atom == head.atom;
    };
    auto const mask = table_.size() - 1;
    auto place = hash_of(head, operands) & mask;
    for (; table_[place] != 0; place = (place + 1) & mask) {
        Expression const known{table_[place] - 1};
        if (is_same(nodes_[known.id], known))
            return known;
    }
    auto const made = append(head, operands);
    table_[place] = made.id + 1;
    return made;
}

Expression ExpressionPool::append(Head head, std::span<Expression const> operands) {
    Node node{.kind = head.kind,
              .is_random = head.kind == ExpressionKind::moments || head.kind == ExpressionKind::branch,
              .is_vector = head.kind == ExpressionKind::vector || head.kind == ExpressionKind::unit_vector,
              .has_parameters = head.kind == ExpressionKind::parameter,
              .atom = head.atom,
              .first_operand = static_cast<std::uint32_t>(operands_.size()),
              .operand_count = static_cast<std::uint32_t>(operands.size()),
              .free_indices = free_indices_of(head, operands)};
    bool const takes_component = head.kind == ExpressionKind::element || head.kind == ExpressionKind::largest;
    for (auto const operand : operands) {
        auto const& part = nodes_[operand.id];
        node.is_random |= part.is_random;
        node.is_vector |= part.is_vector && !takes_component;
        node.has_parameters |= part.has_parameters;
    }
    // The operands may lie in operands_ themselves.
    std::vector<Expression> const kept(operands.begin(), operands.end());
    operands_.insert(operands_.end(), kept.begin(), kept.end());
    nodes_.push_back(node);
    return {static_cast<std::uint32_t>(nodes_.size() - 1)};
}

std::uint32_t ExpressionPool::free_indices_of(Head head, std::span<Expression const> operands) {
    std::vector<IndexId> all;
    if (head.kind == ExpressionKind::index)
        all.push_back({head.atom});
    for (std::size_t position = 0; position < operands.size(); ++position) {
        for (auto const index : free_indices(operands[position])) {
            bool const is_bound = is_loop(head.kind) && position == 2 && index.value == head.atom;
            if (!is_bound)
                all.push_back(index);
        }
    }
    if (all.empty())
        return 0;
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    auto const [known, is_new] =
        index_set_places_.try_emplace(all, static_cast<std::uint32_t>(index_sets_.size()));
    if (is_new)
        index_sets_.push_back(std::move(all));
    return known->second;
}

void ExpressionPool::grow_table() {
    std::vector<std::uint32_t> larger(std::max<std::size_t>(64, 2 * table_.size()));
    auto const mask = larger.size() - 1;
    for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
        auto const& node = nodes_[id];
        auto place = hash_of({node.kind, node.atom}, operands(Expression{id})) & mask;
        while (larger[place] != 0)
            place = (place + 1) & mask;
        larger[place] = id + 1;
    }
    table_ = std::move(larger);
}

}  // namespace parcast::symbolic
