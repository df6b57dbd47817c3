#include "core/function_name.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

TEST(ShortFunctionName, HasNeitherParametersNorTemplateArguments) {
    EXPECT_EQ(short_function_name("solve"), "solve");
    EXPECT_EQ(short_function_name("pool::Worker::run(int) const"), "pool::Worker::run");
    EXPECT_EQ(short_function_name("void apply<std::vector<int> >(std::vector<int>&)"), "apply");
}

TEST(ShortFunctionName, SymbolsAndDebugInformationAgree) {
    EXPECT_EQ(
        short_function_name("(anonymous namespace)::sort(std::span<unsigned int, 184ul>, unsigned long)"),
        "sort");
    EXPECT_EQ(short_function_name("in_parallel<(anonymous namespace)::run(int)::<lambda(int)> >"),
              "in_parallel");
}

TEST(ShortFunctionName, LambdasKeepWhereTheyAre) {
    EXPECT_EQ(short_function_name("lambda in (anonymous namespace)::run((anonymous namespace)::Job const&) "
                                  "(pool.cpp:12)"),
              "lambda in run (pool.cpp:12)");
    EXPECT_EQ(short_function_name("lambda in main"), "lambda in main");
}

// They were called as the function, so that less work of theirs was less of its own.
TEST(ShortFunctionName, ThreadsOfAFunctionAreNotTheFunction) {
    EXPECT_EQ(short_function_name("threads of launch(int)"), "threads of launch");
    EXPECT_NE(short_function_name("threads of launch"), short_function_name("launch"));
}

TEST(ShortFunctionName, OperatorsAreNamedByTheirSymbol) {
    EXPECT_EQ(short_function_name("Queue<int>::operator()(int)"), "Queue::operator()");
    EXPECT_EQ(short_function_name("void (anonymous namespace)::Pool<long>::operator()<int>(int) const"),
              "Pool::operator()");
    EXPECT_EQ(short_function_name("bool std::operator< <char, std::less<char> >(char const*, char*)"),
              "std::operator<");
    EXPECT_EQ(short_function_name("std::operator<<(std::ostream&, char)"), "std::operator<<");
    EXPECT_EQ(short_function_name("Row::operator bool() const"), "Row::operator bool");
    EXPECT_EQ(short_function_name("operator new[](unsigned long)"), "operator new[]");
    EXPECT_EQ(short_function_name("sort<Less<int>::operator()(int, int)>(int)"), "sort");
    EXPECT_EQ(short_function_name("operators_of(int)"), "operators_of");
    EXPECT_EQ(short_function_name("lambda in Queue<int>::operator()(int) (queue.h:7)"),
              "lambda in Queue::operator() (queue.h:7)");
}

TEST(ShortFunctionName, WhatHasNoNameStaysAsItIs) {
    EXPECT_EQ(short_function_name("libc.so.6+0x1234"), "libc.so.6+0x1234");
    EXPECT_EQ(short_function_name("run()::{lambda(int)#1}::operator()(int) const"),
              "run()::{lambda(int)#1}::operator()(int) const");
    EXPECT_EQ(short_function_name(""), "");
    EXPECT_EQ(short_function_name("(anonymous namespace)::"), "(anonymous namespace)::");
}

}  // namespace
}  // namespace parcast
