// SPDX-License-Identifier: Apache-2.0
#include "ui/session/machine_facts.h"

#include <unistd.h>

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QStorageInfo>
#include <QSysInfo>
#include <mutex>
#include <optional>
#include <thread>

#include "core/base/resources.h"

namespace dlperf::ui {
namespace {

constexpr int driverPatience = 10'000;  // ms

QString processorName() {
    QFile file(QStringLiteral("/proc/cpuinfo"));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    for (const QByteArray& line : file.readAll().split('\n')) {
        if (line.startsWith("model name") || line.startsWith("Model")) {
            return QString::fromUtf8(line.mid(line.indexOf(':') + 1)).simplified();
        }
    }
    return {};
}

std::mutex& machineMutex() {
    static std::mutex mutex;
    return mutex;
}

std::optional<cluster::Cluster>& knownMachine() {
    static std::optional<cluster::Cluster> machine;
    return machine;
}

void readGpus(MachineFacts& facts) {
    if (QStandardPaths::findExecutable(QStringLiteral("nvidia-smi")).isEmpty()) {
        return;
    }
    QProcess process;
    process.start(QStringLiteral("nvidia-smi"), {QStringLiteral("--query-gpu=name,driver_version"),
                                                 QStringLiteral("--format=csv,noheader")});
    if (!process.waitForFinished(driverPatience) || process.exitCode() != 0) {
        return;
    }
    for (const QString& line :
         QString::fromUtf8(process.readAllStandardOutput()).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QStringList fields = line.split(QLatin1Char(','));
        facts.gpus << fields.value(0).trimmed();
        facts.driver = fields.value(1).trimmed();
    }
}

}  // namespace

cluster::Cluster machineAsCluster() {
    const std::lock_guard lock(machineMutex());
    if (!knownMachine()) {
        knownMachine() = cluster::thisMachine();
    }
    return *knownMachine();
}

MachineFacts readMachineFacts(const std::filesystem::path& workspace) {
    MachineFacts facts;
    facts.host = QSysInfo::machineHostName();
    facts.system = QSysInfo::prettyProductName();
    facts.kernel = QSysInfo::kernelVersion();
    facts.processor = processorName();
    facts.cores = static_cast<int>(std::thread::hardware_concurrency());
    facts.memoryBytes =
        static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
    facts.freeDiskBytes =
        static_cast<double>(QStorageInfo(QString::fromStdString(workspace.string())).bytesAvailable());
    readGpus(facts);
    {
        const std::lock_guard lock(machineMutex());
        knownMachine() = cluster::thisMachine();
        facts.devices = knownMachine()->nodes.front().devices.value_or(0);
    }
    std::error_code error;
    facts.worker = std::filesystem::exists(workerFolder() / "dlperf-worker", error);
    return facts;
}

QString devicesText(const MachineFacts& facts) {
    if (facts.gpus.isEmpty()) {
        return QCoreApplication::translate("dlperf::ui::MachineFacts", "%1 CPU processes").arg(facts.devices);
    }
    return QStringLiteral("%1 × %2").arg(facts.gpus.size()).arg(facts.gpus.first());
}

}  // namespace dlperf::ui
