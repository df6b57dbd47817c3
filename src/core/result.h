// A value or an Error. Has the surface of std::expected, which C++20 lacks.

#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

#include "core/error.h"

namespace parcast {

template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
public:
    using tl::expected<T, Error>::expected;
};

// `return fail(ErrorCode::truncated, "the trace ends inside block 3");`
inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
    return tl::unexpected<Error>(Error{code, std::move(message), std::nullopt});
}

inline tl::unexpected<Error> fail(ErrorCode code, std::string message, SourcePosition place) {
    return tl::unexpected<Error>(Error{code, std::move(message), std::move(place)});
}

inline tl::unexpected<Error> fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

// Hands an error of one result on as the error of another, with its place: `return pass_on(header);`
template <class T>
tl::unexpected<Error> pass_on(tl::expected<T, Error>& failed) {
    return tl::unexpected<Error>(std::move(failed.error()));
}
template <class T>
tl::unexpected<Error> pass_on(tl::expected<T, Error> const& failed) {
    return tl::unexpected<Error>(failed.error());
}

// The same with words before the message: `return pass_on(value, "--per: ");`
template <class T>
tl::unexpected<Error> pass_on(tl::expected<T, Error> const& failed, std::string const& before) {
    Error error = failed.error();
    error.message = before + error.message;
    return tl::unexpected<Error>(std::move(error));
}

}  // namespace parcast
