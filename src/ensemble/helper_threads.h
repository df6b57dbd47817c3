// Threads that share a work. The module of a page has none of them (web/module/one_thread.cpp).

#pragma once

#include <cstddef>
#include <functional>

namespace parcast::ensemble {

std::size_t cpus_of_host();

// Calls `work` in as many threads at once, this one among them. REQUIRES: threads >= 1.
void in_threads(std::size_t threads, std::function<void()> const& work);

}  // namespace parcast::ensemble
