// What the C library asks the host of a WebAssembly module for, answered here, so that the module imports
// nothing. Written to by `abort` with a message only; the answer is "no such thing" (ENOSYS of WASI).

#include <stdint.h>

static int32_t const enosys = 52;

int32_t __imported_wasi_snapshot_preview1_fd_write(int32_t file, int32_t vectors, int32_t count,
                                                   int32_t written) {
    (void)file, (void)vectors, (void)count, (void)written;
    return enosys;
}
int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t file) {
    (void)file;
    return enosys;
}
int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t file, int64_t offset, int32_t from,
                                                  int32_t position) {
    (void)file, (void)offset, (void)from, (void)position;
    return enosys;
}
