// Whether a request of the recorder to the system fails though the system would grant it. In the shipped
// recorder none does, and nothing is compiled for the question. tests/recorder builds one in which the n-th
// request fails, to show that the host never notices.

#pragma once

namespace parcast::recorder {

enum class Request { memory, file, clock, function };

#ifdef PARCAST_FAULTS
bool request_fails(Request request);  // tests/recorder/faults.cpp
#else
constexpr bool request_fails(Request) {
    return false;
}
#endif

}  // namespace parcast::recorder
