// Sending and receiving, connecting and accepting.

#include <sys/socket.h>
#include <time.h>

#include "recorder/recorded_call.h"

namespace parcast::recorder {
namespace {

using ReceiveChecked = ssize_t(int, void*, size_t, size_t, int);
using ReceiveFromChecked = ssize_t(int, void*, size_t, size_t, int, sockaddr*, socklen_t*);

PARCAST_REAL Real<decltype(::recv)> real_recv{"recv"};
PARCAST_REAL Real<decltype(::recvfrom)> real_recvfrom{"recvfrom"};
PARCAST_REAL Real<decltype(::recvmsg)> real_recvmsg{"recvmsg"};
PARCAST_REAL Real<decltype(::recvmmsg)> real_recvmmsg{"recvmmsg"};
PARCAST_REAL Real<ReceiveChecked> real_recv_chk{"__recv_chk"};
PARCAST_REAL Real<ReceiveFromChecked> real_recvfrom_chk{"__recvfrom_chk"};
PARCAST_REAL Real<decltype(::send)> real_send{"send"};
PARCAST_REAL Real<decltype(::sendto)> real_sendto{"sendto"};
PARCAST_REAL Real<decltype(::sendmsg)> real_sendmsg{"sendmsg"};
PARCAST_REAL Real<decltype(::sendmmsg)> real_sendmmsg{"sendmmsg"};
PARCAST_REAL Real<decltype(::accept)> real_accept{"accept"};
PARCAST_REAL Real<decltype(::accept4)> real_accept4{"accept4"};
PARCAST_REAL Real<decltype(::connect)> real_connect{"connect"};

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK ssize_t recv(int socket, void* buffer, size_t size, int flags) {
    return input(real_recv, socket, buffer, size, flags);
}
PARCAST_HOOK ssize_t __recv_chk(int socket, void* buffer, size_t size, size_t room, int flags) {
    return input(real_recv_chk, socket, buffer, size, room, flags);
}
PARCAST_HOOK ssize_t recvfrom(int socket, void* __restrict buffer, size_t size, int flags, sockaddr* from,
                              socklen_t* __restrict length) {
    return input(real_recvfrom, socket, buffer, size, flags, from, length);
}
PARCAST_HOOK ssize_t __recvfrom_chk(int socket, void* buffer, size_t size, size_t room, int flags,
                                    sockaddr* from, socklen_t* length) {
    return input(real_recvfrom_chk, socket, buffer, size, room, flags, from, length);
}
PARCAST_HOOK ssize_t recvmsg(int socket, msghdr* message, int flags) {
    return input(real_recvmsg, socket, message, flags);
}
PARCAST_HOOK int recvmmsg(int socket, mmsghdr* messages, unsigned count, int flags, timespec* timeout) {
    return input(real_recvmmsg, socket, messages, count, flags, timeout);
}

PARCAST_HOOK ssize_t send(int socket, void const* buffer, size_t size, int flags) {
    return output(real_send, socket, buffer, size, flags);
}
PARCAST_HOOK ssize_t sendto(int socket, void const* buffer, size_t size, int flags, sockaddr const* to,
                            socklen_t length) {
    return output(real_sendto, socket, buffer, size, flags, to, length);
}
PARCAST_HOOK ssize_t sendmsg(int socket, msghdr const* message, int flags) {
    return output(real_sendmsg, socket, message, flags);
}
PARCAST_HOOK int sendmmsg(int socket, mmsghdr* messages, unsigned count, int flags) {
    return output(real_sendmmsg, socket, messages, count, flags);
}

// A connection accepted is something that came in, one that is made goes out.
PARCAST_HOOK int accept(int socket, sockaddr* __restrict from, socklen_t* __restrict length) {
    return input(real_accept, socket, from, length);
}
PARCAST_HOOK int accept4(int socket, sockaddr* __restrict from, socklen_t* __restrict length, int flags) {
    return input(real_accept4, socket, from, length, flags);
}
PARCAST_HOOK int connect(int socket, sockaddr const* to, socklen_t length) {
    return output(real_connect, socket, to, length);
}
