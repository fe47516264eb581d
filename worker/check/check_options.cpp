// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iterator>

#include "base/option_table.h"
#include "check.h"

namespace dlperf::worker::check {
namespace {

// The options of dlperf-worker that describe the problem. They mean the same here.
constexpr std::array<std::string_view, 13> workerOptions = {
    "backend",      "precision", "batch-size", "image-size",   "classes", "label-smoothing", "lr", "momentum",
    "weight-decay", "threads",   "comm",       "comm-timeout", "help"};

std::vector<Option> tableFor(CheckOptions& options) {
    std::vector<Option> table = {
        {"output", "FILE", "the facts and losses as JSON; the gradients go to FILE.f32",
         path(options.output, "a file")},
        {"steps", "N", "that many steps of SGD and the loss of each, instead of one batch's gradients",
         integer(options.steps, 0, 1'000'000)},
        {"batches", "N", "batches that the steps go round (1)", integer(options.batches, 1, 1024)},
        {"frozen-norm", "", "batch normalisation with running statistics", flag(options.frozenNorm)},
        {"breakdown", "",
         "print what the time of a step goes to, by kinds of work, and write no file (on a GPU)",
         flag(options.breakdown)},
    };
    std::ranges::copy_if(optionTable(options.worker), std::back_inserter(table), [](const Option& option) {
        return std::ranges::find(workerOptions, option.name) != workerOptions.end();
    });
    return table;
}

}  // namespace

CheckOptions parseCheckOptions(const std::vector<std::string>& arguments) {
    CheckOptions options;
    parse(tableFor(options), arguments);
    if (options.output.empty() && !options.worker.help && !options.breakdown) {
        refuse("--output is missing");
    }
    return options;
}

std::string checkHelp() {
    CheckOptions options;
    return "usage: dlperf-worker-check --output FILE [options]\n"
           "Computes the loss and gradients of weights and images that come from formulas, for comparing "
           "them\n"
           "with PyTorch's (compare.py), another backend's or several processes'.\n\n" +
           helpOn(tableFor(options)) +
           "\nThe options from --batch-size on are dlperf-worker's, with its defaults but for --lr (0.01).\n"
           "Among several processes (RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT) each takes its share of a "
           "batch of\n--batch-size x WORLD_SIZE images. Exit codes are dlperf-worker's.\n";
}

}  // namespace dlperf::worker::check
