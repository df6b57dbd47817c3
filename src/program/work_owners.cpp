#include "program/work_owners.h"

#include <algorithm>
#include <unordered_map>

#include "core/counted.h"
#include "core/function_name.h"
#include "core/path.h"

namespace parcast {

namespace {

// Numbers for texts, in the order in which they come.
class Numbers {
public:
    explicit Numbers(std::vector<std::string>& texts) : texts_(texts) {}

    std::uint32_t of(std::string const& text) {
        auto const [found, is_new] = numbers_.emplace(text, static_cast<std::uint32_t>(texts_.size()));
        if (is_new)
            texts_.push_back(text);
        return found->second;
    }

private:
    std::vector<std::string>& texts_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
};

// What a thread does; where that has no symbol, where it comes from.
std::string function_name(Catalogue const& catalogue, ThreadId thread) {
    auto const& entry = catalogue.threads[thread.index()];
    bool const has_symbol = !entry.function.empty() && entry.function.find("+0x") == std::string::npos;
    if (has_symbol)
        return short_function_name(entry.function);
    if (!entry.created_at.is_none())
        return std::string(threads_of) + function_name(catalogue, entry.created_at);
    return entry.function.empty() ? display_name(catalogue, thread) : entry.function;
}

std::string place_name(Catalogue const& catalogue, SiteId site) {
    auto const& frames = catalogue.sites[site.index()].frames;
    if (frames.empty() || frames.front().line == 0)
        return display_name(catalogue, site);
    return frames.front().file + ":" + std::to_string(frames.front().line);
}

// "histogram.c:34" of a place with its whole path.
std::string shown_place(std::string const& place) {
    auto const colon = place.rfind(':');
    return colon == std::string::npos ? place : file_name(place.substr(0, colon)) + place.substr(colon);
}

// What locks of one make share: the symbol, "table" of "table+912", or without one the place of the
// first use. Empty: unknown.
std::string origin_of_lock(Object const& lock, std::span<std::string const> places,
                           std::span<std::uint32_t const> place_at) {
    if (lock.name.empty())
        return lock.first_site.is_none() ? "" : places[place_at[lock.first_site.index()]];
    auto const plus = lock.name.rfind('+');
    bool const has_offset = plus != std::string::npos && plus + 1 < lock.name.size() &&
                            lock.name.find_first_not_of("0123456789", plus + 1) == std::string::npos;
    return lock.name.substr(0, has_offset ? plus : std::string::npos);
}

// Whether the name is the whole text, or its last parts: "queue.h:41" of "/src/queue.h:41".
bool ends_a_path(std::string_view text, std::string_view name) {
    if (!text.ends_with(name) || name.empty())
        return false;
    return text.size() == name.size() || text[text.size() - name.size() - 1] == '/';
}

// "solve" calls "solve(int)" as well, and the other way round.
bool calls_function(std::string_view function, std::string_view name) {
    return function == name || short_function_name(function) == short_function_name(name);
}

bool calls_lock(Catalogue const& catalogue, ObjectId lock, std::string_view name) {
    auto const& object = catalogue.objects[lock.index()];
    auto const kind = std::string(name_of(object.kind)) + " ";
    if (name.starts_with(kind))
        name.remove_prefix(kind.size());
    auto const shown = display_name(catalogue, lock).substr(kind.size());
    if (shown == name || shown.substr(0, shown.find(" (")) == name)
        return true;
    return !object.first_site.is_none() && ends_a_path(place_name(catalogue, object.first_site), name);
}

bool calls_thread(Catalogue const& catalogue, ThreadId thread, std::string_view name) {
    auto const& entry = catalogue.threads[thread.index()];
    return entry.name == name || calls_function(entry.function, name) ||
           display_name(catalogue, thread) == name || std::to_string(thread.value) == name;
}

}  // namespace

WorkOwners::WorkOwners(ThreadProgram const& program) : program_(program) {
    auto const& catalogue = program.catalogue;
    Numbers functions(functions_);
    Numbers places(places_);
    for (std::size_t index = 0; index < catalogue.sites.size(); ++index) {
        SiteId const site(index);
        function_at_.push_back(functions.of(function_name(catalogue, site)));
        place_at_.push_back(places.of(place_name(catalogue, site)));
        if (function_at_.back() == site_of_function_.size())
            site_of_function_.push_back(site);
    }
    for (std::size_t thread = 0; thread < catalogue.threads.size(); ++thread) {
        function_of_thread_.push_back(functions.of(function_name(catalogue, ThreadId(thread))));
        if (function_of_thread_.back() == site_of_function_.size())
            site_of_function_.push_back(catalogue.threads[thread].start_site);
    }
    first_lock_ = functions_.size();
    first_thread_ = first_lock_ + catalogue.objects.size();
    first_place_ = first_thread_ + catalogue.threads.size();
    first_with_callees_ = first_place_ + places_.size();
    first_group_ = first_with_callees_ + (has_shares() ? functions_.size() : 0);
    if (has_shares())
        number_stacks();
    group_locks();
}

void WorkOwners::group_locks() {
    auto const& catalogue = program_.catalogue;
    std::vector<std::string> makes;
    Numbers numbers(makes);
    std::vector<GroupOfLocks> found;
    for (std::size_t index = 0; index < catalogue.objects.size(); ++index) {
        auto const& object = catalogue.objects[index];
        auto const origin = origin_of_lock(object, places_, place_at_);
        if (origin.empty())
            continue;
        auto const number = numbers.of(std::string(name_of(object.kind)) + " " + origin);
        if (number == found.size())
            found.push_back({shown_place(origin), {}});
        found[number].locks.push_back(ObjectId(index));
    }
    group_of_lock_.resize(catalogue.objects.size());
    for (GroupOfLocks& group : found) {
        if (group.locks.size() < 2)
            continue;
        for (auto const lock : group.locks)
            group_of_lock_[lock.index()] = static_cast<std::uint32_t>(groups_.size());
        group.name = counted(static_cast<std::int64_t>(group.locks.size()), "lock") + " of " + group.name;
        groups_.push_back(std::move(group));
    }
}

// Several locks of a group that are held together count once.
void WorkOwners::add_groups(std::vector<Held> const& held, std::vector<OwnedShare>& owned) const {
    auto const first = owned.size();
    for (auto const& each : held) {
        auto const group = group_of_lock_[each.lock.index()];
        auto const has = [&](OwnedShare const& share) { return share.owner == first_group_ + *group; };
        if (group && std::none_of(owned.begin() + static_cast<std::ptrdiff_t>(first), owned.end(), has))
            owned.push_back({first_group_ + *group});
    }
}

std::vector<ObjectId> WorkOwners::locks(std::size_t owner) const {
    if (kind(owner) != OwnerKind::lock)
        return {};
    return owner < first_group_ ? std::vector{ObjectId(owner - first_lock_)}
                                : groups_[owner - first_group_].locks;
}

// A function that calls itself is in the chain once.
void WorkOwners::number_stacks() {
    for (CallStack const& stack : program_.catalogue.stacks) {
        auto const function = function_at_[stack.function.index()];
        auto const own = static_cast<std::uint32_t>(with_callees(function));
        std::vector<std::uint32_t> owners = {function, own};
        if (!stack.caller.is_none())
            for (auto const caller : std::span(owners_of_stack_[stack.caller.index()]).subspan(1))
                if (caller != own)
                    owners.push_back(caller);
        owners_of_stack_.push_back(std::move(owners));
    }
    for (std::uint32_t function = 0; function < functions_.size(); ++function)
        owners_of_call_.push_back({function, static_cast<std::uint32_t>(with_callees(function))});
}

std::span<std::uint32_t const> WorkOwners::owners_of(WorkShare const& share, ThreadId thread,
                                                     Operation const& operation) const {
    if (share.stack.is_none())
        return owners_of_call_[function_of(thread, operation)];
    return owners_of_stack_[share.stack.index()];
}

// What was spent outside of all functions that are recorded is of the one that makes the call.
void WorkOwners::add_functions(ThreadId thread, Operation const& operation, std::span<WorkShare const> shares,
                               std::vector<OwnedShare>& owned) const {
    double total_ns = 0;
    for (WorkShare const& share : shares)
        total_ns += static_cast<double>(share.ns);
    if (total_ns <= 0) {
        owned.push_back({function_of(thread, operation)});
        if (has_shares())
            owned.push_back({with_callees(owned.front().owner)});
        return;
    }
    for (WorkShare const& share : shares) {
        for (auto const owner : owners_of(share, thread, operation)) {
            auto found = std::ranges::find(owned, owner, &OwnedShare::owner);
            if (found == owned.end())
                found = owned.insert(found, {owner, 0, 0});
            found->share += static_cast<double>(share.ns) / total_ns;
            bool const is_called =
                !share.stack.is_none() && owner == owners_of_stack_[share.stack.index()][0];
            bool const is_itself =
                !share.stack.is_none() && owner == owners_of_stack_[share.stack.index()][1];
            found->calls += is_called || is_itself ? share.calls : 0;
        }
    }
}

OwnerKind WorkOwners::kind(std::size_t owner) const {
    if (owner < first_lock_)
        return OwnerKind::function;
    if (owner < first_thread_)
        return OwnerKind::lock;
    if (owner < first_place_)
        return OwnerKind::thread;
    if (owner < first_with_callees_)
        return OwnerKind::place;
    return owner < first_group_ ? OwnerKind::function_and_callees : OwnerKind::lock;
}

std::string WorkOwners::name(std::size_t owner) const {
    if (owner >= first_group_)
        return groups_[owner - first_group_].name;
    switch (kind(owner)) {
        case OwnerKind::function: return functions_[owner];
        case OwnerKind::lock: return display_name(program_.catalogue, ObjectId(owner - first_lock_));
        case OwnerKind::thread: return display_name(program_.catalogue, ThreadId(owner - first_thread_));
        case OwnerKind::function_and_callees: return functions_[owner - first_with_callees_] + "+";
        case OwnerKind::place:
        case OwnerKind::group:
        case OwnerKind::rank:
        case OwnerKind::tag:
        case OwnerKind::collective:
        case OwnerKind::network: break;
    }
    return shown_place(places_[owner - first_place_]);
}

SiteId WorkOwners::site(std::size_t owner) const {
    if (kind(owner) == OwnerKind::function)
        return site_of_function_[owner];
    if (kind(owner) == OwnerKind::function_and_callees)
        return site_of_function_[owner - first_with_callees_];
    auto const same = locks(owner);
    return same.empty() ? SiteId::none() : program_.catalogue.objects[same.front().index()].first_site;
}

std::vector<std::size_t> WorkOwners::called(OwnerKind kind_of_owner, std::string_view name) const {
    auto const is_called = [&](std::size_t owner) {
        if (owner >= first_group_)
            return groups_[owner - first_group_].name == name;
        switch (kind_of_owner) {
            case OwnerKind::function: return calls_function(functions_[owner], name);
            case OwnerKind::lock: return calls_lock(program_.catalogue, ObjectId(owner - first_lock_), name);
            case OwnerKind::thread:
                return calls_thread(program_.catalogue, ThreadId(owner - first_thread_), name);
            case OwnerKind::function_and_callees:
                return calls_function(functions_[owner - first_with_callees_], name);
            case OwnerKind::place:
            case OwnerKind::group:
            case OwnerKind::rank:
            case OwnerKind::tag:
            case OwnerKind::collective:
            case OwnerKind::network: break;
        }
        return ends_a_path(places_[owner - first_place_], name);
    };
    std::vector<std::size_t> owners;
    for (std::size_t owner = 0; owner < count(); ++owner)
        if (kind(owner) == kind_of_owner && is_called(owner))
            owners.push_back(owner);
    return owners;
}

// The work before the end of a thread is of the function that it runs.
std::size_t WorkOwners::function_of(ThreadId thread, Operation const& operation) const {
    auto const site = operation.site();
    return site.is_none() ? function_of_thread_[thread.index()] : function_at_[site.index()];
}

// A wait that gives up its mutex has it again when it is over.
void WorkOwners::executed(Operation const& operation, std::vector<Held>& held) const {
    auto const role = traits_of(operation.kind()).role;
    if (role != Role::takes_lock && role != Role::releases_lock)
        return;
    auto const lock = operation.object_id();
    auto const found = std::ranges::find(held, lock, &Held::lock);
    if (role == Role::takes_lock)
        if (found == held.end())
            held.push_back({lock, 1});
        else
            ++found->depth;
    else if (found != held.end() && --found->depth == 0)
        held.erase(found);
}

std::span<WorkShare const> next_shares(std::span<WorkShare const> shares, std::size_t& from,
                                       std::uint32_t operation) {
    while (from < shares.size() && shares[from].piece < operation)
        ++from;
    std::size_t const first = from;
    while (from < shares.size() && shares[from].piece == operation)
        ++from;
    return shares.subspan(first, from - first);
}

}  // namespace parcast
