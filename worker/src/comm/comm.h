// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/options.h"
#include "base/world.h"
#include "comm/rendezvous.h"
#include "comm/tcp_store.h"

namespace dlperf::worker {

// Collectives among the processes of a world. All ranks call the same operations in the same order, each from
// one thread at a time.
class Comm {
public:
    virtual ~Comm() = default;
    virtual std::string name() const = 0;
    virtual int size() const = 0;
    // Replaces the values by their sum over all ranks; the same bits on every rank and in every run. Throws
    // Failure(Communication) where a peer is lost or does not answer in time.
    virtual void allReduceSum(std::span<float> values) = 0;
    // Sends `sent` to the next rank while as many values come from the one before, as all ranks do at once.
    // Returns the seconds until they had come.
    virtual double passOn(std::span<float> sent, std::span<float> received) = 0;
};

// A world of one.
class NullComm final : public Comm {
public:
    std::string name() const override { return "none"; }
    int size() const override { return 1; }
    void allReduceSum(std::span<float>) override {}
    double passOn(std::span<float>, std::span<float>) override { return 0; }
};

// This machine's numeric address that the other ranks reach. On rank 0's node the name of rank 0 may lead to
// the loopback; then it is the one that leads to a rank elsewhere. All ranks call it. Throws
// Failure(Rendezvous).
std::string addressForOthers(const World& world, TcpStoreClient& store, Deadline deadline);

// Connects every process with every other over TCP, by way of the store and over the network interface, or
// where none is named the one that leads to rank 0. Throws Failure(Rendezvous).
std::unique_ptr<Comm> connectGloo(const World& world, const std::string& interface, int timeoutSeconds,
                                  TcpStoreClient& store);

// Connects the processes of a world that have met, to reduce on the host. Throws Failure.
std::unique_ptr<Comm> connectComm(const World& world, const Options& options, Rendezvous& rendezvous);

}  // namespace dlperf::worker
