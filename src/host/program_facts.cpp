#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <fmt/format.h>

#include "host/host_facts.h"
#include "record/executable.h"
#include "record/start.h"

namespace parcast::host {

namespace {

class ElfFile {
public:
    explicit ElfFile(std::string const& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        elf_version(EV_CURRENT);
        if (descriptor_ >= 0)
            elf_ = elf_begin(descriptor_, ELF_C_READ_MMAP, nullptr);
    }
    ~ElfFile() {
        if (elf_ != nullptr)
            elf_end(elf_);
        if (descriptor_ >= 0)
            close(descriptor_);
    }
    ElfFile(ElfFile const&) = delete;
    ElfFile& operator=(ElfFile const&) = delete;

    // Calls `take(name, header, data)` for each section.
    template <class Take>
    void each_section(Take const& take) const {
        std::size_t names = 0;
        if (elf_ == nullptr || elf_getshdrstrndx(elf_, &names) != 0)
            return;
        for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
            GElf_Shdr header;
            if (gelf_getshdr(section, &header) == nullptr)
                continue;
            char const* const name = elf_strptr(elf_, names, header.sh_name);
            take(std::string_view(name != nullptr ? name : ""), header, elf_getdata(section, nullptr));
        }
    }

    Elf* elf() const { return elf_; }

private:
    int descriptor_;
    Elf* elf_ = nullptr;
};

void add_libraries(Elf* elf, GElf_Shdr const& header, Elf_Data* data, std::vector<std::string>& libraries) {
    auto const entries = header.sh_entsize > 0 ? header.sh_size / header.sh_entsize : 0;
    for (std::size_t i = 0; i < entries; ++i) {
        GElf_Dyn entry;
        if (gelf_getdyn(data, static_cast<int>(i), &entry) == nullptr || entry.d_tag != DT_NEEDED)
            continue;
        if (char const* const name = elf_strptr(elf, header.sh_link, entry.d_un.d_val))
            libraries.emplace_back(name);
    }
}

std::string build_id_of(Elf_Data* data) {
    GElf_Nhdr note;
    std::size_t name = 0;
    std::size_t description = 0;
    if (gelf_getnote(data, 0, &note, &name, &description) == 0 || note.n_type != NT_GNU_BUILD_ID)
        return {};
    std::string text;
    auto const* const bytes = static_cast<unsigned char const*>(data->d_buf) + description;
    for (std::size_t i = 0; i < note.n_descsz; ++i)
        text += fmt::format("{:02x}", bytes[i]);
    return text;
}

// Where packages of debug information put it.
std::string debug_file_of(std::string const& build_id) {
    if (build_id.size() < 3)
        return {};
    auto path = "/usr/lib/debug/.build-id/" + build_id.substr(0, 2) + "/" + build_id.substr(2) + ".debug";
    return access(path.c_str(), R_OK) == 0 ? path : std::string();
}

void read_sections(std::string const& path, ProgramFacts& facts) {
    ElfFile const file(path);
    file.each_section([&](std::string_view name, GElf_Shdr const& header, Elf_Data* data) {
        facts.has_debug_information |= name == ".debug_info" || name == ".zdebug_info";
        facts.has_symbols |= header.sh_type == SHT_SYMTAB;
        if (data == nullptr)
            return;
        if (header.sh_type == SHT_DYNAMIC)
            add_libraries(file.elf(), header, data, facts.libraries);
        else if (name == ".note.gnu.build-id")
            facts.build_id = build_id_of(data);
    });
    facts.debug_file = debug_file_of(facts.build_id);
}

}  // namespace

ProgramFacts read_program_facts(std::string const& name) {
    ProgramFacts facts;
    facts.name = name;
    facts.path = record::find_host_program(name);
    if (!facts.path)
        return facts;
    facts.no_recording = record::reason_not_to_preload(*facts.path);
    auto const executable = record::read_executable(*facts.path);
    if (executable.kind == record::ExecutableKind::script)
        facts.interpreter = executable.interpreter;
    else
        read_sections(*facts.path, facts);
    return facts;
}

}  // namespace parcast::host
