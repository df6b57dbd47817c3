#include "messages/smpi.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "messages/cpu_of_children.h"

namespace parcast::bench {

bool has_smpi() {
    return std::system("command -v smpirun > /dev/null 2>&1") == 0;
}

std::optional<double> smpi_replay_cpu_s(std::string const& trace, std::uint32_t ranks) {
    auto const folder = std::filesystem::path("/dev/shm/messages_bench." + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    std::ofstream(folder / "trace.ti") << trace;
    std::ofstream list(folder / "trace.list");
    std::ofstream hosts(folder / "hosts");
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        hosts << "n" << rank << '\n';
    list << (folder / "trace.ti").string() << '\n';
    std::ofstream(folder / "platform.xml")
        << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
           "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-"
        << ranks - 1 << "\" speed=\"1Gf\" bw=\"10GBps\" lat=\"1us\"/></platform>\n";
    list.close();
    hosts.close();
    double const before = cpu_s_of_children();
    auto const command = "cd '" + folder.string() + "' && smpirun -np " + std::to_string(ranks) +
                         " -hostfile hosts -platform platform.xml -no-privatize -replay trace.list"
                         " --log=root.thres:critical > /dev/null 2>&1";
    bool const has_ended = std::system(command.c_str()) == 0;
    std::filesystem::remove_all(folder);
    return has_ended ? std::optional(cpu_s_of_children() - before) : std::nullopt;
}

}  // namespace parcast::bench
