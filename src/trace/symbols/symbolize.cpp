#include "trace/symbols/symbolize.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "trace/symbols/library_type.h"
#include "trace/symbols/module_symbols.h"
#include "trace/symbols/perf_map.h"
#include "trace/symbols/thread_callable.h"

namespace parcast::trace {

namespace {

void place_in_module(Site& site, ModuleSymbols const& symbols, std::vector<Module> const& modules) {
    if (auto const module = symbols.module_at(site.address)) {
        site.module = modules[*module].path;
        site.module_offset = site.address - modules[*module].load_bias;
    }
}

// A lock_guard's lock() inlined from the library's headers says nothing: the place is where the program
// uses it. Frames of the library stay if there are no others.
void drop_library_frames(std::vector<Frame>& frames) {
    auto const own = std::ranges::find_if(
        frames, [](Frame const& frame) { return !frame.file.empty() && !is_library_frame(frame); });
    if (own != frames.end())
        frames.erase(frames.begin(), own);
}

// A function may begin with the code of one that is inlined into it.
void keep_outermost(std::vector<Frame>& frames) {
    if (frames.size() > 1)
        frames.erase(frames.begin(), frames.end() - 1);
}

// Code that no file holds: of a just-in-time compiler, or an interpreter's trampolines.
void name_compiled(Site& site, std::uint64_t address, PerfMap const& compiled) {
    if (auto frame = site.module.empty() ? compiled.frame_at(address) : std::nullopt)
        site.frames.push_back(std::move(*frame));
}

// A function of a template that the compiler left where it was: its name is longer than a line, and its
// caller is not known.
void name_by_type(Site& site) {
    if (site.library_type.empty() || site.frames.empty() || !is_library_frame(site.frames.front()))
        return;
    Frame const outermost = site.frames.back();
    site.frames = {{site.library_type, outermost.file, outermost.line}};
}

void name_sites(Catalogue& catalogue, ModuleSymbols const& symbols, std::vector<Module> const& modules,
                PerfMap const& compiled) {
    std::unordered_set<std::uint32_t> functions;
    for (CallStack const& stack : catalogue.stacks)
        functions.insert(stack.function.value);
    std::unordered_set<std::uint32_t> entries = functions;
    for (Thread const& thread : catalogue.threads)
        entries.insert(thread.start_site.value);
    for (std::uint32_t i = 0; i < catalogue.sites.size(); ++i) {
        Site& site = catalogue.sites[i];
        place_in_module(site, symbols, modules);
        // A return address belongs to the call before it; the call may be the last of its line, or function.
        bool const is_entry = entries.contains(i);
        std::uint64_t const address = is_entry || site.address == 0 ? site.address : site.address - 1;
        site.frames = symbols.frames_at(address);
        name_compiled(site, address, compiled);
        site.library_type = library_type(site.frames);
        drop_library_frames(site.frames);
        name_by_type(site);
        if (functions.contains(i))
            keep_outermost(site.frames);
    }
}

// "stdout": glibc calls it _IO_2_1_stdout_.
std::string name_of_standard_stream(std::string const& symbol) {
    constexpr std::string_view before = "_IO_2_1_";
    return symbol.starts_with(before) && symbol.ends_with('_')
               ? symbol.substr(before.size(), symbol.size() - before.size() - 1)
               : symbol;
}

// "pool", or "pool+40" for a lock inside a larger global object.
void name_objects(Catalogue& catalogue, ModuleSymbols const& symbols) {
    for (Object& object : catalogue.objects) {
        if (object.kind == ObjectKind::descriptor)
            continue;
        auto const symbol = symbols.symbol_at(object.address);
        if (!symbol || !symbol->is_data)
            continue;
        std::uint64_t const offset = object.address - symbol->address;
        object.name = demangle(symbol->name) + (offset == 0 ? "" : "+" + std::to_string(offset));
        if (is_stream_lock(object))
            object.name = name_of_standard_stream(object.name);
    }
}

class ThreadNames {
public:
    ThreadNames(Catalogue& catalogue, ModuleSymbols const& symbols, std::vector<Module> const& modules)
        : catalogue_(catalogue), symbols_(symbols), modules_(modules) {}

    void name(Thread& thread) {
        if (!thread.start_words.empty() && use_callable(thread))
            return;
        if (!thread.start_site.is_none()) {
            Site& start = catalogue_.sites[thread.start_site.index()];
            keep_outermost(start.frames);
            bool const is_known = !start.frames.empty() && !start.frames.front().function.empty();
            if (is_known)
                thread.function = start.frames.front().function;
            else if (!start.module.empty())
                thread.function = display_name(catalogue_, thread.start_site);  // "pigz+0x1f3a"
        }
    }

private:
    bool use_callable(Thread& thread) {
        // Threads of one callable share its type and code, and mostly differ in their arguments.
        auto const [known, is_new] = by_words_.try_emplace(thread.start_words);
        if (is_new)
            known->second = thread_callable(symbols_, thread.start_words);
        if (!known->second)
            return false;
        thread.function = known->second->name;
        thread.start_site = site_of(*known->second);
        return true;
    }

    SiteId site_of(ThreadFunction const& function) {
        auto const [known, is_new] = sites_.try_emplace(function.address, SiteId(catalogue_.sites.size()));
        if (is_new) {
            Site site{function.address, 0, "", {function.frame}};
            place_in_module(site, symbols_, modules_);
            catalogue_.sites.push_back(std::move(site));
        }
        return known->second;
    }

    Catalogue& catalogue_;
    ModuleSymbols const& symbols_;
    std::vector<Module> const& modules_;
    std::map<std::vector<std::uint64_t>, std::optional<ThreadFunction>> by_words_;
    std::map<std::uint64_t, SiteId> sites_;
};

}  // namespace

void symbolize(Timeline& timeline) {
    Catalogue& catalogue = timeline.catalogue;
    auto& modules = timeline.provenance.modules;
    ModuleSymbols const symbols(modules);
    for (std::size_t i = 0; i < modules.size(); ++i)
        modules[i].build_id = symbols.build_id(i);
    name_sites(catalogue, symbols, modules, PerfMap::of_process(timeline.provenance.process));
    name_objects(catalogue, symbols);
    ThreadNames names(catalogue, symbols, modules);
    for (std::size_t i = 0; i < catalogue.threads.size(); ++i) {
        Thread& thread = catalogue.threads[i];
        if (i == 0)
            thread.function = "main";
        else
            names.name(thread);
        thread.start_words.clear();
    }
}

}  // namespace parcast::trace
