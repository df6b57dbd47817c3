#include "core/catalogue.h"

#include <cstdio>

#include "core/path.h"

namespace parcast {

namespace {

std::string hexadecimal(std::uint64_t value) {
    char text[20];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
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
    }
    return "object";
}

std::string display_name(Catalogue const& catalogue, SiteId site) {
    if (site.is_none() || site.index() >= catalogue.sites.size())
        return "unknown place";
    Site const& entry = catalogue.sites[site.index()];
    if (entry.frames.empty() || entry.frames.front().function.empty()) {
        return entry.module.empty() ? "address " + hexadecimal(entry.address)
                                    : file_name(entry.module) + "+" + hexadecimal(entry.module_offset);
    }
    Frame const& frame = entry.frames.front();
    return frame.line == 0 ? frame.function
                           : frame.function + ", " + file_name(frame.file) + ":" + std::to_string(frame.line);
}

std::string display_name(Catalogue const& catalogue, ObjectId object) {
    if (object.is_none() || object.index() >= catalogue.objects.size())
        return "unknown object";
    Object const& entry = catalogue.objects[object.index()];
    if (entry.kind == ObjectKind::descriptor)
        return "descriptor " + std::to_string(entry.address);
    std::string const where =
        entry.first_site.is_none() ? "" : " (" + display_name(catalogue, entry.first_site) + ")";
    if (!entry.name.empty())
        return std::string(name_of(entry.kind)) + " " + entry.name + where;
    return std::string(name_of(entry.kind)) + " #" + std::to_string(object.value) + where;
}

std::string display_name(Catalogue const& catalogue, ThreadId thread) {
    if (thread.is_none() || thread.index() >= catalogue.threads.size())
        return "unknown thread";
    Thread const& entry = catalogue.threads[thread.index()];
    if (!entry.name.empty())
        return entry.name;
    std::string const number = "thread " + std::to_string(thread.value);
    return entry.function.empty() ? number : number + " (" + entry.function + ")";
}

}  // namespace parcast
