// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "backend/backend.h"
#include "base/options.h"
#include "base/world.h"
#include "comm/socket.h"
#include "plugin/cuda_plugin.h"

namespace dlperf::worker {

// What a started process does; its result is its exit code.
using DeviceMain = std::function<int(const World& world, const Options& options, FileDescriptor listener)>;

// Forks one process a device of this node and waits for them; call it before starting a thread. Hands on
// SIGTERM, SIGINT and SIGHUP. The first process that fails ends the others. Returns the first failure's exit
// code, or 128 + signal; in a started process what `deviceMain` returned. With several nodes MASTER_ADDR must
// be in the environment. Throws Failure.
int launch(const Options& options, const DeviceMain& deviceMain);

// Trains as one rank of the world, or measures what the options say instead, and logs to standard output if
// it is rank 0. `listener` is the socket of the rendezvous where the launcher has opened it already, else
// empty. Throws Failure.
void work(const Options& options, const World& world, FileDescriptor listener);

// Auto: CUDA where the plug-in for it and a GPU are found, else the CPU, for which this is null. Throws
// Failure(Backend) where this build or machine cannot.
const CudaPlugin* gpuBackend(BackendKind kind);

// Throws Failure(Backend) where makeBackend() would for want of a GPU, its plug-in or the precision. Before
// processes meet: each says it by itself then, and none waits for another.
void checkBackend(BackendKind kind, Precision precision);

// Throws Failure(Backend) where no GPU, its device counted as Problem's, can decode images: for --decode gpu,
// and for the same reason before processes meet.
void checkDecoding(BackendKind kind, int device);

// The same one, ready to train. Throws Failure(Backend) as well, Failure(Memory) where the problem does not
// fit.
std::unique_ptr<Backend> makeBackend(BackendKind kind, const Problem& problem);

// The backend's own trainer, or else one that steps through its functions, reducing on the host. Both objects
// outlive it. Throws Failure.
std::unique_ptr<Trainer> makeTrainer(Backend& backend, const TrainerSetup& setup);

// programVersion(), and one line for each library that this build has or has not.
std::string buildFacts();

}  // namespace dlperf::worker
