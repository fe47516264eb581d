// SPDX-License-Identifier: Apache-2.0
#include "app/input_options.h"

namespace dlperf::app {

void addInputOptions(CLI::App& command, InputOptions& inputs) {
    command.add_option("PLAN", inputs.plan, "The plan, a JSON file")->required();
    command.add_option("--cluster", inputs.cluster, "The cluster, a JSON file; else this machine");
    command.add_option("--recipes", inputs.recipes, "Folder of recipes, searched before the bundled ones");
}

}  // namespace dlperf::app
