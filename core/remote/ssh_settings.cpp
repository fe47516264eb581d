// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/remote/local_transport.h"

namespace dlperf::remote {
namespace {

constexpr std::chrono::seconds longestSilence = std::chrono::hours(24);

std::vector<std::filesystem::path> filesOf(std::string_view value) {
    std::vector<std::filesystem::path> files;
    for (const std::string_view word : split(value, ' ')) {
        if (!word.empty() && word != "none") {
            files.push_back(expandHome(word));
        }
    }
    return files;
}

std::string unlessNone(std::string_view value) {
    return value == "none" ? std::string() : std::string(value);
}

std::optional<Milliseconds> secondsOf(std::string_view value) {
    const auto seconds = toInt(value);
    return seconds && *seconds > 0 ? std::optional(Milliseconds{1000} * *seconds) : std::nullopt;
}

bool isOn(std::string_view value) {
    return value != "no" && value != "false" && value != "off";
}

HostKeyPolicy policyOf(std::string_view value) {
    if (value == "ask") {
        return HostKeyPolicy::Ask;
    }
    // OpenSSH's "no" takes changed keys too; here nothing does.
    return value == "accept-new" || !isOn(value) ? HostKeyPolicy::Accept : HostKeyPolicy::Refuse;
}

void takeKnownHosts(SshSettings& settings, std::vector<std::filesystem::path> files) {
    std::ranges::move(files, std::back_inserter(settings.knownHostsFiles));
}

void takeOwnKnownHosts(SshSettings& settings, std::vector<std::filesystem::path> files) {
    settings.knownHostsStore = files.empty() ? std::filesystem::path() : files.front();
    takeKnownHosts(settings, std::move(files));
}

using Take = void (*)(SshSettings&, std::string_view);

const std::map<std::string_view, Take>& takers() {
    static const std::map<std::string_view, Take> all{
        {"hostname", [](auto& s, auto value) { s.host = value; }},
        {"port", [](auto& s, auto value) { s.port = toInt(value).value_or(s.port); }},
        {"user", [](auto& s, auto value) { s.user = value; }},
        {"hostkeyalias", [](auto& s, auto value) { s.hostKeyAlias = unlessNone(value); }},
        {"proxycommand", [](auto& s, auto value) { s.proxyCommand = unlessNone(value); }},
        {"proxyjump", [](auto& s, auto value) { s.proxyJump = unlessNone(value); }},
        {"identityagent", [](auto& s, auto value) { s.identityAgent = value; }},
        {"identitiesonly", [](auto& s, auto value) { s.identitiesOnly = isOn(value); }},
        {"identityfile", [](auto& s, auto value) { s.identityFiles.push_back(expandHome(value)); }},
        {"userknownhostsfile", [](auto& s, auto value) { takeOwnKnownHosts(s, filesOf(value)); }},
        {"globalknownhostsfile", [](auto& s, auto value) { takeKnownHosts(s, filesOf(value)); }},
        {"hashknownhosts", [](auto& s, auto value) { s.hashKnownHosts = isOn(value); }},
        {"stricthostkeychecking", [](auto& s, auto value) { s.newHostKeys = policyOf(value); }},
        {"pubkeyauthentication", [](auto& s, auto value) { s.mayUseKeys = isOn(value); }},
        {"passwordauthentication", [](auto& s, auto value) { s.mayUsePassword = isOn(value); }},
        {"kbdinteractiveauthentication", [](auto& s, auto value) { s.mayUsePrompts = isOn(value); }},
        {"gssapiauthentication", [](auto& s, auto value) { s.mayUseKerberos = isOn(value); }},
        {"batchmode", [](auto& s, auto value) { s.mayAsk = !isOn(value); }},
        {"connecttimeout", [](auto& s, auto value) { s.connectTime = secondsOf(value); }},
        {"serveraliveinterval", [](auto& s, auto value) { s.aliveInterval = toInt(value).value_or(0); }},
        {"serveralivecountmax", [](auto& s, auto value) { s.aliveCount = toInt(value).value_or(3); }},
    };
    return all;
}

// %-signs of ssh_config(5) that a proxy command may hold.
std::string replaceSigns(std::string_view text, const SshSettings& settings) {
    const std::map<char, std::string> values{{'h', settings.host},
                                             {'n', settings.alias},
                                             {'p', std::to_string(settings.port)},
                                             {'r', settings.user},
                                             {'%', "%"}};
    std::string replaced;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto value = text[i] == '%' && i + 1 < text.size() ? values.find(text[i + 1]) : values.end();
        replaced += value == values.end() ? std::string(1, text[i]) : value->second;
        i += value == values.end() ? 0 : 1;
    }
    return replaced;
}

// Names of hosts stand in a command line of a shell, and may come from a file that somebody else wrote.
bool isPlainHost(std::string_view host) {
    return !host.empty() && host.front() != '-' &&
           host.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:_-%@[]") ==
               std::string_view::npos;
}

}  // namespace

std::optional<Milliseconds> SshSettings::silence() const {
    if (aliveInterval <= 0) {
        return std::nullopt;
    }
    // Two large numbers of a configuration overflow as milliseconds.
    const std::int64_t seconds = std::int64_t{aliveInterval} * std::max(aliveCount, 1);
    return std::min(std::chrono::seconds(seconds), longestSilence);
}

SshSettings sshSettingsFrom(std::string_view answer) {
    SshSettings settings;
    for (const std::string_view line : split(answer, '\n')) {
        const std::size_t space = line.find(' ');
        if (space != std::string_view::npos) {
            const auto taker = takers().find(line.substr(0, space));
            if (taker != takers().end()) {
                taker->second(settings, trim(line.substr(space + 1)));
            }
        }
    }
    return settings;
}

Result<SshSettings> askSshSettings(const cluster::Node& node, const Limits& limits) {
    const std::string where = "node " + node.name;
    if (!isPlainHost(node.host) || (!node.user.empty() && !isPlainHost(node.user))) {
        return fail(fmt::format("\"{}\" is no name of a host or user that ssh takes",
                                cleanUtf8(isPlainHost(node.host) ? node.user : node.host)),
                    where, "Give its address or its alias in the SSH configuration.", ErrorKind::Work);
    }
    const std::string script = "exec ssh -G" + sshArguments(node) + " -- " + shellQuote(node.host);
    const auto answer = TRY(runChild({script, {}}, limits, where));
    if (answer.exitCode != 0) {
        return fail("the SSH configuration cannot be read: " + firstLine(answer.errors), where,
                    "Mend the line, or install the ssh program (package openssh-client).", ErrorKind::Work);
    }
    SshSettings settings = sshSettingsFrom(answer.output);
    settings.alias = node.host;
    if (!node.identityFile.empty()) {
        // ssh passes over a file that is not there, but its key may be in the agent.
        settings.nodeKey = expandHome(node.identityFile);
        std::erase(settings.identityFiles, settings.nodeKey);
        settings.identityFiles.insert(settings.identityFiles.begin(), settings.nodeKey);
    }
    return settings;
}

Result<void> resolveAddress(cluster::Node& node, const Limits& limits) {
    if (node.local || (node.port && !node.address.empty())) {
        return {};
    }
    const auto settings = TRY(askSshSettings(node, limits));
    node.port = node.port.value_or(settings.port);
    node.address = node.address.empty() ? settings.host : node.address;
    return {};
}

std::string sshArguments(const cluster::Node& node) {
    std::string options;
    if (node.port) {
        options += fmt::format(" -p {}", *node.port);
    }
    if (!node.user.empty()) {
        options += " -l " + shellQuote(node.user);
    }
    if (!node.identityFile.empty()) {
        options += " -i " + shellQuote(expandHome(node.identityFile).string());
    }
    return options;
}

cluster::Route routeOf(const SshSettings& settings, std::string way) {
    const bool isIpv6 = settings.host.find(':') != std::string::npos;
    const std::string host = isIpv6 ? "[" + settings.host + "]" : settings.host;
    return {.way = std::move(way),
            .place = cleanUtf8(fmt::format("{}@{}:{}", settings.user, host, settings.port)),
            .through = cleanUtf8(settings.proxyJump.empty() ? settings.proxyCommand : settings.proxyJump),
            .login = {},
            .hostKey = {}};
}

std::string proxyCommandOf(const SshSettings& settings) {
    if (!settings.proxyJump.empty()) {
        const std::size_t comma = settings.proxyJump.rfind(',');
        const std::string before = comma == std::string::npos ? "" : settings.proxyJump.substr(0, comma);
        const std::string last = settings.proxyJump.substr(comma == std::string::npos ? 0 : comma + 1);
        const bool hasPort = last.find(':') != std::string::npos && last.find("://") == std::string::npos;
        return fmt::format("exec ssh -o BatchMode=yes{} -W {} -- {}",
                           before.empty() ? "" : " -J " + shellQuote(before),
                           shellQuote(fmt::format("[{}]:{}", settings.host, settings.port)),
                           shellQuote((hasPort ? "ssh://" : "") + last));
    }
    return settings.proxyCommand.empty() ? "" : "exec " + replaceSigns(settings.proxyCommand, settings);
}

}  // namespace dlperf::remote
