// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"

#include <utility>

namespace dlperf {

Failure fail(std::string what, std::string where, std::string remedy, ErrorKind kind) {
    return Failure(Error{std::move(what), std::move(where), std::move(remedy), kind});
}

Failure failBecause(std::string details, std::string what, std::string where, std::string remedy,
                    ErrorKind kind) {
    return Failure(Error{std::move(what), std::move(where), std::move(remedy), kind, std::move(details)});
}

std::string reasonOf(const Error& error) {
    return error.details.empty() ? error.what : error.what + ": " + error.details;
}

std::string describe(const Error& error) {
    std::string text = (error.where.empty() ? "" : error.where + ": ") + reasonOf(error);
    if (!error.remedy.empty()) {
        text += ". " + error.remedy;
    }
    return text;
}

int exitCode(const Error& error) {
    return error.kind == ErrorKind::Input ? 2 : 1;
}

}  // namespace dlperf
