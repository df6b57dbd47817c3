// Text without printf, which takes a kilobyte of stack: hooks run on the smallest stacks that threads may
// have.

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace parcast::recorder {

class TextLine {
public:
    TextLine(char* begin, size_t capacity) : begin_(begin), at_(begin), end_(begin + capacity) {}

    TextLine& add(char const* text, size_t length) {
        if (length > static_cast<size_t>(end_ - at_)) {
            is_cut_ = true;
            return *this;
        }
        memcpy(at_, text, length);
        at_ += length;
        return *this;
    }
    TextLine& add(char const* text) { return add(text, strlen(text)); }
    TextLine& add_number(uint64_t value, unsigned base) {
        char digits[20];
        char* first = digits + sizeof digits;
        do
            *--first = "0123456789abcdef"[value % base];
        while ((value /= base) != 0);
        return add(first, static_cast<size_t>(digits + sizeof digits - first));
    }

    size_t length() const { return static_cast<size_t>(at_ - begin_); }
    bool is_whole() const { return !is_cut_; }

private:
    char* begin_;
    char* at_;
    char* end_;
    bool is_cut_ = false;
};

}  // namespace parcast::recorder
