// Stands before Boost's own header of this name while a module is built: WebAssembly here has one thread, and no
// mutex to lock (boost/math/special_functions/detail/bernoulli_details.hpp wants one).

#pragma once

namespace boost::detail {

class lightweight_mutex {
public:
    class scoped_lock {
    public:
        explicit scoped_lock(lightweight_mutex&) {}
    };
};

}  // namespace boost::detail
