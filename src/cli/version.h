// The version of this program, as in `parcast --version`, in JSON and in the provenance of recordings.

#pragma once

namespace parcast::cli {

inline constexpr char const* version = PARCAST_VERSION;  // from project() in CMakeLists.txt

}  // namespace parcast::cli
