// SPDX-License-Identifier: Apache-2.0
#include "check_options.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/failure.h"
#include "base/numbers.h"

namespace dlperf::worker::check {
namespace {

// The options of dlperf-worker that describe the problem. They mean the same here, so it reads them.
constexpr std::array<std::string_view, 12> workerOptions = {
    "backend", "precision", "batch-size",   "image-size", "classes", "label-smoothing",
    "lr",      "momentum",  "weight-decay", "threads",    "comm",    "comm-timeout"};

[[noreturn]] void refuse(const std::string& message) {
    throw Failure(ExitCode::Usage, message + " (--help lists the options)");
}

int wholeNumber(const std::string& name, const std::string& text, int lowest, int highest) {
    const auto number = numberIn<int>(text);
    if (number && *number >= lowest && *number <= highest) {
        return *number;
    }
    refuse("--" + name + " must be a whole number from " + std::to_string(lowest) + " to " +
           std::to_string(highest) + ", not '" + text + "'");
}

// Null where it is none.
bool CheckOptions::*flagOf(const std::string& name) {
    if (name == "help") {
        return &CheckOptions::help;
    }
    if (name == "frozen-norm") {
        return &CheckOptions::frozenNorm;
    }
    if (name == "breakdown") {
        return &CheckOptions::breakdown;
    }
    return nullptr;
}

bool isWorkers(const std::string& name) {
    return std::find(workerOptions.begin(), workerOptions.end(), name) != workerOptions.end();
}

void set(CheckOptions& options, const std::string& name, const std::string& value) {
    if (name == "steps") {
        options.steps = wholeNumber(name, value, 0, 1'000'000);
    } else if (name == "batches") {
        options.batches = wholeNumber(name, value, 1, 1024);
    } else if (name == "output" && !value.empty()) {
        options.output = value;
    } else {
        refuse(name == "output" ? "--output must be a file" : "unknown option '--" + name + "'");
    }
}

}  // namespace

CheckOptions parseCheckOptions(const std::vector<std::string>& arguments) {
    CheckOptions options;
    std::vector<std::string> workers;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (!argument.starts_with("--")) {
            refuse("unknown option '" + argument + "'");
        }
        const std::size_t equals = argument.find('=');
        const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
        if (const auto flag = flagOf(name)) {
            if (equals != std::string::npos) {
                refuse("--" + name + " takes no value");
            }
            options.*flag = true;
            continue;
        }
        if (equals == std::string::npos && i + 1 == arguments.size()) {
            refuse(argument + " needs a value");
        }
        const std::string value = equals == std::string::npos ? arguments[++i] : argument.substr(equals + 1);
        if (isWorkers(name)) {
            workers.insert(workers.end(), {"--" + name, value});
        } else {
            set(options, name, value);
        }
    }
    options.worker = parseOptions(workers);
    if (options.output.empty() && !options.help && !options.breakdown) {
        refuse("--output is missing");
    }
    return options;
}

std::string checkHelp() {
    std::string text =
        "usage: dlperf-worker-check --output FILE [options]\n"
        "Computes the loss and gradients of weights and images that come from formulas, for comparing them\n"
        "with PyTorch's (compare.py), another backend's or several processes'.\n\n"
        "  --output FILE    the facts and losses as JSON; the gradients go to FILE.f32\n"
        "  --steps N        that many steps of SGD and the loss of each, instead of one batch's gradients\n"
        "  --batches N      batches that the steps go round (1)\n"
        "  --frozen-norm    batch normalisation with running statistics\n"
        "  --breakdown      print what the time of a step goes to, by kinds of work, and write no file (on a "
        "GPU)\n"
        "  --help           show this text\n\n"
        "Of dlperf-worker's options, with its meaning and defaults (but --lr 0.01):\n ";
    for (const std::string_view name : workerOptions) {
        text.append(" --").append(name);
    }
    return text +
           "\nAmong several processes (RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT) each takes its share of a "
           "batch of\n--batch-size x WORLD_SIZE images. Exit codes are dlperf-worker's.\n";
}

}  // namespace dlperf::worker::check
