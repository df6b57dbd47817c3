#include "trace/symbols/symbolize.h"

#include <gtest/gtest.h>
#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <thread>

#include "trace/symbols/module_symbols.h"
#include "trace/symbols/thread_callable.h"

// Symbols of this test program stand for those of a recorded one.
pthread_mutex_t symbolize_test_mutex;
struct {
    long before;
    pthread_mutex_t mutex;
} symbolize_test_pool;

namespace parcast::trace {
namespace {

[[gnu::noinline]] std::uint64_t caller() {
    return reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
}
[[gnu::always_inline]] inline std::uint64_t inlined_call() {
    std::uint64_t const address = caller();
    asm volatile("" ::: "memory");  // no tail call
    return address;
}
[[gnu::noinline]] std::uint64_t outer_call() {
    return inlined_call() + 0;
}

void* worker(void* argument) {
    return argument;
}

template <class T>
std::uint64_t address_of(T* thing) {
    return reinterpret_cast<std::uint64_t>(thing);
}

Timeline of_this_process() {
    Timeline timeline;
    timeline.catalogue.threads.resize(1);
    auto const add = [](dl_phdr_info* info, std::size_t, void* to) {
        std::string path = info->dlpi_name;
        if (path.empty())
            path = std::filesystem::read_symlink("/proc/self/exe");
        static_cast<Timeline*>(to)->provenance.modules.push_back({path, "", info->dlpi_addr});
        return 0;
    };
    dl_iterate_phdr(add, &timeline);
    return timeline;
}

TEST(Symbolize, AReturnAddressGetsItsLineAndTheFunctionsItWasInlinedInto) {
    Timeline timeline = of_this_process();
    timeline.catalogue.sites = {{outer_call(), 0, "", {}}};
    symbolize(timeline);
    Site const& site = timeline.catalogue.sites[0];
    EXPECT_NE(site.module.find("trace_test"), std::string::npos) << site.module;
    EXPECT_EQ(site.module_offset, site.address - timeline.provenance.modules[0].load_bias);
    ASSERT_EQ(site.frames.size(), 2u);
    EXPECT_EQ(site.frames[0].function, "inlined_call") << "local functions that are inlined have no symbol";
    EXPECT_EQ(site.frames[1].function, "parcast::trace::(anonymous namespace)::outer_call()");
    for (Frame const& frame : site.frames) {
        EXPECT_TRUE(frame.file.ends_with("symbolize_test.cpp")) << frame.file;
        EXPECT_TRUE(frame.file.starts_with("/")) << "relative to a build folder: " << frame.file;
    }
    EXPECT_LT(site.frames[0].line, site.frames[1].line);
}

TEST(Symbolize, GlobalObjectsGetTheNameOfTheirSymbol) {
    Timeline timeline = of_this_process();
    timeline.catalogue.objects.resize(3);
    timeline.catalogue.objects[0].address = address_of(&symbolize_test_mutex);
    timeline.catalogue.objects[1].address = address_of(&symbolize_test_pool.mutex);
    int local = 0;
    timeline.catalogue.objects[2].address = address_of(&local);
    symbolize(timeline);
    EXPECT_EQ(timeline.catalogue.objects[0].name, "symbolize_test_mutex");
    EXPECT_EQ(timeline.catalogue.objects[1].name, "symbolize_test_pool+8");
    EXPECT_EQ(timeline.catalogue.objects[2].name, "");
}

TEST(Symbolize, AThreadIsNamedAfterItsStartRoutineAndTheFirstOneIsMain) {
    Timeline timeline = of_this_process();
    timeline.catalogue.threads.resize(2);
    timeline.catalogue.sites = {{address_of(&worker), 0, "", {}}};
    timeline.catalogue.threads[1].start_site = SiteId(std::size_t{0});
    symbolize(timeline);
    EXPECT_EQ(timeline.catalogue.threads[0].function, "main");
    EXPECT_EQ(timeline.catalogue.threads[1].function, "parcast::trace::(anonymous namespace)::worker(void*)");
    EXPECT_TRUE(timeline.catalogue.sites[0].frames.at(0).file.ends_with("symbolize_test.cpp"));
}

// Each look-up walked over the whole table: 4 s for a recording of a thousand events with libLLVM.
TEST(ModuleSymbols, AnAddressHasTheSymbolThatCoversIt) {
    ModuleSymbols const symbols(of_this_process().provenance.modules);
    std::uint64_t const begin = address_of(&worker);
    auto const function = symbols.symbol_at(begin);
    ASSERT_TRUE(function.has_value());
    EXPECT_EQ(demangle(function->name), "parcast::trace::(anonymous namespace)::worker(void*)");
    EXPECT_EQ(function->address, begin);
    ASSERT_GT(function->size, 1u);
    EXPECT_EQ(symbols.symbol_at(begin + function->size - 1)->name, function->name);
    auto const next = symbols.symbol_at(begin + function->size);
    EXPECT_TRUE(!next || next->name != function->name);
    std::uint64_t const object = address_of(&symbolize_test_pool);
    EXPECT_EQ(symbols.symbol_at(object + sizeof symbolize_test_pool - 1)->name, "symbolize_test_pool");
    EXPECT_FALSE(symbols.symbol_at(1).has_value());
}

TEST(ModuleSymbols, TheSymbolsOfALibraryAreThoseThatItsLoaderFinds) {
    ModuleSymbols const symbols(of_this_process().provenance.modules);
    for (auto* const function : {&pthread_mutex_lock, &pthread_mutex_unlock, &pthread_mutex_trylock}) {
        auto const found = symbols.symbol_at(address_of(function));
        ASSERT_TRUE(found.has_value());
        EXPECT_EQ(found->address, address_of(function));
        EXPECT_NE(found->name.find("pthread_mutex_"), std::string::npos) << found->name;
    }
}

[[gnu::always_inline]] inline int inlined_beginning(int volatile& value) {
    value = value + 1;
    return value;
}
[[gnu::noinline, gnu::used]] void* begins_with_inlined_code(void*) {
    static int volatile calls = 0;
    return inlined_beginning(calls) == 0 ? nullptr : const_cast<int*>(&calls);
}

TEST(Symbolize, AStartRoutineIsNotNamedAfterTheInlinedCodeThatItBeginsWith) {
    Timeline timeline = of_this_process();
    timeline.catalogue.threads.resize(2);
    timeline.catalogue.sites = {{address_of(&begins_with_inlined_code), 0, "", {}}};
    timeline.catalogue.threads[1].start_site = SiteId(std::size_t{0});
    symbolize(timeline);
    EXPECT_EQ(timeline.catalogue.threads[1].function,
              "parcast::trace::(anonymous namespace)::begins_with_inlined_code(void*)");
    EXPECT_EQ(timeline.catalogue.sites[0].frames.size(), 1u);
}

// What the recorder finds in a std::thread's state: a pointer into its vtable.
std::uint64_t vtable_of_state_with(Timeline const& timeline, std::string const& part) {
    ModuleSymbols const symbols(timeline.provenance.modules);
    auto const found = symbols.find_symbol(address_of(&worker), [&](Symbol const& symbol) {
        std::string const name = demangle(symbol.name);
        return name.starts_with("vtable for std::thread::_State_impl<") && name.find(part) != name.npos;
    });
    return found ? found->address + 16 : 0;
}

TEST(Symbolize, AStdThreadIsNamedAfterItsCallable) {
    int result = 0;
    std::thread([&result] { result = 7; }).join();
    std::thread(worker, nullptr).join();
    Timeline timeline = of_this_process();
    timeline.catalogue.threads.resize(3);
    std::uint64_t const lambda = vtable_of_state_with(timeline, "lambda()#1");
    std::uint64_t const pointer = vtable_of_state_with(timeline, "(*)(void*)");
    ASSERT_NE(lambda, 0u);
    ASSERT_NE(pointer, 0u);
    timeline.catalogue.threads[1].start_words = {lambda, 0, 1, 2};
    timeline.catalogue.threads[2].start_words = {pointer, 0, address_of(&worker), 0};
    symbolize(timeline);
    std::string const name = timeline.catalogue.threads[1].function;
    EXPECT_TRUE(name.starts_with("lambda in ")) << name;
    EXPECT_NE(name.find(" (symbolize_test.cpp:"), name.npos) << name;
    EXPECT_EQ(timeline.catalogue.threads[2].function, "parcast::trace::(anonymous namespace)::worker(void*)");
    EXPECT_TRUE(timeline.catalogue.threads[1].start_words.empty());
    EXPECT_EQ(result, 7);
}

// std::lock_guard is inlined: its call of our lock() lies in <bits/std_mutex.h>.
struct Lockable {
    std::uint64_t place = 0;
    [[gnu::noinline]] void lock() {
        place = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
        asm volatile("" ::: "memory");
    }
    void unlock() {}
};
[[gnu::noinline]] std::uint64_t locking_function() {
    Lockable lockable;
    std::lock_guard<Lockable> const guard(lockable);
    return lockable.place;
}

TEST(Symbolize, APlaceIsTheProgramsOwnWhereTheLibrarysHeadersAreInlined) {
#ifndef __OPTIMIZE__
    GTEST_SKIP() << "nothing is inlined in this build";
#endif
    Timeline timeline = of_this_process();
    std::uint64_t const place = locking_function();
    timeline.catalogue.sites = {{place, 0, "", {}}};
    symbolize(timeline);
    auto const& frames = timeline.catalogue.sites[0].frames;
    ASSERT_FALSE(frames.empty());
    // The guard's constructor is inlined from -O1 on.
    EXPECT_TRUE(is_library_header(
        ModuleSymbols(timeline.provenance.modules).place_of(place - 1).value_or(Place{}).file));
    EXPECT_EQ(frames[0].function, "parcast::trace::(anonymous namespace)::locking_function()");
}

// The names of Rust are those of rust-lang.org/rfcs/2603 and of a program of 2021.
TEST(Symbolize, NamesOfCppAndRustAreDemangled) {
    EXPECT_EQ(demangle("_Z6workeri"), "worker(int)");
    EXPECT_EQ(demangle("_ZN4pool6Worker3run17h0123456789abcdefE"), "pool::Worker::run");
    EXPECT_EQ(demangle("_ZN32_$LT$T$u20$as$u20$pool..Task$GT$3run17h0123456789abcdefE"),
              "<T as pool::Task>::run");
    EXPECT_EQ(demangle("_RNvNtCs1234_7mycrate3foo3bar"), "mycrate::foo::bar");
    EXPECT_EQ(demangle("_Zeal"), "_Zeal") << "a name of C that begins so";
    EXPECT_EQ(demangle("main.worker"), "main.worker") << "of Go";
    EXPECT_EQ(demangle("m"), "m") << "as a type it would be unsigned long";
    EXPECT_TRUE(is_library_header("/usr/include/x86_64-linux-gnu/c++/12/bits/gthr-default.h"));
    EXPECT_TRUE(is_library_header("/opt/gcc/include/c++/13/bits/std_mutex.h"));
    EXPECT_TRUE(is_library_header("/usr/lib/gcc/x86_64-linux-gnu/12/include/xmmintrin.h"));
    EXPECT_FALSE(is_library_header("/home/user/project/include/queue.h"));
}

TEST(Symbolize, ModulesGetTheirBuildIds) {
    Timeline timeline = of_this_process();
    symbolize(timeline);
    bool const any = std::any_of(timeline.provenance.modules.begin(), timeline.provenance.modules.end(),
                                 [](Module const& module) { return module.build_id.size() == 40; });
    EXPECT_TRUE(any) << "Debian's libraries have build-ids";
}

TEST(Symbolize, WhatIsUnknownStaysEmpty) {
    Timeline timeline;
    timeline.catalogue.threads.resize(2);
    timeline.catalogue.threads[1].start_words = {1, 2, 3, 4};
    timeline.catalogue.sites = {{0, 0, "", {}}, {0x1234, 0, "", {}}, {~0ull, 0, "", {}}};
    timeline.provenance.modules = {{"/nowhere/at/all", "", 0x1000}, {"", "", ~0ull}};
    symbolize(timeline);
    for (Site const& site : timeline.catalogue.sites) {
        EXPECT_TRUE(site.frames.empty());
        EXPECT_TRUE(site.module.empty());
    }
    EXPECT_TRUE(timeline.catalogue.threads[1].function.empty());
}

TEST(ThreadCallable, TheTypeComesOutOfTheVtablesName) {
    struct Case {
        char const* vtable;
        char const* type;
        char const* because;
    };
    Case const cases[] = {
        {"vtable for std::thread::_State_impl<std::thread::_Invoker<std::tuple<void (*)(int, double), int, "
         "double> > >",
         "void (*)(int, double)", "commas inside brackets do not end it"},
        {"vtable for std::thread::_State_impl<std::thread::_Invoker<std::tuple<main::{lambda(int, int)#1}> > "
         ">",
         "main::{lambda(int, int)#1}", "the only argument"},
        {"vtable for std::thread::_State_impl<std::thread::_Invoker<std::tuple<Filter<int, 3>, long> > >",
         "Filter<int, 3>", "a template"},
    };
    for (Case const& item : cases)
        EXPECT_EQ(callable_type(item.vtable), item.type) << item.because;
    EXPECT_FALSE(callable_type("vtable for std::exception"));
    EXPECT_EQ(lambda_name("run(int)::{lambda()#2}"), "lambda in run(int)");
    EXPECT_FALSE(lambda_name("Filter"));
}

}  // namespace
}  // namespace parcast::trace
