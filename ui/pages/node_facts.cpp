// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/node_facts.h"

#include <QCoreApplication>

#include "ui/theme/numbers.h"

namespace dlperf::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("dlperf::ui::NodeFacts", text);
}

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

QString lines(const std::vector<std::string>& values) {
    QStringList list;
    for (const std::string& value : values) {
        list << text(value);
    }
    return list.join(QLatin1Char('\n'));
}

QString gpuLines(const cluster::NodeFacts& facts, int devices) {
    if (facts.gpus.empty()) {
        return tr("none found; %1 CPU processes stand for devices").arg(devices);
    }
    QStringList list;
    for (std::size_t i = 0; i < facts.gpus.size(); ++i) {
        const cluster::GpuFacts& gpu = facts.gpus[i];
        list << tr("%1: %2, %3, up to %4").arg(i).arg(text(gpu.name), text(gpu.memory), text(gpu.clock));
    }
    return list.join(QLatin1Char('\n'));
}

QString speedText(int megabits) {
    return megabits >= 1000 ? tr("%1 Gbit/s").arg(megabits / 1000)
           : megabits > 0   ? tr("%1 Mbit/s").arg(megabits)
                            : QString();
}

}  // namespace

Facts overviewFacts(const NodeEntry& entry) {
    if (!entry.facts) {
        return {};
    }
    const cluster::NodeFacts& facts = *entry.facts;
    QString processor = tr("%1, %2 cores").arg(text(facts.processor)).arg(facts.cores);
    if (facts.numaNodes > 1) {
        processor += tr(", %1 NUMA nodes").arg(facts.numaNodes);
    }
    return {{tr("Host"), text(facts.host)},
            {tr("Processor"), processor},
            {tr("Memory"), bytesText(static_cast<double>(facts.memoryBytes))},
            {tr("GPUs"), gpuLines(facts, facts.devices(entry.node))},
            {tr("System"), tr("%1, Linux %2").arg(text(facts.system), text(facts.kernel))},
            {tr("Work folder"), text(facts.workDir)},
            {tr("Free there"), bytesText(static_cast<double>(facts.freeBytes))},
            {tr("Data folder"), text(entry.node.dataDir)}};
}

Facts networkFacts(const NodeEntry& entry) {
    if (!entry.facts) {
        return {};
    }
    Facts rows;
    for (const cluster::InterfaceFacts& interface : entry.facts->interfaces) {
        QStringList words;
        for (const QString& word :
             {interface.up ? tr("up") : tr("down"), interface.isVirtual ? tr("virtual") : QString(),
              speedText(interface.speed), text(interface.addresses)}) {
            if (!word.isEmpty()) {
                words << word;
            }
        }
        rows.emplace_back(text(interface.name), words.join(QStringLiteral(", ")));
    }
    rows.emplace_back(tr("InfiniBand"),
                      entry.facts->infiniband.empty() ? tr("none found") : lines(entry.facts->infiniband));
    return rows;
}

Facts softwareFacts(const NodeEntry& entry) {
    if (!entry.facts) {
        return {};
    }
    const cluster::NodeFacts& facts = *entry.facts;
    const auto orNone = [](const QString& value) { return value.isEmpty() ? tr("none found") : value; };
    return {{tr("Driver"), orNone(text(facts.driver))},
            {tr("CUDA"), orNone(text(facts.cuda))},
            {tr("cuDNN"), orNone(text(facts.cudnn))},
            {tr("NCCL"), orNone(text(facts.nccl))},
            {tr("Python packages"), orNone(lines(facts.pythonPackages))}};
}

}  // namespace dlperf::ui
