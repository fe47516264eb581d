// SPDX-License-Identifier: Apache-2.0
// Errors are values: what went wrong, where, and what the user can do about it.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace dlperf {

enum class ErrorKind {
    Input,      // a file, an option or a name is wrong: exit code 2
    Work,       // the work failed or a check did not hold: exit code 1
    Transient,  // may go away by itself (a lost connection): retry
};

struct Error {
    std::string what;    // one sentence without a full stop: "the plan has no recipes"
    std::string where;   // file, node, option or line; may be empty
    std::string remedy;  // what to do, an imperative sentence; may be empty
    ErrorKind kind = ErrorKind::Input;
    std::string details{};  // in the words of the system or of a parser: "Permission denied"; may be empty
};

template <class T>
using Result = tl::expected<T, Error>;

using Failure = tl::unexpected<Error>;

// The value of a result, for a function that returns one itself: where there is none, it returns the error.
// auto plan = TRY(readPlan(file));   TRY(writePlan(file, plan));
#define TRY(...)                                                 \
    ({                                                           \
        auto tried_ = (__VA_ARGS__);                             \
        if (!tried_) {                                           \
            return ::dlperf::Failure(std::move(tried_).error()); \
        }                                                        \
        ::dlperf::valueOf(std::move(tried_));                    \
    })

template <class T>
T valueOf(Result<T>&& result) {
    if constexpr (!std::is_void_v<T>) {
        return *std::move(result);
    }
}

// The first in the order of the results, whichever failed first.
template <class T>
[[nodiscard]] Result<void> firstFailure(const std::vector<Result<T>>& results) {
    for (const Result<T>& result : results) {
        if (!result) {
            return Failure(result.error());
        }
    }
    return {};
}

// return fail("the plan has no recipes", path, "Name at least one recipe under \"recipes\".");
[[nodiscard]] Failure fail(std::string what, std::string where = {}, std::string remedy = {},
                           ErrorKind kind = ErrorKind::Input);

// The same in the words of the system or of a parser: failBecause(std::strerror(errno), "cannot be read",
// path)
[[nodiscard]] Failure failBecause(std::string details, std::string what, std::string where = {},
                                  std::string remedy = {}, ErrorKind kind = ErrorKind::Input);

// "what: details", of an error whose place is known already.
[[nodiscard]] std::string reasonOf(const Error& error);

// "where: what: details. remedy", for a terminal.
[[nodiscard]] std::string describe(const Error& error);

// The exit code a program ends with: 2 for wrong usage or unreadable input, else 1.
[[nodiscard]] int exitCode(const Error& error);

}  // namespace dlperf
