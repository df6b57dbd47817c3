#include "record/executable.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include <elf.h>

namespace parcast::record {

namespace {

struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

// As many bytes as there are, up to `size`.
std::string read_at(std::FILE* file, std::uint64_t offset, std::size_t size) {
    std::string bytes(size, '\0');
    if (offset > INT64_MAX || fseeko(file, static_cast<off_t>(offset), SEEK_SET) != 0)
        return {};
    bytes.resize(std::fread(bytes.data(), 1, size, file));
    return bytes;
}

template <class Record>
std::optional<Record> read_record(std::FILE* file, std::uint64_t offset) {
    std::string const bytes = read_at(file, offset, sizeof(Record));
    if (bytes.size() < sizeof(Record))
        return std::nullopt;
    Record record;
    std::memcpy(&record, bytes.data(), sizeof record);
    return record;
}

Executable read_script(std::FILE* file) {
    constexpr std::size_t longest_line = 256;  // BINPRM_BUF_SIZE of the kernel
    std::string line = read_at(file, 2, longest_line);
    line.resize(std::min(line.find('\n'), line.size()));
    std::size_t const begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos)
        return {};
    std::size_t const end = line.find_first_of(" \t", begin);
    return {ExecutableKind::script, line.substr(begin, end - begin), 0};
}

// The note of the Go linker: its name is "Go" (src/cmd/link/internal/ld/elf.go, ELF_NOTE_GO_NAME).
bool has_go_note(std::FILE* file, Elf64_Phdr const& segment) {
    constexpr std::size_t most_bytes = 65536;
    constexpr std::string_view go_name("Go\0\0", 4);
    auto const padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
    std::string const notes =
        read_at(file, segment.p_offset, std::min<std::size_t>(segment.p_filesz, most_bytes));
    for (std::size_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
        Elf64_Nhdr note;
        std::memcpy(&note, notes.data() + at, sizeof note);
        at += sizeof note;
        if (std::string_view(notes).substr(std::min(at, notes.size())).starts_with(go_name) &&
            note.n_namesz == go_name.size())
            return true;
        at += padded(note.n_namesz) + padded(note.n_descsz);
    }
    return false;
}

Executable read_elf(std::FILE* file) {
    auto const header = read_record<Elf64_Ehdr>(file, 0);
    if (!header || header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
        header->e_machine != EM_X86_64) {
        return {ExecutableKind::other_machine, {}, 0};
    }
    Executable executable{ExecutableKind::static_program, {}, 0};
    for (std::uint64_t i = 0; i < header->e_phnum; ++i) {
        auto const segment = read_record<Elf64_Phdr>(file, header->e_phoff + i * sizeof(Elf64_Phdr));
        if (segment && segment->p_type == PT_NOTE)
            executable.is_go = executable.is_go || has_go_note(file, *segment);
        if (segment && segment->p_type == PT_INTERP) {
            constexpr std::size_t longest_path = 4096;
            std::string loader =
                read_at(file, segment->p_offset, std::min<std::size_t>(segment->p_filesz, longest_path));
            loader.resize(std::min(loader.find('\0'), loader.size()));
            // Some distributions keep the loader of glibc at a path of their own; that of musl says so.
            bool const is_musl = loader.find("musl") != std::string::npos;
            executable.kind = is_musl ? ExecutableKind::other_library : ExecutableKind::dynamic;
            executable.interpreter = std::move(loader);
        }
    }
    return executable;
}

}  // namespace

Executable read_executable(std::string const& path) {
    File const file(std::fopen(path.c_str(), "rbe"));
    if (!file)
        return {ExecutableKind::unreadable, {}, errno};
    std::string const start = read_at(file.get(), 0, SELFMAG);
    if (start == ELFMAG)
        return read_elf(file.get());
    return start.starts_with("#!") ? read_script(file.get()) : Executable{};
}

}  // namespace parcast::record
