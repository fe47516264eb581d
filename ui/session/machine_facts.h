// SPDX-License-Identifier: Apache-2.0
// What this machine is, for the Cluster page. Asking may take a moment: call it off the GUI thread.
#pragma once

#include <QString>
#include <QStringList>
#include <filesystem>

#include "core/cluster/cluster.h"

namespace dlperf::ui {

struct MachineFacts {
    QString host;
    QString system;     // "Debian GNU/Linux 12 (bookworm)"
    QString kernel;     // "6.1.0"
    QString processor;  // "AMD EPYC 7543 32-Core Processor"
    int cores = 0;
    double memoryBytes = 0;
    double freeDiskBytes = 0;  // where the workspace stands
    QStringList gpus;          // "Tesla V100-SXM2-16GB"
    QString driver;
    int devices = 0;      // what 1nNg can use: GPUs, else CPU processes
    bool worker = false;  // dlperf-worker stands beside the program
};

// This machine as plans see it; its GPUs are asked for once, and again by readMachineFacts().
[[nodiscard]] cluster::Cluster machineAsCluster();
[[nodiscard]] MachineFacts readMachineFacts(const std::filesystem::path& workspace);
// "2 CPU processes" or "8 × Tesla V100-SXM2-16GB"
[[nodiscard]] QString devicesText(const MachineFacts& facts);

}  // namespace dlperf::ui
