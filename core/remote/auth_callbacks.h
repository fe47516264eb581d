// SPDX-License-Identifier: Apache-2.0
// What a login may have to ask the user. AuthCallbacks come from a connection's thread, one at a time for all
// nodes; whoever shows them (a terminal, a dialog) may take its time.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/remote/transport.h"

namespace dlperf::remote {

struct Prompt {
    std::string text;   // one line; may be the host's words, cleaned and bounded
    bool echo = false;  // what is typed may be seen
};

// Answers that are wanted together: one dialog.
struct PromptRequest {
    std::string node;         // name of the node
    std::string title;        // our words: whose passphrase or password it is
    std::string instruction;  // the host's words, cleaned and bounded; may be empty
    std::vector<Prompt> prompts;
    // Of a passphrase or a password: what it is for, the same each time. Empty: the answers are good for
    // once.
    std::string id{};
    bool again = false;  // the last answer, whoever gave it, did not fit
};

// A host that is not known yet.
struct HostKeyRequest {
    std::string node;
    std::string host;            // as it would stand among the known hosts: "[10.0.0.1]:2222"
    std::string type;            // "ssh-ed25519"
    std::string fingerprint;     // "SHA256:…"
    std::filesystem::path file;  // where it would be stored
};

enum class HostKeyDecision { Refuse, TrustOnce, TrustAndStore };

// Either may be empty: then nobody is there to ask. They come back at the deadline or when the stop token
// asks, as if the user had refused.
struct AuthCallbacks {
    // As many answers as prompts; nothing where the user refuses.
    std::function<std::optional<std::vector<std::string>>(const PromptRequest&, const Limits&)> prompts;
    std::function<HostKeyDecision(const HostKeyRequest&, const Limits&)> hostKey;
};

}  // namespace dlperf::remote
