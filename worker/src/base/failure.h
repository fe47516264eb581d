// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace dlperf::worker {

// How the program ends. The numbers are part of its contract: a runner can tell causes apart by them. 128 + n
// means ended by signal n, as in a shell.
enum class ExitCode : int {
    Ok = 0,
    Internal = 1,       // a defect, or an error that a library did not explain
    Usage = 2,          // bad options or environment
    Rendezvous = 3,     // the processes did not find each other
    Data = 4,           // a folder or an image cannot be used
    Memory = 5,         // the model and batch do not fit
    Communication = 6,  // a peer was lost or stalled during training
    Backend = 7,        // this build or this machine cannot compute what was asked
    Output = 8,         // the log could not be written
};

// Every error ends the program with one sentence and a code, so failures are exceptions that main catches.
class Failure : public std::runtime_error {
public:
    Failure(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    ExitCode code() const { return code_; }

private:
    ExitCode code_;
};

}  // namespace dlperf::worker
