// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "base/failure.h"
#include "check.h"

namespace dlperf::worker::check {
namespace {

// As Python reads it: JSON has no word for what is not a number, but Python's has.
std::string number(double value) {
    if (std::isnan(value)) {
        return "NaN";
    }
    if (std::isinf(value)) {
        return value > 0 ? "Infinity" : "-Infinity";
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

// For names of our own, which have nothing in them to escape.
std::string quoted(const std::string& name) {
    return '"' + name + '"';
}

template <typename Items, typename Text>
std::string list(const Items& items, const std::string& separator, const Text& text) {
    std::string result;
    for (const auto& item : items) {
        result.append(result.empty() ? "" : separator).append(text(item));
    }
    return "[" + result + "]";
}

std::string tensor(const Parameter& parameter) {
    return "{\"name\": " + quoted(parameter.name) +
           ", \"shape\": " + list(parameter.shape, ", ", [](std::size_t n) { return std::to_string(n); }) +
           "}";
}

std::string json(const Findings& findings, const CheckOptions& options, const World& world) {
    const Options& worker = options.worker;
    const std::vector<std::pair<std::string, std::string>> facts = {
        {"backend", quoted(findings.backend)},
        {"precision", quoted(toString(worker.precision))},
        {"ranks", std::to_string(world.size)},
        {"batch_size", std::to_string(worker.batchSize * world.size)},
        {"image_size", std::to_string(worker.imageSize)},
        {"classes", std::to_string(worker.classes)},
        {"label_smoothing", number(worker.labelSmoothing)},
        {"frozen_norm", options.frozenNorm ? "true" : "false"},
        {"steps", std::to_string(options.steps)},
        {"batches", std::to_string(options.batches)},
        {"learning_rate", number(worker.learningRate.value_or(defaultLearningRate))},
        {"momentum", number(worker.momentum)},
        {"weight_decay", number(worker.weightDecay)},
        {"losses", list(findings.losses, ", ", [](float loss) { return number(static_cast<double>(loss)); })},
        {"tensors", list(findings.parameters, ",\n", tensor)},
    };
    std::string text;
    for (const auto& [key, value] : facts) {
        text.append(text.empty() ? "{" : ",\n").append(quoted(key)).append(": ").append(value);
    }
    return text + "}\n";
}

void close(std::ofstream& file, const std::string& path) {
    file.close();
    if (!file) {
        throw Failure(ExitCode::Output, "cannot write " + path + ": " + std::strerror(errno));
    }
}

}  // namespace

void write(const Findings& findings, const CheckOptions& options, const World& world) {
    if (!findings.gradients.empty()) {
        std::ofstream raw(options.output + ".f32", std::ios::binary);
        for (const std::vector<float>& gradient : findings.gradients) {
            raw.write(reinterpret_cast<const char*>(gradient.data()),
                      static_cast<std::streamsize>(gradient.size() * sizeof(float)));
        }
        close(raw, options.output + ".f32");
    }
    // Last: a reader that finds it finds the gradients as well.
    std::ofstream file(options.output);
    file << json(findings, options, world);
    close(file, options.output);
}

}  // namespace dlperf::worker::check
