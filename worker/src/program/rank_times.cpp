// SPDX-License-Identifier: Apache-2.0
#include "program/rank_times.h"

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <iterator>
#include <numeric>
#include <sstream>

namespace dlperf::worker {
namespace {

// Measured iterations that count: all waits of a rank are kept, to find the shortest of each iteration.
constexpr std::size_t mostWaits = 4096;

struct Means {
    double compute = 0;  // seconds of an iteration
    double data = 0;
    double comm = 0;
    std::vector<double> waits;
};

Means decode(const std::string& text) {
    std::istringstream words(text);
    Means means;
    words >> means.compute >> means.data >> means.comm;
    means.waits.assign(std::istream_iterator<double>(words), {});
    return means;
}

std::string inSeconds(double compute, double data, double comm) {
    char text[128];
    std::snprintf(text, sizeof text, "compute %.6f s data %.6f s comm %.6f s", compute, data, comm);
    return text;
}

// The rank that waits least in an iteration came last: what it waits for is the exchange alone.
double meanOfShortest(const std::vector<Means>& ranks) {
    std::vector<double> shortest = ranks.front().waits;
    for (const Means& rank : ranks) {
        shortest.resize(std::min(shortest.size(), rank.waits.size()));
        std::transform(shortest.begin(), shortest.end(), rank.waits.begin(), shortest.begin(),
                       [](double a, double b) { return std::min(a, b); });
    }
    return shortest.empty() ? 0
                            : std::accumulate(shortest.begin(), shortest.end(), 0.0) /
                                  static_cast<double>(shortest.size());
}

}  // namespace

void RankTimes::add(int iteration, double time, double data, double comm) {
    if (iteration <= warmup_ || waits_.size() == mostWaits) {
        return;
    }
    last_ = iteration;
    time_ += time;
    data_ += data;
    comm_ += comm;
    waits_.push_back(comm);
}

std::string RankTimes::encode() const {
    const double count = last_ - warmup_;
    std::ostringstream text;
    text << std::fixed << std::setprecision(6) << (time_ - data_ - comm_) / count << ' ' << data_ / count
         << ' ' << comm_ / count;
    for (const double wait : waits_) {
        text << ' ' << wait;
    }
    return text.str();
}

std::vector<std::string> RankTimes::exchange(const World& world, Rendezvous& rendezvous) const {
    if (last_ <= warmup_) {  // said all the same: by this line it is known that a log is whole
        return world.rank == 0 ? std::vector<std::string>{"ranks: no iteration after the warmup"}
                               : std::vector<std::string>();
    }
    std::vector<Means> ranks;
    for (const std::string& text : rendezvous.collect(world, "times", encode())) {
        ranks.push_back(decode(text));
    }
    if (ranks.empty()) {
        return {};
    }
    std::vector<std::string> lines;
    lines.push_back(std::string("ranks: means of iterations ")
                        .append(std::to_string(warmup_ + 1))
                        .append(" to ")
                        .append(std::to_string(last_)));
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const Means& means = ranks[rank];
        lines.push_back(std::string("rank ")
                            .append(std::to_string(rank))
                            .append(": ")
                            .append(inSeconds(means.compute, means.data, means.comm)));
    }
    char shortest[64];
    std::snprintf(shortest, sizeof shortest, "exchange: %.6f s", meanOfShortest(ranks));
    lines.emplace_back(shortest);
    return lines;
}

std::vector<std::string> othersThan(const std::string& mine, char mark, const std::string& verb,
                                    const World& world, Rendezvous& rendezvous) {
    const auto choiceIn = [mark](const std::string& text) { return text.substr(0, text.find(mark)); };
    const std::vector<std::string> ranks = rendezvous.collect(world, verb, mine);
    std::vector<std::string> lines;
    for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
        if (choiceIn(ranks[rank]) != choiceIn(mine)) {
            lines.push_back("note: rank " + std::to_string(rank) + " " + verb + " " + ranks[rank]);
        }
    }
    return lines;
}

}  // namespace dlperf::worker
