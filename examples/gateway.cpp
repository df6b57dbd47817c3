// A gateway for call records: readers receive packets and store them on disk, sorters read the files, sort
// and convert the records and feed two writers each, which write them to their destinations. Two lines of
// one reader, one sorter and two writers by default; queues between them are a mutex and a condition.
// The skeleton of Ericsson's billing gateway (Broberg, Lundberg and Grahn 2001, section 4.3; Broberg 2002,
// paper VI), here with files.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "arguments.h"
#include "work.h"

namespace {

struct Record {
    std::uint64_t subscriber;
    std::uint64_t seconds;
};
using Records = std::vector<Record>;

template <typename Item>
class Queue {
public:
    void put(Item item) {
        {
            std::lock_guard const lock(mutex_);
            items_.push_back(std::move(item));
        }
        changed_.notify_one();
    }
    void close() {
        {
            std::lock_guard const lock(mutex_);
            is_closed_ = true;
        }
        changed_.notify_all();
    }
    // Nothing once the queue is closed and empty.
    std::optional<Item> take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return is_closed_ || !items_.empty(); });
        if (items_.empty())
            return std::nullopt;
        Item item = std::move(items_.front());
        items_.pop_front();
        return item;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Item> items_;
    bool is_closed_ = false;
};

[[noreturn]] void stop(char const* what, std::string const& path) {
    std::fprintf(stderr, "gateway: cannot %s %s: %s\n", what, path.c_str(),
                 std::error_code(errno, std::generic_category()).message().c_str());
    std::exit(1);
}

class File {
public:
    File(std::string path, int flags)
        : path_(std::move(path)), descriptor_(open(path_.c_str(), flags, 0600)) {
        if (descriptor_ < 0)
            stop("open", path_);
    }
    ~File() { close(descriptor_); }
    File(File const&) = delete;
    File& operator=(File const&) = delete;

    void write_all(void const* data, std::size_t size) {
        for (auto const* next = static_cast<char const*>(data); size > 0;) {
            ssize_t const written = write(descriptor_, next, size);
            if (written < 0)
                stop("write", path_);
            next += written;
            size -= static_cast<std::size_t>(written);
        }
    }
    std::size_t read_some(void* data, std::size_t size) {
        ssize_t const got = read(descriptor_, data, size);
        if (got < 0)
            stop("read", path_);
        return static_cast<std::size_t>(got);
    }
    void synchronise() {
        if (fdatasync(descriptor_) != 0)
            stop("synchronise", path_);
    }

private:
    std::string path_;
    int descriptor_;
};

struct Totals {
    std::uint64_t records = 0;
    std::uint64_t seconds = 0;

    void add(Record const& record) {
        ++records;
        seconds += record.seconds;
    }
};

struct Writer {
    Queue<Records> queue;
    Totals written;
};

struct Line {
    Queue<std::string> stored;  // files that the reader has stored
    Writer writers[2];
    Totals received;
};

struct Load {
    std::size_t packets;
    std::size_t records;
    long receive;  // rounds of work on a record
    long convert;
    long format;
};

// A function of its own, so that a profile names it.
[[gnu::noinline]] Records receive(std::uint64_t& state, Load load) {
    Records records(load.records);
    for (Record& record : records) {
        state = work(state, load.receive);
        record = {state >> 20, state & 0xfff};
    }
    return records;
}

void read_packets(Line& line, std::string const& stem, Load load) {
    std::uint64_t state = 0;
    for (std::size_t packet = 0; packet < load.packets; ++packet) {
        Records const records = receive(state, load);
        for (Record const& record : records)
            line.received.add(record);
        std::string const path = stem + ".packet" + std::to_string(packet);
        File file(path, O_CREAT | O_EXCL | O_WRONLY);
        file.write_all(records.data(), records.size() * sizeof(Record));
        file.synchronise();
        line.stored.put(path);
    }
    line.stored.close();
}

Records load_packet(std::string const& path, std::size_t count) {
    Records records(count);
    File file(path, O_RDONLY);
    auto* const bytes = reinterpret_cast<char*>(records.data());
    std::size_t const size = count * sizeof(Record);
    for (std::size_t done = 0; done < size;) {
        std::size_t const got = file.read_some(bytes + done, size - done);
        if (got == 0)
            stop("find the rest of", path);
        done += got;
    }
    return records;
}

// Sorts the records, and works on each. A function of its own, so that a profile names it.
[[gnu::noinline]] void convert(Records& records, long rounds) {
    std::ranges::sort(records, {}, &Record::subscriber);
    for (Record& record : records) {
        std::uint64_t const sum = rounds > 0 ? work(record.subscriber, rounds) : 0;
        asm volatile("" : "+r"(record.seconds) : "r"(sum));
    }
}

void sort_packets(Line& line, Load load) {
    while (std::optional<std::string> const path = line.stored.take()) {
        Records records = load_packet(*path, load.records);
        convert(records, load.convert);
        auto const middle = records.begin() + static_cast<std::ptrdiff_t>(records.size() / 2);
        line.writers[0].queue.put(Records(records.begin(), middle));
        line.writers[1].queue.put(Records(middle, records.end()));
    }
    for (Writer& writer : line.writers)
        writer.queue.close();
}

[[gnu::noinline]] std::string format(Records const& records, long rounds) {
    std::string text;
    for (Record const& record : records) {
        std::uint64_t const sum = rounds > 0 ? work(record.subscriber, rounds) : 0;
        asm volatile("" : : "r"(sum));
        text += std::to_string(record.subscriber) + ' ' + std::to_string(record.seconds) + '\n';
    }
    return text;
}

void write_packets(Writer& writer, std::string const& path, Load load) {
    File file(path, O_CREAT | O_EXCL | O_WRONLY);
    while (std::optional<Records> const records = writer.queue.take()) {
        std::string const text = format(*records, load.format);
        for (Record const& record : *records)
            writer.written.add(record);
        file.write_all(text.data(), text.size());
    }
}

bool nothing_is_lost(Line const& line) {
    return line.received.records == line.writers[0].written.records + line.writers[1].written.records &&
           line.received.seconds == line.writers[0].written.seconds + line.writers[1].written.seconds;
}

std::string make_folder() {
    std::string folder = (std::filesystem::temp_directory_path() / "gateway.XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr)
        stop("make", folder);
    return folder;
}

}  // namespace

int main(int argc, char** argv) {
    Argument arguments[] = {
        {"lines", "lines of a reader, a sorter and two writers", 2, 1, 256},
        {"packets", "packets that a reader receives", 3, 1, 10000},
        {"records", "records of a packet", 80000, 2, 10000000},
        {"receive", "rounds of work to receive a record", 40, 0, 100000},
        {"convert", "rounds of work to convert a record", 100, 0, 100000},
        {"format", "rounds of work to format a record", 140, 0, 100000},
    };
    read_arguments(argc, argv, "A gateway of readers, sorters and writers over files.", arguments, 6);
    auto const line_count = static_cast<std::size_t>(arguments[0].value);
    Load const load{static_cast<std::size_t>(arguments[1].value),
                    static_cast<std::size_t>(arguments[2].value), arguments[3].value, arguments[4].value,
                    arguments[5].value};
    std::vector<Line> lines(line_count);
    std::string const folder = make_folder();
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < line_count; ++i) {
            std::string const stem = folder + "/line" + std::to_string(i);
            threads.emplace_back([&line = lines[i], stem, load] { read_packets(line, stem, load); });
            threads.emplace_back([&line = lines[i], load] { sort_packets(line, load); });
            for (std::size_t k = 0; k < 2; ++k) {
                threads.emplace_back([&writer = lines[i].writers[k], path = stem + ".out" + std::to_string(k),
                                      load] { write_packets(writer, path, load); });
            }
        }
    }
    std::filesystem::remove_all(folder);

    bool const is_right = std::ranges::all_of(lines, nothing_is_lost);
    std::printf("gateway of %zu lines, %zu packets each: %s\n", line_count, load.packets,
                is_right ? "every record delivered" : "RECORDS LOST");
    return is_right ? 0 : 1;
}
