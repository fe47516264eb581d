// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/topology_words.h"

#include <QCoreApplication>

namespace dlperf::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("dlperf::ui::TopologyWords", text);
}

}  // namespace

QString topologyWords(const Topology& topology) {
    const QString devices = topology.devices == 1 ? tr("1 device") : tr("%1 devices").arg(topology.devices);
    return topology.nodes == 1 ? tr("1 node with %1").arg(devices)
                               : tr("%1 nodes with %2 each").arg(QString::number(topology.nodes), devices);
}

}  // namespace dlperf::ui
