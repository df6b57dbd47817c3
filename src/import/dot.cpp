#include "import/readers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/leading_number.h"
#include "import/dot_lexer.h"
#include "import/reader_parts.h"
#include "program/task_graph_builder.h"

namespace parcast {

namespace {

// Attributes that give a time; an earlier one wins.
constexpr std::array<std::string_view, 6> time_keys = {"time", "runtime", "duration",
                                                       "size", "weight",  "label"};

// What a node has, or the default for the nodes to come.
struct Attributes {
    std::optional<double> time;
    std::size_t time_key = time_keys.size();
    std::optional<std::uint32_t> process;
};

struct Node {
    std::string name;
    std::size_t place = 0;
    Attributes attributes;
};

using Nodes = std::vector<std::size_t>;

// Recursive descent over the grammar of Graphviz. After a mistake every word is the end.
class DotReader {
public:
    DotReader(std::string_view text, std::string_view file, double unit_ns)
        : text_(text), file_(file), unit_ns_(unit_ns), lexer_(text) {
        advance();
    }

    Result<TaskGraph> read() {
        auto name = header();
        expect("{");
        statements();
        expect("}");
        if (word_.token != DotToken::end)
            complain(ErrorCode::malformed, "there is something after the end of the graph", word_.place);
        auto graph = build();
        if (error_)
            return tl::unexpected(*error_);
        graph.name = std::move(name);
        return checked_graph(std::move(graph), [this](TaskGroupId group) {
            return place_in(text_, nodes_[group.index()].place, file_);
        });
    }

private:
    static constexpr std::size_t deepest = 100;  // subgraphs in each other

    std::string header() {
        if (word_.is_keyword("strict"))
            advance();
        if (word_.is_keyword("graph"))
            complain(ErrorCode::unsupported, "this graph has no directions: tasks that wait need a digraph",
                     word_.place);
        else if (!word_.is_keyword("digraph"))
            complain(ErrorCode::malformed, "a Graphviz file starts with digraph", word_.place);
        advance();
        std::string name;
        if (word_.token == DotToken::id) {
            name = word_.text;
            advance();
        }
        return name;
    }

    // Reads a graph or subgraph. Gives the nodes that are named in it.
    Nodes statements() {
        Nodes nodes;
        auto const outer = defaults_;
        while (!error_ && word_.token != DotToken::end && !word_.is_symbol("}")) {
            if (word_.is_symbol(";")) {
                advance();
                continue;
            }
            auto const named = statement();
            nodes.insert(nodes.end(), named.begin(), named.end());
        }
        defaults_ = outer;
        std::ranges::sort(nodes);
        auto const rest = std::ranges::unique(nodes);
        nodes.erase(rest.begin(), rest.end());
        return nodes;
    }

    Nodes statement() {
        if (word_.is_keyword("node")) {
            advance();
            attributes([&](auto const& key, auto const& value) { node_attribute(key, value, defaults_); });
            return {};
        }
        if (word_.is_keyword("graph") || word_.is_keyword("edge")) {
            bool const is_edge = word_.is_keyword("edge");
            advance();
            attributes([&](auto const& key, auto const& value) {
                if (is_edge)
                    edge_attribute(key, value);
            });
            return {};
        }
        if (word_.token == DotToken::id)
            return node_or_assignment();
        if (word_.is_keyword("subgraph") || word_.is_symbol("{"))
            return chain(subgraph());
        complain(ErrorCode::malformed, "expected a node, an arrow or a subgraph", word_.place);
        return {};
    }

    Nodes node_or_assignment() {
        auto const id = word_;
        advance();
        if (word_.is_symbol("=")) {
            advance();
            value();
            return {};
        }
        auto const node = node_named(id);
        port();
        if (word_.is_symbol("->") || word_.is_symbol("--"))
            return chain({node});
        attributes(
            [&](auto const& key, auto const& given) { node_attribute(key, given, nodes_[node].attributes); });
        return {node};
    }

    // -> node, -> subgraph, and so on; all of the left before all of the right.
    Nodes chain(Nodes left) {
        Nodes all = left;
        while (word_.is_symbol("->") || word_.is_symbol("--")) {
            if (word_.is_symbol("--"))
                complain(ErrorCode::malformed, "an arrow in a digraph is ->", word_.place);
            advance();
            auto const right = operand();
            for (auto const before : left)
                for (auto const after : right)
                    edges_.emplace_back(before, after);
            all.insert(all.end(), right.begin(), right.end());
            left = right;
        }
        attributes([&](auto const& key, auto const& value) { edge_attribute(key, value); });
        return all;
    }

    Nodes operand() {
        if (word_.is_keyword("subgraph") || word_.is_symbol("{"))
            return subgraph();
        if (word_.token != DotToken::id) {
            complain(ErrorCode::malformed, "expected a node after the arrow", word_.place);
            return {};
        }
        auto const id = word_;
        advance();
        auto const node = node_named(id);
        port();
        return {node};
    }

    Nodes subgraph() {
        if (++depth_ > deepest)
            complain(ErrorCode::malformed, "subgraphs are nested too deeply", word_.place);
        if (word_.is_keyword("subgraph")) {
            advance();
            if (word_.token == DotToken::id)
                advance();
        }
        expect("{");
        auto nodes = statements();
        expect("}");
        --depth_;
        return nodes;
    }

    void port() {
        while (word_.is_symbol(":")) {
            advance();
            value();
        }
    }

    template <class Visit>
    void attributes(Visit visit) {
        while (word_.is_symbol("[")) {
            advance();
            while (word_.token == DotToken::id || word_.token == DotToken::keyword) {
                auto const key = word_;
                advance();
                DotWord given{DotToken::id, "true", key.place};
                if (word_.is_symbol("=")) {
                    advance();
                    given = value();
                }
                visit(key, given);
                if (word_.is_symbol(",") || word_.is_symbol(";"))
                    advance();
            }
            expect("]");
        }
    }

    DotWord value() {
        auto const given = word_;
        if (given.token != DotToken::id)
            complain(ErrorCode::malformed, "expected a value", given.place);
        advance();
        return given;
    }

    void node_attribute(DotWord const& key, DotWord const& value, Attributes& into) {
        auto const rank =
            static_cast<std::size_t>(std::ranges::find(time_keys, key.text) - time_keys.begin());
        auto const number = number_in(value.text);
        bool const is_label = key.text == "label";
        if (key.text == "process") {
            if (!number || *number != std::floor(*number) || *number < 0 || *number > most_process)
                complain(ErrorCode::out_of_range, "a process is a whole number up to a million", value.place);
            else
                into.process = static_cast<std::uint32_t>(*number);
        }
        if (rank >= time_keys.size() || rank > into.time_key || (is_label && !number))
            return;
        if (!number || *number < 0 || *number * unit_ns_ > most_time_ns) {
            complain(ErrorCode::out_of_range,
                     "the " + key.text + " '" + value.text +
                         "' is not a time: expected a number from 0 to 31 years",
                     value.place);
            return;
        }
        into.time = number;
        into.time_key = rank;
    }

    void edge_attribute(DotWord const& key, DotWord const& value) {
        auto const number = number_in(value.text);
        moves_data_ |= key.text == "size" && number && *number > 0;
    }

    std::size_t node_named(DotWord const& id) {
        auto const [found, is_new] = node_by_name_.emplace(id.text, nodes_.size());
        if (is_new)
            nodes_.push_back({id.text, id.place, defaults_});
        return found->second;
    }

    TaskGraph build() {
        TaskGraphBuilder builder;
        if (nodes_.empty())
            complain(ErrorCode::malformed, "the graph has no node", word_.place);
        for (auto const& [name, place, attributes] : nodes_) {
            bool const needs_none = name == "root" || name == "end";
            if (!attributes.time && !needs_none)
                complain(ErrorCode::not_found,
                         "the task '" + name + "' has no time: give it an attribute, as in " + "[time=5]",
                         place);
            auto const task = builder.add_task(in_ns(attributes.time.value_or(0), unit_ns_));
            builder.name(task, name);
            if (attributes.process)
                builder.pin(task, std::array{*attributes.process});
        }
        for (auto const& [before, after] : edges_)
            builder.precede(TaskGroupId(before), TaskGroupId(after));
        auto graph = std::move(builder).finish();
        if (moves_data_)
            graph.assumptions.emplace_back(
                "Arrows with a size move data: the time for that is not part of the graph.");
        return graph;
    }

    void expect(std::string_view symbol) {
        if (!word_.is_symbol(symbol))
            complain(ErrorCode::malformed, "expected '" + std::string(symbol) + "'", word_.place);
        advance();
    }

    void advance() {
        word_ = error_ ? DotWord{DotToken::end, "", text_.size()} : lexer_.next();
        if (word_.token == DotToken::mistake)
            complain(ErrorCode::malformed, word_.text, word_.place);
    }

    void complain(ErrorCode code, std::string message, std::size_t place) {
        if (!error_)
            error_ = Error{code, std::move(message), place_in(text_, place, file_)};
        word_ = {DotToken::end, "", text_.size()};
    }

    static constexpr double most_time_ns = 1e18;
    static constexpr double most_process = 1e6;

    std::string_view text_;
    std::string file_;
    double unit_ns_;
    DotLexer lexer_;
    DotWord word_;
    std::size_t depth_ = 0;
    Attributes defaults_;
    std::vector<Node> nodes_;
    std::map<std::string, std::size_t, std::less<>> node_by_name_;
    std::vector<std::pair<std::size_t, std::size_t>> edges_;
    bool moves_data_ = false;
    std::optional<Error> error_;
};

}  // namespace

Result<TaskGraph> task_graph_from_dot(std::string_view text, std::string_view file, double unit_ns) {
    return DotReader(text, file, unit_ns).read();
}

}  // namespace parcast
