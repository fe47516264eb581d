// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/stop_on_signal.h"
#include "app/terminal_questions.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/mapped.h"
#include "core/base/printed_json.h"
#include "core/base/text.h"
#include "core/cluster/host_lists.h"
#include "core/cluster/slurm.h"
#include "core/remote/slurm_job.h"
#include "core/run/control.h"

namespace dlperf::app {
namespace {

struct ClusterOptions {
    std::string output = "-";
    std::string hostfile;
    std::string config = "~/.ssh/config";
    std::string login;      // "me@host:22"; empty: this machine
    std::string partition;  // empty: Slurm's default
    bool list = false;
    bool acceptNew = false;
};

Result<cluster::Node> loginOf(const std::string& text) {
    cluster::Node login;
    login.name = "login";
    return cluster::withHost(login, text);
}

const cluster::Partition* chosenOf(const std::vector<cluster::Partition>& partitions,
                                   const std::string& name) {
    const auto isChosen = [&](const cluster::Partition& one) {
        return name.empty() ? one.isDefault || partitions.size() == 1 : one.name == name;
    };
    const auto found = std::ranges::find_if(partitions, isChosen);
    return found == partitions.end() ? nullptr : &*found;
}

void print(const std::vector<cluster::Partition>& partitions) {
    for (const cluster::Partition& one : partitions) {
        std::cout << fmt::format("{}{}  {} nodes  {} CPUs{}  time limit {}{}\n", printable(one.name),
                                 one.isDefault ? " (default)" : "", one.nodes, one.cpus,
                                 one.gres.empty() ? "" : "  " + printable(one.gres), printable(one.timeLimit),
                                 one.isUp ? "" : "  down");
    }
}

Result<void> write(const ClusterOptions& options, const cluster::Cluster& cluster) {
    return writeOutput(options.output, printedJson(toJson(cluster), 2) + "\n");
}

Result<int> fromSlurm(const ClusterOptions& options) {
    run::reapChildren();
    StopOnSignal signals;
    const auto login = TRY(loginOf(options.login));
    const auto transport = TRY(terminalTransports({.acceptNew = options.acceptNew})(login));
    const auto partitions = TRY(remote::listPartitions(*transport, signals.token()));
    if (options.list) {
        print(partitions);
        TRY(flushOutput());
        return 0;
    }
    const cluster::Partition* chosen = chosenOf(partitions, options.partition);
    if (chosen == nullptr) {
        return fail(
            options.partition.empty() ? "Slurm has no default partition"
                                      : fmt::format("there is no partition \"{}\"", options.partition),
            {}, "Choose with --partition: " + join(mapped(partitions, &cluster::Partition::name), ", "));
    }
    TRY(write(options, cluster::clusterOfPartition(*chosen, login)));
    return 0;
}

Result<int> fromHostfile(const ClusterOptions& options) {
    const auto text = TRY(readFile(expandHome(options.hostfile)));
    const auto cluster = TRY(cluster::clusterFromHostfile(text, options.hostfile));
    TRY(write(options, cluster));
    return 0;
}

Result<int> fromSsh(const ClusterOptions& options) {
    const auto cluster = TRY(cluster::clusterFromSsh(expandHome(options.config)));
    TRY(write(options, cluster));
    return 0;
}

}  // namespace

void addClusterCommand(CLI::App& app, int& exitCode) {
    auto* command = app.add_subcommand("cluster", "Write a cluster file from what already lists nodes");
    command->require_subcommand(1);
    const auto options = std::make_shared<ClusterOptions>();
    const auto add = [&](const char* name, const char* help, Result<int> (*work)(const ClusterOptions&)) {
        auto* source = command->add_subcommand(name, help);
        source->add_option("-o,--output", options->output, "The cluster file; - for standard output")
            ->type_name("FILE")
            ->capture_default_str();
        source->callback([options, work, &exitCode] { exitCode = exitCodeOf("cluster", work(*options)); });
        return source;
    };
    auto* slurm = add("from-slurm", "The nodes of a partition of Slurm", fromSlurm);
    slurm->add_option("--login", options->login, "The login node, user@host:port; else this machine");
    slurm->add_option("--partition", options->partition, "Else Slurm's default");
    slurm->add_flag("--list", options->list, "Only list the partitions");
    slurm->add_flag("--accept-new", options->acceptNew, "Trust host keys that are not known yet");
    add("hostfile", "The hosts of a host file of mpirun, horovodrun or deepspeed", fromHostfile)
        ->add_option("FILE", options->hostfile, "The host file")
        ->type_name("FILE")
        ->required();
    add("ssh", "The hosts of an SSH configuration", fromSsh)
        ->add_option("--config", options->config, "The configuration")
        ->type_name("FILE")
        ->capture_default_str();
}

}  // namespace dlperf::app
