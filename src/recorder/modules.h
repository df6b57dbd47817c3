// Which files the host's code comes from, so that a call site can be named later.
//
// The list is read at the start, and again when a call site lies in no known module (dlopen is not
// hooked). Cost of a look-up: linear in the modules, once for each newly seen call site.

#pragma once

namespace parcast::recorder {

// Appends the modules that are not in the recording yet.
void record_new_modules();

// Called with each newly defined site.
void expect_module_of(void const* site);

// In the child of a fork: its file has none yet.
void forget_modules();

}  // namespace parcast::recorder
