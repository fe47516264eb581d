// SPDX-License-Identifier: Apache-2.0
#include "core/report/hardware_baselines.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/cluster/baseline.h"

namespace dlperf::report {
namespace {

constexpr double bytesOfFp32 = 4;
constexpr int mostClasses = 1 << 30;

// What an option that changes the figure had in this run; empty where nobody recorded it.
std::string optionOf(const RunResult& run, const std::string& name) {
    for (const Variant* options : {&run.benchmarkCase.configuration.variant, &run.defaults}) {
        if (const auto option = options->find(name); option != options->end()) {
            return option->second;
        }
    }
    return {};
}

ModelSize readModelSize(JsonReader& reader) {
    ModelSize size{.model = reader.requiredText("model"),
                   .parameters = reader.number("parameters").value_or(0),
                   .classes = reader.integer("classes", 0, 0, mostClasses),
                   .ofEachClass = reader.integer("parameters_of_a_class", 0, 0, mostClasses)};
    if (!(size.parameters > 0)) {
        reader.addError("\"parameters\" must be above zero");
    }
    reader.refuseOthers({"model", "parameters", "classes", "parameters_of_a_class", "source"});
    return size;
}

Result<std::vector<ModelSize>> readModelSizes() {
    const auto file = TRY(resourceFolder()) / "parameters.json";
    const auto json = TRY(readJsonFile(file));
    JsonReader reader(json, file.string());
    auto sizes = cluster::readItems<ModelSize>(reader, "models", readModelSize);
    reader.refuseOthers({"models"});
    TRY(reader.checked());
    return sizes;
}

template <class Baseline>
std::optional<Baseline> readIfThere(const std::filesystem::path& file,
                                    Result<Baseline> (*read)(const std::filesystem::path&),
                                    std::vector<std::string>& unreadable) {
    std::error_code unknown;
    if (!std::filesystem::exists(file, unknown)) {
        return std::nullopt;
    }
    auto baseline = read(file);
    if (!baseline) {
        unreadable.push_back(describe(baseline.error()));
        return std::nullopt;
    }
    return *std::move(baseline);
}

}  // namespace

HardwareBaselines readHardwareBaselines(const store::Workspace& workspace) {
    HardwareBaselines baselines;
    std::vector<std::string>& unreadable = baselines.unreadable;
    baselines.links = readIfThere(workspace.linkBaseline(), cluster::readLinkBaseline, unreadable);
    baselines.compute = readIfThere(workspace.computeBaseline(), cluster::readComputeBaseline, unreadable);
    baselines.data = readIfThere(workspace.dataBaseline(), cluster::readDataBaseline, unreadable);
    if (auto sizes = readModelSizes()) {
        baselines.models = *std::move(sizes);
    } else {
        baselines.noModels = describe(sizes.error());
    }
    return baselines;
}

std::optional<double> gradientBytes(const std::vector<ModelSize>& models, const RunResult& run) {
    const Configuration& configuration = run.benchmarkCase.configuration;
    const auto size = std::ranges::find(models, configuration.model, &ModelSize::model);
    if (size == models.end() || (configuration.precision != "fp32" && configuration.precision != "tf32")) {
        return std::nullopt;
    }
    const std::string option = optionOf(run, "classes");
    const auto classes = option.empty() ? std::optional(size->classes) : toInt(option);
    if (!classes || *classes < 0 || *classes > mostClasses) {
        return std::nullopt;
    }
    const double more = static_cast<double>(*classes - size->classes) * size->ofEachClass;
    return bytesOfFp32 * (size->parameters + more);
}

TrainedOn trainedOn(const RunResult& run) {
    const std::string backend = optionOf(run, "backend");
    const bool hasDriver = run.versions.contains("driver");
    if (backend == "cpu") {
        return TrainedOn::Processors;
    }
    if (backend == "cuda" || hasDriver) {
        return TrainedOn::Gpus;
    }
    return backend == "auto" && !run.versions.empty() ? TrainedOn::Processors : TrainedOn::Unknown;
}

}  // namespace dlperf::report
