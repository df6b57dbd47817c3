#include "core/path.h"

namespace parcast {

std::string file_name(std::string const& path) {
    return path.substr(path.rfind('/') + 1);  // npos + 1 is 0: the whole path
}

}  // namespace parcast
