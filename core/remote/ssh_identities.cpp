// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_identities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/remote/key_file.h"
#include "core/remote/ssh_agent.h"

namespace dlperf::remote {
namespace {

constexpr int passphraseTries = 3;

// A key file that is opened when the host wants its signature, not before.
class FileKey {
public:
    FileKey(std::filesystem::path path, KeyFile file, SshAsker& asker,
            std::shared_ptr<std::vector<std::string>> problems)
        : path_(std::move(path)), file_(std::move(file)), asker_(asker), problems_(std::move(problems)) {}

    std::string publicKey() {
        if (!file_.publicKey().empty()) {
            return file_.publicKey();
        }
        return open() ? key_->publicKey() : "";
    }
    std::string sign(std::string_view data) { return open() ? key_->sign(data) : ""; }

private:
    bool open() {
        if (!key_ && !file_.encrypted()) {
            key_ = file_.open({});
        }
        std::optional<std::string> given;
        for (int i = 0; i < passphraseTries && !key_; ++i) {
            const auto wrong = given;
            given = asker_.passphrase(path_, wrong);
            if (!given) {
                const char* why = asker_.canPrompt() ? "no passphrase was given for "
                                                     : "nobody is there to type the passphrase of ";
                problems_->push_back(why + path_.string());
                return false;
            }
            key_ = file_.open(*given);
        }
        if (!key_) {
            problems_->push_back(fmt::format("the passphrase does not fit {}", path_.string()));
        }
        return key_.has_value();
    }

    std::filesystem::path path_;
    KeyFile file_;
    SshAsker& asker_;
    std::shared_ptr<std::vector<std::string>> problems_;
    std::optional<PrivateKey> key_;
};

// On a FIDO token, or certified.
bool isForProgram(std::string_view publicKey) {
    const std::string type = keyTypeOf(publicKey);
    return type.starts_with("sk-") || type.find("-cert-") != std::string::npos;
}

std::filesystem::path agentSocket(const SshSettings& settings) {
    const std::string& said = settings.identityAgent;
    if (said == "none") {
        return {};
    }
    if (said.empty() || said == "SSH_AUTH_SOCK" || said.starts_with('$')) {
        const char* value = std::getenv(said.starts_with('$') ? said.c_str() + 1 : "SSH_AUTH_SOCK");
        return value != nullptr ? value : "";
    }
    return expandHome(said);
}

// The public halves of the files that the configuration names.
std::vector<std::string> namedKeys(const SshSettings& settings) {
    std::vector<std::string> keys;
    for (const auto& file : settings.identityFiles) {
        if (const auto read = KeyFile::read(file); read && !read->publicKey().empty()) {
            keys.push_back(read->publicKey());
        } else {
            keys.push_back(publicKeyFromFile(file));  // its private half is in the agent alone
            keys.push_back(publicKeyFromFile(file.string() + ".pub"));
        }
    }
    return keys;
}

}  // namespace

SshIdentities::SshIdentities(const SshSettings& settings, SshAsker& asker, const Limits& limits) {
    std::error_code error;
    if (!settings.nodeKey.empty() && !std::filesystem::exists(settings.nodeKey, error)) {
        problems_->push_back("there is no key file " + settings.nodeKey.string());
    }
    addAgent(settings, asker, limits);
    for (const auto& file : settings.identityFiles) {
        addFile(file, asker);
    }
}

void SshIdentities::addAgent(const SshSettings& settings, SshAsker& asker, const Limits& limits) {
    auto connected = SshAgent::connect(agentSocket(settings));
    if (!connected) {
        return;
    }
    const auto agent = std::make_shared<SshAgent>(std::move(*connected));
    auto keys = agent->keys(limits);
    const auto named = namedKeys(settings);
    const auto isNamed = [&](const AgentKey& key) {
        return std::find(named.begin(), named.end(), key.publicKey) != named.end();
    };
    if (settings.identitiesOnly) {
        std::erase_if(keys, [&](const AgentKey& key) { return !isNamed(key); });
    }
    std::stable_partition(keys.begin(), keys.end(), isNamed);
    for (const AgentKey& key : keys) {
        offered_.push_back(key.publicKey);
        if (isForProgram(key.publicKey)) {
            needProgram_ = true;
            continue;
        }
        // Some agents ask their user before they sign.
        all_.push_back({"the agent's " + key.comment, [key] { return key.publicKey; },
                        [agent, key, &asker](std::string_view data) {
                            return asker.wait([&](const Limits& patience) {
                                return agent->sign(key.publicKey, data, patience);
                            });
                        }});
    }
}

void SshIdentities::addFile(const std::filesystem::path& file, SshAsker& asker) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) {
        return;
    }
    needProgram_ = needProgram_ || std::filesystem::exists(file.string() + "-cert.pub", error);
    auto read = KeyFile::read(file);
    if (!read && !publicKeyFromFile(file).empty()) {
        return;  // names a key of the agent
    }
    if (!read) {
        problems_->push_back(fmt::format("{} {}", file.string(), read.error().what));
        return;
    }
    const std::string& known = read->publicKey();
    if (isForProgram(known)) {
        needProgram_ = true;
        return;
    }
    if (!known.empty() && std::find(offered_.begin(), offered_.end(), known) != offered_.end()) {
        return;  // the agent has it
    }
    offered_.push_back(known);
    const auto key = std::make_shared<FileKey>(file, std::move(*read), asker, problems_);
    all_.push_back({file.string(), [key] { return key->publicKey(); },
                    [key](std::string_view data) { return key->sign(data); }});
}

}  // namespace dlperf::remote
