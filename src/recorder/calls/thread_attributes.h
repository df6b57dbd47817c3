// The processors that an attribute object of pthread_create names, or those of pthread_setattr_default_np.
// They stay in the object, as the host put them there; libc gets it without them, so that the new thread does
// not leave the CPU of the recording. The thread keeps them (kept_scheduling.h) and begins with a
// set_affinity.

#pragma once

#include <pthread.h>
#include <sched.h>

namespace parcast::recorder {

// What a thread is created with. Nothing is allocated but for attributes with a signal mask.
class CreationAttributes {
public:
    // nullptr: those that a thread gets without any.
    explicit CreationAttributes(pthread_attr_t const* given);
    CreationAttributes(CreationAttributes const&) = delete;
    CreationAttributes& operator=(CreationAttributes const&) = delete;
    ~CreationAttributes();

    // For libc.
    pthread_attr_t const* attributes() const { return attributes_; }
    // nullptr: it inherits those of its creator.
    cpu_set_t const* mask() const { return has_mask_ ? &mask_ : nullptr; }

private:
    void take_mask(pthread_attr_t const* given);
    void copy_without_mask(pthread_attr_t const* given);

    pthread_attr_t const* attributes_;
    pthread_attr_t copy_;
    cpu_set_t mask_;
    bool has_mask_ = false;
    bool is_copied_ = false;
};

}  // namespace parcast::recorder
