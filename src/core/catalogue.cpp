#include "core/catalogue.h"

#include <cstdio>

#include "core/function_name.h"
#include "core/path.h"

namespace parcast {

namespace {

std::string hexadecimal(std::uint64_t value) {
    char text[20];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

Site const* site_at(Catalogue const& catalogue, SiteId site) {
    return site.is_none() || site.index() >= catalogue.sites.size() ? nullptr
                                                                    : &catalogue.sites[site.index()];
}

bool has_function(Site const* site) {
    return site != nullptr && !site->frames.empty() && !site->frames.front().function.empty();
}

// What a thread does, or else where it comes from.
std::string origin_of(Catalogue const& catalogue, Thread const& thread) {
    Site const* const start = site_at(catalogue, thread.start_site);
    bool const is_named = !thread.function.empty() && (start == nullptr || has_function(start));
    if (is_named || (!thread.function.empty() && !has_function(site_at(catalogue, thread.created_at))))
        return thread.function;
    return thread.created_at.is_none() ? "" : "created at " + display_name(catalogue, thread.created_at);
}

}  // namespace

char const* name_of(ObjectKind kind) {
    switch (kind) {
        case ObjectKind::mutex: return "mutex";
        case ObjectKind::spin_lock: return "spin lock";
        case ObjectKind::reader_writer_lock: return "reader-writer lock";
        case ObjectKind::condition: return "condition";
        case ObjectKind::barrier: return "barrier";
        case ObjectKind::semaphore: return "semaphore";
        case ObjectKind::once: return "once";
        case ObjectKind::futex: return "futex";
        case ObjectKind::descriptor: return "descriptor";
        case ObjectKind::message: return "message";
    }
    return "object";
}

bool is_stream_lock(Object const& object) {
    return object.kind == ObjectKind::mutex && object.initial_value == stream_lock_value;
}

std::string display_name(Catalogue const& catalogue, SiteId site) {
    Site const* const known = site_at(catalogue, site);
    if (known == nullptr)
        return "unknown place";
    Site const& entry = *known;
    if (!has_function(known)) {
        return entry.module.empty() ? "address " + hexadecimal(entry.address)
                                    : file_name(entry.module) + "+" + hexadecimal(entry.module_offset);
    }
    Frame const& frame = entry.frames.front();
    return frame.line == 0 ? frame.function
                           : frame.function + ", " + file_name(frame.file) + ":" + std::to_string(frame.line);
}

std::string kind_in_words(Catalogue const& catalogue, Object const& object) {
    Site const* const first = site_at(catalogue, object.first_site);
    if (object.kind == ObjectKind::futex && first != nullptr && !first->library_type.empty())
        return first->library_type;
    return is_stream_lock(object) ? "stream" : name_of(object.kind);
}

std::string display_name(Catalogue const& catalogue, ObjectId object) {
    if (object.is_none() || object.index() >= catalogue.objects.size())
        return "unknown object";
    Object const& entry = catalogue.objects[object.index()];
    if (entry.kind == ObjectKind::descriptor)
        return "descriptor " + std::to_string(entry.address);
    if (entry.kind == ObjectKind::message)
        return entry.name;
    std::string const where =
        entry.first_site.is_none() ? "" : " (" + display_name(catalogue, entry.first_site) + ")";
    std::string const kind = kind_in_words(catalogue, entry);
    return kind + (entry.name.empty() ? " #" + std::to_string(object.value) : " " + entry.name) + where;
}

std::string display_name(Catalogue const& catalogue, ThreadId thread) {
    if (thread.is_none() || thread.index() >= catalogue.threads.size())
        return "unknown thread";
    Thread const& entry = catalogue.threads[thread.index()];
    if (!entry.name.empty())
        return entry.name;
    std::string const number = "thread " + std::to_string(thread.value);
    std::string const origin = origin_of(catalogue, entry);
    return origin.empty() ? number : number + " (" + origin + ")";
}

std::string function_name(Catalogue const& catalogue, SiteId site) {
    auto const& frames = catalogue.sites[site.index()].frames;
    return frames.empty() || frames.front().function.empty() ? display_name(catalogue, site)
                                                             : short_function_name(frames.front().function);
}

}  // namespace parcast
