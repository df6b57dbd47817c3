// Paths of files as recordings have them: text, not looked up in this machine's file system.

#pragma once

#include <string>

namespace parcast {

// What is behind the last slash, all of it if there is none: "pigz" of "/bin/pigz".
std::string file_name(std::string const& path);

}  // namespace parcast
