// SPDX-License-Identifier: Apache-2.0
#include "comm/comm.h"

#if DLPERF_WITH_GLOO
#include <gloo/allreduce.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/tcp/device.h>
#include <net/if.h>
#endif

#include <chrono>
#include <csignal>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/failure.h"

namespace dlperf::worker {
#if DLPERF_WITH_GLOO
namespace {

// Our table as Gloo wants it.
class StoreAdapter final : public gloo::rendezvous::Store {
public:
    StoreAdapter(TcpStoreClient& client, Deadline deadline) : client_(client), deadline_(deadline) {}

    void set(const std::string& key, const std::vector<char>& data) override {
        client_.set("gloo/" + key, std::string(data.begin(), data.end()), deadline_);
    }
    // All ranks have met before: what ends the waiting is the loss of one, as in training.
    std::vector<char> get(const std::string& key) override {
        try {
            const std::string value = client_.get("gloo/" + key, deadline_);
            return {value.begin(), value.end()};
        } catch (const Failure& failure) {
            throw Failure(ExitCode::Communication, failure.what());
        }
    }
    void wait(const std::vector<std::string>& keys) override {
        for (const std::string& key : keys) {
            get(key);
        }
    }
    void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds&) override { wait(keys); }

private:
    TcpStoreClient& client_;
    Deadline deadline_;
};

class GlooComm final : public Comm {
public:
    GlooComm(std::shared_ptr<gloo::Context> context, int timeoutSeconds)
        : context_(std::move(context)), timeoutSeconds_(timeoutSeconds) {}

    std::string name() const override { return "gloo"; }
    int size() const override { return context_->size; }

    void allReduceSum(std::span<float> values) override {
        gloo::AllreduceOptions options(context_);
        options.setOutput(values.data(), values.size());
        options.setAlgorithm(gloo::AllreduceOptions::Algorithm::RING);
        options.setReduceFunction(
            static_cast<void (*)(void*, const void*, const void*, std::size_t)>(&gloo::sum<float>));
        try {
            gloo::allreduce(options);
        } catch (const gloo::Exception& error) {
            fail(error.what());
        }
    }

    double passOn(std::span<float> sent, std::span<float> received) override {
        const auto start = std::chrono::steady_clock::now();
        const auto out = context_->createUnboundBuffer(sent.data(), sent.size_bytes());
        const auto in = context_->createUnboundBuffer(received.data(), received.size_bytes());
        const auto slot = static_cast<std::uint64_t>(context_->nextSlot());
        double seconds = 0;
        try {
            in->recv((context_->rank + context_->size - 1) % context_->size, slot);
            out->send((context_->rank + 1) % context_->size, slot);
            in->waitRecv(context_->getTimeout());
            seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            out->waitSend(context_->getTimeout());
        } catch (const gloo::Exception& error) {
            fail(error.what());
        }
        return seconds;
    }

private:
    [[noreturn]] void fail(const std::string& reason) const {
        if (reason.find("imed out") != std::string::npos) {
            throw Failure(ExitCode::Communication, "another process did not answer within " +
                                                       std::to_string(timeoutSeconds_) +
                                                       " s (--comm-timeout): " + reason);
        }
        throw Failure(ExitCode::Communication, "lost another process: " + reason);
    }

    std::shared_ptr<gloo::Context> context_;
    int timeoutSeconds_;
};

bool isLoopback(const std::string& address) {
    return address.starts_with("127.") || address == "::1";
}

gloo::transport::tcp::attr attributesOf(const std::string& address, const std::string& interface) {
    gloo::transport::tcp::attr attr;
    if (interface.empty()) {
        attr.hostname = address;
    } else {
        if (if_nametoindex(interface.c_str()) == 0) {
            throw Failure(ExitCode::Rendezvous,
                          "DLPERF_INTERFACE: this machine has no network interface '" + interface + "'");
        }
        attr.iface = interface;
    }
    return attr;
}

}  // namespace

std::string addressForOthers(const World& world, TcpStoreClient& store, Deadline deadline) {
    const auto keyOf = [](int rank) { return "address/" + std::to_string(rank); };
    std::string own = localAddressTowards(world.masterAddress, world.masterPort);
    store.set(keyOf(world.rank), own, deadline);
    for (int rank = 0; isLoopback(own) && rank < world.size; ++rank) {
        const std::string theirs = store.get(keyOf(rank), deadline);
        if (!isLoopback(theirs)) {
            own = localAddressTowards(theirs, world.masterPort);
        }
    }
    return own;
}

std::unique_ptr<Comm> connectGloo(const World& world, const std::string& interface, int timeoutSeconds,
                                  TcpStoreClient& store) {
    const std::chrono::seconds timeout(timeoutSeconds);
    // Gloo writes to sockets without MSG_NOSIGNAL: a peer that is gone would end this process without a word.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        const Deadline deadline = std::chrono::steady_clock::now() + timeout;
        const std::string address = addressForOthers(world, store, deadline);
        auto device = gloo::transport::tcp::CreateDevice(attributesOf(address, interface));
        auto context = std::make_shared<gloo::rendezvous::Context>(world.rank, world.size);
        context->setTimeout(timeout);
        StoreAdapter adapter(store, deadline);
        context->connectFullMesh(adapter, device);
        return std::make_unique<GlooComm>(std::move(context), timeoutSeconds);
    } catch (const gloo::Exception& error) {
        throw Failure(ExitCode::Rendezvous,
                      std::string("cannot connect with the other processes: ") + error.what());
    }
}
#endif

std::unique_ptr<Comm> connectComm(const World& world, const Options& options, Rendezvous& rendezvous) {
    if (world.size == 1) {
        return std::make_unique<NullComm>();
    }
#if DLPERF_WITH_GLOO
    return connectGloo(world, processEnvironment("DLPERF_INTERFACE").value_or(""), options.commTimeout,
                       rendezvous.store());
#else
    (void)options;
    (void)rendezvous;
    throw Failure(ExitCode::Backend,
                  "this build cannot connect processes by way of the hosts: it was configured without Gloo");
#endif
}

}  // namespace dlperf::worker
