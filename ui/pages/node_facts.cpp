// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/node_facts.h"

#include <QCoreApplication>

#include "core/base/text.h"
#include "core/cluster/host_lists.h"
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

QString stateText(const NodeEntry& entry) {
    const QString time = entry.asked.toString(QStringLiteral("HH:mm:ss"));
    switch (entry.state) {
        case NodeState::Checking:
            return tr("being asked");
        case NodeState::Checked:
            return tr("answered at %1").arg(time);
        case NodeState::NotReached:
            return tr("not reached at %1: %2").arg(time, text(entry.error.what));
        case NodeState::NotChecked:
            break;
    }
    return tr("not checked yet");
}

QString wayText(const NodeEntry& entry) {
    const std::string way = entry.facts ? entry.facts->route.way : std::string();
    QString words = entry.node.local ? tr("this machine") : tr("over SSH");
    if (way == "libssh2") {
        words = tr("over SSH, by libssh2");
    } else if (!way.empty()) {
        words = tr("over SSH, by the ssh program with connection sharing");
    }
    return entry.node.container.empty()
               ? words
               : tr("%1, in its container by %2").arg(words, text(join(entry.node.container, " ")));
}

}  // namespace

Facts connectionFacts(const NodeEntry& entry) {
    const cluster::Route route = entry.facts ? entry.facts->route : cluster::Route{};
    return {{tr("Connection"), stateText(entry)},
            {tr("Reached"), wayText(entry)},
            {tr("Address"), text(route.place.empty() ? cluster::hostText(entry.node) : route.place)},
            {tr("Through"), text(route.through)},
            {tr("Login"), text(route.login)},
            {tr("Host key"), text(route.hostKey)}};
}

Facts overviewFacts(const NodeEntry& entry) {
    Facts rows = connectionFacts(entry);
    if (!entry.facts) {
        return rows;
    }
    const cluster::NodeFacts& facts = *entry.facts;
    QString processor = tr("%1, %2 cores").arg(text(facts.processor)).arg(facts.cores);
    if (facts.numaNodes > 1) {
        processor += tr(", %1 NUMA nodes").arg(facts.numaNodes);
    }
    const Facts found{{tr("Host"), text(facts.host)},
                      {tr("Processor"), processor},
                      {tr("Memory"), bytesText(static_cast<double>(facts.memoryBytes))},
                      {tr("GPUs"), gpuLines(facts, facts.devices(entry.node))},
                      {tr("System"), tr("%1, Linux %2").arg(text(facts.system), text(facts.kernel))},
                      {tr("Work folder"), text(facts.workDir)},
                      {tr("Free there"), bytesText(static_cast<double>(facts.freeBytes))},
                      {tr("Data folder"), text(entry.node.dataDir)}};
    rows.insert(rows.end(), found.begin(), found.end());
    return rows;
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
