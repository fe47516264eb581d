// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/failure.h"

namespace dlperf::worker {

// The message of the failure that the body ends with, which must be of this code; empty where there is none.
template <typename Body>
std::string failureOf(ExitCode code, const Body& body) {
    try {
        body();
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.code(), code);
        return failure.what();
    }
    return "";
}

}  // namespace dlperf::worker
