// SPDX-License-Identifier: Apache-2.0
#include "ui/session/list_offer.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/cluster/import_hostfile.h"
#include "core/cluster/import_ssh.h"

namespace dlperf::ui {
namespace {

constexpr int mostShown = 400;  // characters of a command in the question

struct Words {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::ListOffer)
};

bool hasCommands(const cluster::Node& node) {
    return !node.setup.empty() || !node.container.empty();
}

}  // namespace

Result<ListOffer> readListOffer(const std::filesystem::path& file) {
    auto bytes = readFile(file);
    if (!bytes) {
        return Failure(bytes.error());
    }
    const auto json = parseJson(*bytes, file.string());
    if (!json) {
        return Failure(json.error());
    }
    auto cluster = cluster::clusterFromJson(*json, file.string());
    if (!cluster) {
        return Failure(cluster.error());
    }
    return ListOffer{*std::move(cluster), *std::move(bytes)};
}

namespace {

Result<ListOffer> offerOf(Result<cluster::Cluster> cluster) {
    if (!cluster) {
        return Failure(cluster.error());
    }
    std::string bytes = toJson(*cluster).dump();
    return ListOffer{*std::move(cluster), std::move(bytes)};
}

}  // namespace

Result<ListOffer> offerOfHostfile(const std::filesystem::path& file) {
    const auto text = readFile(file);
    return text ? offerOf(cluster::clusterFromHostfile(*text, file.string())) : Failure(text.error());
}

Result<ListOffer> offerOfSsh() {
    return offerOf(cluster::clusterFromSsh(expandHome("~/.ssh/config")));
}

bool runsCommands(const cluster::Cluster& cluster) {
    return std::ranges::any_of(cluster.nodes, hasCommands);
}

QString commandsOf(const cluster::Cluster& cluster) {
    const auto count = [&](const auto& holds) { return std::ranges::count_if(cluster.nodes, holds); };
    QString text = Words::tr("%1 nodes; %2 run a setup of their own, %3 a command to enter a container.")
                       .arg(cluster.nodes.size())
                       .arg(count([](const cluster::Node& node) { return !node.setup.empty(); }))
                       .arg(count([](const cluster::Node& node) { return !node.container.empty(); }));
    const auto first = std::ranges::find_if(cluster.nodes, hasCommands);
    if (first != cluster.nodes.end()) {
        const std::string command =
            join(first->container, " ") + (first->container.empty() ? "" : "\n") + first->setup;
        text +=
            Words::tr("\nThe first of them, %1:\n%2")
                .arg(QString::fromStdString(first->name), QString::fromStdString(command).left(mostShown));
    }
    if (const auto remote = count([](const cluster::Node& node) { return !node.local; }); remote > 0) {
        text += QLatin1Char(' ') + Words::tr("%1 are reached over SSH.").arg(remote);
    }
    return text;
}

}  // namespace dlperf::ui
