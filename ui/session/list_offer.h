// SPDX-License-Identifier: Apache-2.0
// A node list from a file, with what a question about it needs.
#pragma once

#include <QString>
#include <filesystem>
#include <string>

#include "core/cluster/cluster.h"

namespace dlperf::ui {

struct ListOffer {
    cluster::Cluster cluster;
    std::string bytes;  // of the file, as it was read: what trust() goes by
};

// Reads the file; not for the GUI thread.
[[nodiscard]] Result<ListOffer> readListOffer(const std::filesystem::path& file);

// The same for what is no list of ours: a host file of mpirun or horovodrun, the user's SSH configuration.
[[nodiscard]] Result<ListOffer> offerOfHostfile(const std::filesystem::path& file);
[[nodiscard]] Result<ListOffer> offerOfSsh();

// Whether using the list runs more than our own questions.
[[nodiscard]] bool runsCommands(const cluster::Cluster& cluster);

// What the list would run, in a sentence: for the question before its first use.
[[nodiscard]] QString commandsOf(const cluster::Cluster& cluster);

}  // namespace dlperf::ui
