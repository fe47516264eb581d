// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "backend/backend.h"
#include "base/options.h"
#include "base/world.h"
#include "comm/rendezvous.h"
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

// What training is without computing: all-reduces of rising sizes over the connections that gradients take,
// from GPU to GPU where each process has one of its own, else on the hosts. There, of three processes or
// more, it then measures how long each waits for the one before while all pass on to the next one. Rank 0
// logs how long each takes. Slow links end it early, so that it is over within 40 s on one of 100 Mbit/s.
// Throws Failure; Failure(Usage) in a world of one.
void measureLinks(const Options& options, const World& world, Rendezvous& rendezvous);

// Reads the files below options.data, each once, in an order that depends on the seed alone, by
// options.workers threads (or one), for options.seconds at most, and logs how fast that was; then, where they
// are images of classes, half as long how many of these are decoded and cropped in a second. Before a file is
// read the page cache is asked to drop it; of how many files it still had a part, or would not say, is logged
// as well. One process alone. Throws Failure(Data) where there is no folder, or no file that can be read.
void measureData(const Options& options, const World& world);

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
