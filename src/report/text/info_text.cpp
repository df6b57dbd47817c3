#include "report/info.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/path.h"
#include "core/percent_text.h"
#include "report/format.h"
#include "report/names.h"
#include "report/sentences/sentences.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

constexpr std::size_t most_rows = 20;
constexpr std::size_t widest_name = 44;

// Names are cut to a usual width, or, with --all, only as far as the line demands, and shown whole below.
std::string table_text(Table const& table, Layout const& layout) {
    return table.text(layout.colour, layout.table_width(),
                      layout.detail == Detail::all ? CutNames::whole_below_the_row : CutNames::stay_cut);
}

bool has_whole_names(Layout const& layout) {
    return layout.detail == Detail::all || layout.names == NameColumns::whole;
}

std::string name_cell(std::string const& name, Layout const& layout) {
    return has_whole_names(layout) ? name : shorten(name, widest_name);
}

// For a place, or a function that may have one, the end counts as well.
std::string place_cell(std::string const& place, Layout const& layout) {
    return has_whole_names(layout) ? place : shorten_middle(place, widest_name);
}

std::vector<std::string> frames_below(Catalogue const& catalogue, SiteId site, Layout const& layout) {
    return layout.detail == Detail::all ? inlined_into(catalogue, site) : std::vector<std::string>{};
}

std::string time_cell(Duration time) {
    return time.ns == 0 ? "" : time_text(time);
}

std::string ending_text(Provenance const& provenance) {
    if (provenance.death_signal)
        return fmt::format("killed by signal {}", *provenance.death_signal);
    if (provenance.replaced_by)
        return "went on as " + printable(*provenance.replaced_by);
    return provenance.exit_status ? fmt::format("exit status {}", *provenance.exit_status) : "ending unknown";
}

std::size_t rows_shown(std::size_t rows, Layout const& layout) {
    // A line that says "and 1 more" is as long as the row that it hides.
    return layout.detail == Detail::all || rows <= most_rows + 1 ? rows : most_rows;
}

std::string rest_line(std::size_t hidden) {
    return hidden == 0
               ? ""
               : fmt::format("  ... and {} more: --all\n", count_text(static_cast<std::int64_t>(hidden)));
}

Emphasis if_worst(bool is_worst) {
    return is_worst ? Emphasis::worst : Emphasis::none;
}

std::string threads_table(Timeline const& recorded, Profile const& profile, Layout const& layout) {
    Table table({{"thread"},
                 {"name", Align::left, Cut::end},
                 {"function", Align::left, Cut::middle},
                 {"CPU time"},
                 {"waiting"},
                 {"I/O"},
                 {"sleeping"},
                 {"events"},
                 {"", Align::left}});
    std::size_t const rows = rows_shown(profile.threads.size(), layout);
    for (std::size_t i = 0; i < rows; ++i) {
        auto const& row = profile.threads[i];
        Thread const& thread = recorded.catalogue.threads[row.thread.index()];
        table.add({{fmt::format("{}", row.thread.value)},
                   {name_cell(printable(thread.name), layout)},
                   {place_cell(printable(thread.function), layout)},
                   {time_text(row.cpu)},
                   {time_cell(row.blocked)},
                   {time_cell(row.input_output)},
                   {time_cell(row.sleeping)},
                   {count_text(row.events)},
                   {row.alive_at_exit ? "alive at exit" : ""}});
    }
    return table_text(table, layout) + rest_line(profile.threads.size() - rows);
}

std::string objects_table(Timeline const& recorded, Profile const& profile, Layout const& layout) {
    Table table({{"object", Align::left, Cut::end},
                 {"first used at", Align::left, Cut::middle},
                 {"operations"},
                 {"contended"},
                 {"waiting"},
                 {"held"},
                 {"longest"}});
    auto const longest_wait =
        std::max_element(profile.objects.begin(), profile.objects.end(),
                         [](auto const& a, auto const& b) { return a.waiting < b.waiting; });
    std::size_t const rows = rows_shown(profile.objects.size(), layout);
    for (std::size_t i = 0; i < rows; ++i) {
        auto const& row = profile.objects[i];
        Object const& object = recorded.catalogue.objects[row.object.index()];
        std::string const place =
            object.first_site.is_none() ? "" : innermost(recorded.catalogue, object.first_site);
        bool const is_worst = row.waiting.ns > 0 && &row == &*longest_wait;
        table.add({{name_cell(object_label(recorded.catalogue, row.object), layout)},
                   {place_cell(place, layout)},
                   {count_text(row.operations)},
                   {row.contended == 0 ? "" : count_text(row.contended)},
                   {time_cell(row.waiting), if_worst(is_worst)},
                   {time_cell(row.held_total)},
                   {time_cell(row.held_longest)}},
                  frames_below(recorded.catalogue, object.first_site, layout));
    }
    return table_text(table, layout) + rest_line(profile.objects.size() - rows);
}

std::string function_cell(Catalogue const& catalogue, FunctionProfile const& row, Layout const& layout) {
    std::string place;
    if (!row.site.is_none())
        if (auto const& frames = catalogue.sites[row.site.index()].frames;
            !frames.empty() && frames.front().line != 0)
            place = fmt::format(" ({}:{})", file_name(frames.front().file), frames.front().line);
    return place_cell(printable(row.name + place), layout);
}

Duration whole(double ns) {
    return Duration{std::llround(ns)};
}

std::string functions_table(Timeline const& recorded, Profile const& profile, Layout const& layout) {
    Table table({{"function", Align::left, Cut::middle},
                 {"calls"},
                 {"itself"},
                 {"of all"},
                 {""},
                 {"with what it calls"},
                 {"of all"}});
    double const all_ns = std::max(1.0, static_cast<double>(recorded.provenance.cpu_ns));
    std::size_t const rows = rows_shown(profile.functions.size(), layout);
    for (std::size_t i = 0; i < rows; ++i) {
        auto const& row = profile.functions[i];
        table.add(
            {{function_cell(recorded.catalogue, row, layout)},
             {row.calls ? count_text(*row.calls) : ""},
             {time_cell(whole(row.self_ns))},
             {percent_text(row.self_ns / all_ns)},
             {row.self_error_ns && row.self_ns > 0 ? "± " + percent_text(*row.self_error_ns / all_ns) : ""},
             {time_cell(whole(row.total_ns))},
             {percent_text(row.total_ns / all_ns)}});
    }
    return '\n' + table_text(table, layout) + rest_line(profile.functions.size() - rows);
}

std::string settings_line(Provenance const& from, Layout const& layout) {
    std::string text;
    for (auto const& [name, value] : from.settings.value_or(std::vector<Setting>()))
        text += (text.empty() ? "with " : ", ") + name + '=' + value;
    return text.empty() ? "" : paragraph(printable(text), layout);
}

std::string memory_line(Provenance const& from, Layout const& layout) {
    if (!from.memory)
        return {};
    auto const place = [](Sensed const& sensed) {
        return fmt::format("{:.2f} ({:.2f} - {:.2f})", sensed.value, sensed.low, sensed.high);
    };
    return paragraph(
        fmt::format("memory: sensitivity {}, pressure {}; beside {} busy with memory the program "
                    "took {:.2f} times as long in {}, a loop that only moves memory {:.2f}, one "
                    "that only computes {:.2f}",
                    place(from.memory->sensitivity), place(from.memory->pressure),
                    counted(from.memory->pressing_cpus, "CPU"), from.memory->slowdown,
                    counted(from.memory->runs, "run"), from.memory->memory_slowdown,
                    from.memory->compute_slowdown),
        layout);
}

std::string wake_ups_line(Provenance const& from) {
    if (!from.wake_ups)
        return {};
    auto const text = [](double ns) { return time_text(Duration{std::llround(ns)}); };
    auto const& latency = from.wake_ups->latency;
    return fmt::format("waking a thread of another CPU: {} ({} to {}, by how long it has slept)\n",
                       text(latency.value), text(latency.low), text(latency.high));
}

// What recording an event took.
std::string price_text(Provenance const& from) {
    std::string text = fmt::format("{:.0f} ns an event", from.event_cost_ns);
    if (from.unmeasured_events > 0)
        text += fmt::format(", {:.0f} ns each of {} that are not timed", from.unmeasured_cost_ns,
                            counted(from.unmeasured_events, "release"));
    return text;
}

// Command, host, times and quality of the recording.
std::string provenance_text(Timeline const& recorded, Profile const& profile, Layout const& layout) {
    Provenance const& from = recorded.provenance;
    std::string const pretended =
        from.pretended_cpus ? fmt::format(", pretending {}", counted(*from.pretended_cpus, "CPU")) : "";
    std::string const events =
        fmt::format("{} of CPU time in {}, {}, {}, {}", time_text({from.cpu_ns}), time_text({from.wall_ns}),
                    counted(static_cast<std::int64_t>(recorded.catalogue.threads.size()), "thread"),
                    counted(event_count(profile), "event"), ending_text(from));
    std::string const where =
        fmt::format("recorded {} on {} ({}, {}), CPU {}{}, process {}, by parcast {}, clock {}, {}",
                    from.date, from.host, from.cpu_model, from.kernel, from.recorded_cpu, pretended,
                    from.process, from.parcast_version, name_of(from.clock), price_text(from));
    return paragraph(shown_command(from.command), layout) + paragraph(events, layout) +
           paragraph(printable(where), layout) + "in " + printable(from.working_directory) + '\n' +
           settings_line(from, layout) + memory_line(from, layout) + wake_ups_line(from);
}

}  // namespace

std::string info_text(Timeline const& recorded, Profile const& profile, std::span<Finding const> findings,
                      Layout const& layout) {
    std::string const found = findings_text(findings, recorded.catalogue, layout);
    bool const warn_first = has_warning(findings);
    std::string text;
    if (warn_first)
        text += found + '\n';
    text +=
        provenance_text(recorded, profile, layout) + '\n' + threads_table(recorded, profile, layout) + '\n';
    text += profile.objects.empty() ? "  no synchronisation object was used\n"
                                    : objects_table(recorded, profile, layout);
    text += measured_table(recorded.provenance, layout);
    if (!profile.functions.empty())
        text += functions_table(recorded, profile, layout);
    if (!warn_first && !found.empty())
        text += '\n' + found;
    return text;
}

}  // namespace parcast::report
