// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "base/failure.h"
#include "base/numbers.h"
#include "base/version.h"
#include "comm/comm.h"
#include "net/resnet50.h"
#include "program/log.h"
#include "program/program.h"

namespace dlperf::worker {
namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

constexpr double wantedSeconds = 0.5;  // of the repetitions of one size
constexpr double longestCall = 5;      // seconds; a size that takes longer is the last, if it is tried at all
constexpr std::size_t fewestRepetitions = 3;
constexpr std::size_t mostRepetitions = 100'000;
constexpr int warmups = 3;  // of sizes whose calls are short; of others the timed one is enough
constexpr double shortCall = 0.05;
constexpr std::size_t ringRepetitions = 5;
constexpr double ringSeconds = 0.3;  // of one pass, about

// By rising size; the last is what training in fp32 exchanges in an iteration.
std::vector<std::size_t> messageBytes() {
    std::size_t parameters = 0;
    for (const Parameter& parameter : parametersOf(makeResNet50(224, 1000))) {
        parameters += parameter.count();
    }
    return {
        4, 1 * kib, 16 * kib, 256 * kib, 1 * mib, 4 * mib, 16 * mib, 64 * mib, parameters * sizeof(float)};
}

struct LinkTimes {
    std::size_t repetitions = 0;
    double median = 0;  // seconds
};

// In the hosts' memory.
class HostLinks final : public LinkTimer {
public:
    explicit HostLinks(Comm& comm) : comm_(comm) {}

    std::string name() const override { return comm_.name() + ", by way of the hosts"; }
    void setMessage(std::size_t bytes) override { message_.assign(bytes / sizeof(float), 0); }
    double allReduce() override {
        const auto start = std::chrono::steady_clock::now();
        comm_.allReduceSum(message_);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

private:
    Comm& comm_;
    std::vector<float> message_;
};

// Times by `links`; what the ranks have to agree on goes by way of the hosts.
class LinkBench {
public:
    LinkBench(Comm& hosts, LinkTimer& links, const World& world)
        : hosts_(hosts), links_(links), rank_(world.rank) {}

    // As rank 0 sees it; all ranks repeat equally often.
    LinkTimes measure(std::size_t bytes) {
        links_.setMessage(bytes);
        const double first = warmUp();
        std::vector<double> times;
        if (first > longestCall) {  // not three times more
            times.push_back(first);
        }
        // Twice as many each time, as one call says little of how long the next ones take.
        for (double spent = first > longestCall ? first : 0;
             spent < wantedSeconds && times.size() < mostRepetitions;) {
            const std::size_t more = std::max(fewestRepetitions, times.size());
            std::generate_n(std::back_inserter(times), more, [&] { return links_.allReduce(); });
            spent = agreed(std::accumulate(times.begin(), times.end(), 0.0));
        }
        const std::size_t repetitions = times.size();
        return {repetitions, agreed(median(std::move(times)))};
    }

    // Seconds in which so many bytes come to each rank from the one before, while all pass on: medians. On
    // the hosts.
    std::vector<float> measureRing(std::size_t bytes, int ranks) {
        std::vector<float> sent(bytes / sizeof(float), 0);
        std::vector<float> received(sent.size());
        std::vector<double> times(ringRepetitions);
        for (double& time : times) {
            (void)agreed(0);  // all begin at once
            time = hosts_.passOn(sent, received);
        }
        std::vector<float> ofRanks(static_cast<std::size_t>(ranks), 0);
        ofRanks[static_cast<std::size_t>(rank_)] = static_cast<float>(median(std::move(times)));
        hosts_.allReduceSum(ofRanks);
        return ofRanks;
    }

private:
    // What the last call took, on rank 0.
    double warmUp() {
        double took = agreed(links_.allReduce());
        for (int i = 1; took < shortCall && i < warmups; ++i) {
            took = agreed(links_.allReduce());
        }
        return took;
    }

    // Rank 0's number, on all ranks: the others add nothing to it.
    double agreed(double mine) {
        std::array<float, 1> number{rank_ == 0 ? static_cast<float>(mine) : 0.0F};
        hosts_.allReduceSum(number);
        return static_cast<double>(number[0]);
    }

    Comm& hosts_;
    LinkTimer& links_;
    int rank_;
};

// GB/s, as nccl-tests calls bus bandwidth: what crosses the slowest link of a ring, whatever the ranks.
double busBandwidth(std::size_t bytes, double time, int ranks) {
    return 2.0 * (ranks - 1) / ranks * static_cast<double>(bytes) / time / 1e9;
}

std::string lineOf(std::size_t bytes, const LinkTimes& times, int ranks) {
    char text[160];
    std::snprintf(text, sizeof text, "all-reduce bytes %zu repetitions %zu median %.9f s bandwidth %.6f GB/s",
                  bytes, times.repetitions, times.median, busBandwidth(bytes, times.median, ranks));
    return text;
}

// What was measured so far.
struct LinkCurve {
    double latency = 0;     // seconds of the smallest message
    std::size_t bytes = 0;  // of the largest message; 0: there is none yet
    double time = 0;        // of that one

    void add(std::size_t added, double median) {
        latency = bytes == 0 ? median : latency;
        bytes = added;
        time = median;
    }
    // Of a larger message; what is not latency grows with it.
    double expected(std::size_t larger) const {
        return bytes == 0 ? 0
                          : latency + std::max(0.0, time - latency) * static_cast<double>(larger) /
                                          static_cast<double>(bytes);
    }
};

std::string summaryOf(const LinkCurve& curve, int ranks) {
    char text[160];
    std::snprintf(text, sizeof text, "links latency %.9f s bandwidth %.6f GB/s at %zu bytes", curve.latency,
                  busBandwidth(curve.bytes, curve.time, ranks), curve.bytes);
    return text;
}

// Of whole numbers; `bandwidth` in GB/s.
std::size_t ringBytes(double bandwidth) {
    const double wanted = std::clamp(ringSeconds * bandwidth * 1e9, 256.0 * kib, 16.0 * mib);
    return static_cast<std::size_t>(wanted) / sizeof(float) * sizeof(float);
}

std::string ringLine(std::size_t from, std::size_t to, std::size_t bytes, float seconds) {
    char text[160];
    std::snprintf(text, sizeof text, "ring from %zu to %zu bytes %zu median %.9f s bandwidth %.6f GB/s", from,
                  to, bytes, static_cast<double>(seconds),
                  static_cast<double>(bytes) / static_cast<double>(seconds) / 1e9);
    return text;
}

std::string leftOutNote(std::size_t first, double time) {
    char text[160];
    std::snprintf(text, sizeof text,
                  "left out: %zu bytes and more, of which one all-reduce would take about %.1f s", first,
                  time);
    return text;
}

void writeLinksHeader(Log& log, const World& world, const LinkTimer& links) {
    log.header(programVersion(),
               {{"measure", "links"},
                {"world_size", std::to_string(world.size)},
                {"comm", links.name()},
                {"all-reduce",
                 "the median of its repetitions; bandwidth is the bus bandwidth of nccl-tests, "
                 "2 x (ranks - 1) / ranks x bytes / time"}});
}

// The connections among the processes of a world.
struct Links {
    std::unique_ptr<Comm> hosts;
    std::unique_ptr<LinkTimer> timed{};  // uses those of the hosts, where GPUs do not reach each other
    bool areHosts = true;
};

// From GPU to GPU where training would reduce so: where each process has a GPU of its own and NCCL.
Links connectLinks(const Options& options, const World& world, Rendezvous& rendezvous) {
    const CudaPlugin* const gpu = options.comm == CommKind::Gloo ? nullptr : gpuBackend(options.backend);
    const std::string device = gpu == nullptr ? std::string() : gpu->linkedDevice(world.localRank);
    rendezvous.compare(world, "links", device);
    Links links{connectComm(world, options, rendezvous)};
    std::array<float, 1> without{device.empty() ? 1.0F : 0.0F};
    links.hosts->allReduceSum(without);
    const bool haveAll = without[0] == 0;
    const bool isAsked = options.comm == CommKind::Nccl;
    if (isAsked && !haveAll) {
        throw Failure(ExitCode::Backend,
                      "--comm nccl reduces from GPU to GPU, and not every process has a GPU and NCCL; use "
                      "--comm gloo");
    }
    links.areHosts = !haveAll || (rendezvous.shareDevices() && !isAsked);
    if (links.areHosts) {
        links.timed = std::make_unique<HostLinks>(*links.hosts);
    } else {
        links.timed = gpu->connectLinks({world, options, rendezvous, {}}, messageBytes().back());
    }
    return links;
}

}  // namespace

void measureLinks(const Options& options, const World& world, Rendezvous& rendezvous) {
    if (world.size == 1) {
        throw Failure(ExitCode::Usage, "--measure links needs two processes or more; this is one alone");
    }
    const Links links = connectLinks(options, world, rendezvous);
    Log log;
    const auto tell = [&](const std::string& line) {
        if (world.rank == 0) {
            log.line(line);
        }
    };
    if (world.rank == 0) {
        writeLinksHeader(log, world, *links.timed);
    }
    LinkBench bench(*links.hosts, *links.timed, world);
    LinkCurve curve;
    for (const std::size_t bytes : messageBytes()) {
        // Every rank has rank 0's numbers, so that all stop here or none.
        if (const double expected = curve.expected(bytes); expected > longestCall) {
            tell("# " + leftOutNote(bytes, expected));
            break;
        }
        const LinkTimes times = bench.measure(bytes);
        tell(lineOf(bytes, times, world.size));
        curve.add(bytes, times.median);
    }
    if (world.size > 2 && !links.areHosts) {
        tell("# left out: the ring, as NCCL does not tell when what is passed on has come");
    } else if (world.size > 2) {  // of two it would be what the pair has shown
        const std::size_t bytes = ringBytes(busBandwidth(curve.bytes, curve.time, world.size));
        const std::vector<float> seconds = bench.measureRing(bytes, world.size);
        for (std::size_t from = 0; from < seconds.size(); ++from) {
            const std::size_t to = (from + 1) % seconds.size();
            tell(ringLine(from, to, bytes, seconds[to]));
        }
    }
    tell(summaryOf(curve, world.size));
}

}  // namespace dlperf::worker
