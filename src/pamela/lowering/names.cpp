#include "pamela/lowering/names.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>
#include <string>

#include "core/counted.h"
#include "core/suggestion.h"
#include "pamela/lowering/builtin.h"
#include "pamela/syntax/number_text.h"

namespace parcast::pamela {

namespace {

bool is_loop(SyntaxKind kind) {
    return kind == SyntaxKind::sequential_loop || kind == SyntaxKind::parallel_loop ||
           kind == SyntaxKind::sum_loop || kind == SyntaxKind::maximum_loop;
}

std::string quoted(std::string_view name) {
    return "'" + std::string(name) + "'";
}

class Resolver {
public:
    Resolver(Syntax const& syntax, DiagnosticList& diagnostics)
        : syntax_(syntax), diagnostics_(diagnostics) {}

    Names names() {
        for (std::size_t i = 0; i < syntax_.equations.size(); ++i)
            declare(i);
        needs_.resize(syntax_.equations.size());
        for (equation_ = 0; equation_ < syntax_.equations.size(); ++equation_)
            resolve_equation();
        names_.is_recursive.assign(syntax_.equations.size(), false);
        states_.assign(syntax_.equations.size(), State::unseen);
        for (std::size_t i = 0; i < syntax_.equations.size(); ++i)
            visit(i);
        return std::move(names_);
    }

private:
    struct Need {
        std::size_t equation;
        TextRange place;
    };
    enum class State : std::uint8_t { unseen, open, done };

    void declare(std::size_t index) {
        auto const& equation = syntax_.equations[index];
        auto const builtin = builtin_named(equation.name);
        if (builtin && !builtin->may_be_redefined) {
            diagnostics_.error(equation.place, quoted(equation.name) + " is part of the language",
                               "choose another name");
        }
        auto const [earlier, is_new] = names_.equations.emplace(equation.name, index);
        if (!is_new) {
            auto const line = diagnostics_.line_of(syntax_.equations[earlier->second].place);
            diagnostics_.error(equation.place, quoted(equation.name) + " is defined twice",
                               "the other definition is in line " + std::to_string(line));
        }
    }

    void resolve_equation() {
        auto const& equation = syntax_.equations[equation_];
        bound_.clear();
        loops_.clear();
        has_collected_loops_ = false;
        if (!equation.body)
            return;
        for (auto const& formal : equation.formals)
            bound_.push_back(formal.name);
        resolve(*equation.body);
    }

    void resolve(SyntaxId id) {
        auto const& node = syntax_[id];
        if (node.kind == SyntaxKind::name || node.kind == SyntaxKind::call)
            resolve_name(id);
        for (std::size_t i = 0; i < node.children.size(); ++i) {
            bool const is_body = is_loop(node.kind) && i == 2;
            if (is_body)
                bound_.push_back(node.word);
            resolve(node.children[i]);
            if (is_body)
                bound_.pop_back();
        }
    }

    void resolve_name(SyntaxId id) {
        auto const& node = syntax_[id];
        if (std::ranges::find(bound_, node.word) != bound_.end()) {
            if (node.kind == SyntaxKind::call)
                diagnostics_.error(node.place, quoted(node.word) + " takes no arguments",
                                   "it is a formal parameter or an index here");
        } else if (auto const found = names_.equations.find(node.word); found != names_.equations.end()) {
            needs_[equation_].push_back({found->second, node.place});
            check_arguments(node, syntax_.equations[found->second]);
        } else if (auto const builtin = builtin_named(node.word)) {
            check_arguments(node, *builtin);
        } else {
            unknown(id);
        }
    }

    void check_arguments(SyntaxNode const& call, Equation const& equation) {
        std::string formals;
        for (auto const& formal : equation.formals)
            formals += (formals.empty() ? "" : ", ") + formal.name;
        if (call.children.size() != equation.formals.size())
            complain_of_arguments(call, equation.formals.size(), formals);
    }

    void check_arguments(SyntaxNode const& call, BuiltinForm const& form) {
        if (call.children.size() < form.least || call.children.size() > form.most)
            complain_of_arguments(call, form.least, std::string(form.arguments));
    }

    void complain_of_arguments(SyntaxNode const& call, std::size_t wanted, std::string const& formals) {
        auto const given = call.children.size();
        auto const wants =
            wanted == 0 ? "no arguments" : counted(static_cast<std::int64_t>(wanted), "argument");
        auto const gets = given == 0 ? "none" : std::to_string(given);
        diagnostics_.error(call.place, quoted(call.word) + " takes " + wants + ", not " + gets,
                           "it is defined as " + call.word + (formals.empty() ? "" : "(" + formals + ")"));
    }

    // ---- names that mean nothing, perhaps but for a loop that has ended or is still to come

    void unknown(SyntaxId id) {
        auto const& node = syntax_[id];
        auto const* loop = node.kind == SyntaxKind::name ? nearest_loop(node) : nullptr;
        auto const line = loop == nullptr ? "" : std::to_string(diagnostics_.line_of(loop->place));
        if (loop != nullptr && syntax_[loop->children[0]].kind == SyntaxKind::number) {
            double const first = syntax_[loop->children[0]].number;
            names_.stray_indices.emplace(id.value, first);
            diagnostics_.warning(
                node.place,
                quoted(node.word) + " is no index here: it is taken for " + number_text(first) +
                    ", the first value of the loop in line " + line,
                "an index is only known in the body of its loop; write the number, or close the loop later");
            return;
        }
        if (loop != nullptr) {
            diagnostics_.error(node.place, quoted(node.word) + " is no index here",
                               "it is only known in the body of the loop in line " + line);
            return;
        }
        bool const may_be_a_lost_one = syntax_.lost_words.contains(node.word);
        if (may_be_a_lost_one || diagnostics_.is_full())
            return;
        diagnostics_.error(node.place, "unknown name " + quoted(node.word),
                           suggestion(node.word, known_names()));
    }

    // The last one before the name, else the first one behind it.
    SyntaxNode const* nearest_loop(SyntaxNode const& name) {
        if (!has_collected_loops_)
            collect_loops(*syntax_.equations[equation_].body);
        has_collected_loops_ = true;
        auto const found = loops_.find(name.word);
        if (found == loops_.end())
            return nullptr;
        auto const& loops = found->second;
        auto const behind = std::ranges::upper_bound(
            loops, name.place.begin, {}, [](SyntaxNode const* loop) { return loop->place.begin; });
        return behind == loops.begin() ? loops.front() : *std::prev(behind);
    }

    // In the order of the text.
    void collect_loops(SyntaxId id) {
        auto const& node = syntax_[id];
        if (is_loop(node.kind))
            loops_[node.word].push_back(&node);
        for (auto const child : node.children)
            collect_loops(child);
    }

    std::vector<std::string_view> known_names() const {
        std::vector<std::string_view> result(bound_.rbegin(), bound_.rend());
        for (auto const& equation : syntax_.equations)
            result.push_back(equation.name);
        result.insert(result.end(), builtin_names().begin(), builtin_names().end());
        result.insert(result.end(), {"sum", "seq", "par"});
        return result;
    }

    // ---- equations that need themselves

    // Depth first, with the path on a stack of its own: a model may have a million equations in a chain.
    void visit(std::size_t start) {
        if (states_[start] != State::unseen)
            return;
        std::vector<std::pair<std::size_t, std::size_t>> path{
            {start, 0}};  // equation, how many needs are done
        states_[start] = State::open;
        while (!path.empty()) {
            auto& [equation, done] = path.back();
            if (done == needs_[equation].size()) {
                finish(equation);
                path.pop_back();
                continue;
            }
            auto const& need = needs_[equation][done++];
            if (states_[need.equation] == State::open)
                complain_of_cycle(path, need);
            if (states_[need.equation] == State::unseen) {
                states_[need.equation] = State::open;
                path.emplace_back(need.equation, 0);
            }
        }
    }

    void finish(std::size_t equation) {
        states_[equation] = State::done;
        names_.order.push_back(equation);
        for (auto const& need : needs_[equation])
            if (names_.is_recursive[need.equation])
                names_.is_recursive[equation] = true;
    }

    void complain_of_cycle(std::vector<std::pair<std::size_t, std::size_t>> const& path, Need const& need) {
        auto const first =
            std::ranges::find(path, need.equation, &std::pair<std::size_t, std::size_t>::first);
        names_.is_recursive[path.back().first] = true;
        names_.is_recursive[need.equation] = true;
        if (says_that_a_process_is_no_number({first, path.end()}))
            return;
        std::string cycle;
        constexpr std::ptrdiff_t most_shown = 8;
        auto const shown = std::min(path.end() - first, most_shown);
        for (auto each = first; each != first + shown; ++each)
            cycle += syntax_.equations[each->first].name + " -> ";
        cycle += (path.end() - first > shown ? "... -> " : "") + syntax_.equations[need.equation].name;
        diagnostics_.error(
            need.place, quoted(syntax_.equations[need.equation].name) + " needs itself: " + cycle,
            "every name is replaced by its right side, which would never end; repeat with seq (i = 1, n)");
    }

    // numeric u = main + 1, process main = delay(u): what is wrong is not that they need each other.
    bool says_that_a_process_is_no_number(std::span<std::pair<std::size_t, std::size_t> const> cycle) {
        for (auto const& [equation, done] : cycle) {
            auto const& need = needs_[equation][done - 1];
            if (syntax_.equations[equation].kind != EquationKind::numeric ||
                syntax_.equations[need.equation].kind != EquationKind::process)
                continue;
            diagnostics_.error(need.place, "expected a numeric expression; this is a process",
                               "the time of a process has no name in the model: 'parcast formula' finds it");
            return true;
        }
        return false;
    }

    Syntax const& syntax_;
    DiagnosticList& diagnostics_;
    Names names_;
    std::size_t equation_ = 0;
    std::vector<std::string_view> bound_;  // formal parameters and enclosing indices
    bool has_collected_loops_ = false;
    std::unordered_map<std::string_view, std::vector<SyntaxNode const*>> loops_;  // of the equation, by index
    std::vector<std::vector<Need>> needs_;                                        // each equation's
    std::vector<State> states_;
};

}  // namespace

Names resolve(Syntax const& syntax, DiagnosticList& diagnostics) {
    return Resolver(syntax, diagnostics).names();
}

std::string suggestion(std::string_view typed, std::vector<std::string_view> const& known) {
    auto const is_other_case = [&](std::string_view word) {
        return std::ranges::equal(
            word, typed, [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
    };
    constexpr std::pair<std::string_view, std::string_view> foreign[] = {
        {"for", "seq"},      {"forall", "par"},       {"wait", "delay"},      {"sleep", "delay"},
        {"loop", "seq"},     {"while", "seq"},        {"lock", "use"},        {"pow", "^"},
        {"ceiling", "ceil"}, {"expo", "exponential"}, {"gaussian", "normal"}, {"constant", "deterministic"}};
    auto const same_letters = std::ranges::find_if(known, is_other_case);
    std::optional<std::string_view> meant;
    if (same_letters != known.end())
        meant = *same_letters;
    else if (typed.size() > 1)
        meant = nearest(typed, known);
    if (!meant) {
        auto const found =
            std::ranges::find(foreign, typed, &std::pair<std::string_view, std::string_view>::first);
        if (found != std::end(foreign))
            meant = found->second;
    }
    return meant ? "did you mean " + quoted(*meant) + "?" : "";
}

}  // namespace parcast::pamela
