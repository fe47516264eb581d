// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_login.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "core/base/text.h"

namespace dlperf::remote {
namespace {

class Login {
public:
    Login(SshSession& session, const SshSettings& settings, const Limits& limits)
        : session_(session), settings_(settings), limits_(limits) {}

    // True once the host is content.
    bool byKeys() {
        for (std::string before; offered_ != before && offers("publickey");) {
            before = offered_;
            if (tryAgent() || tryFiles()) {
                return true;
            }
            ask();  // a factor that was taken makes the host ask for others
        }
        return done();
    }

    // What the host still wants; empty where it takes the user as he is.
    void ask() {
        const char* list = nullptr;
        const auto length = static_cast<unsigned>(settings_.user.size());
        (void)session_.finish(limits_, [&] {
            list = libssh2_userauth_list(session_.get(), settings_.user.c_str(), length);
            return list == nullptr ? libssh2_session_last_errno(session_.get()) : 0;
        });
        offered_ = list == nullptr ? "" : list;
    }

    [[nodiscard]] bool done() const { return libssh2_userauth_authenticated(session_.get()) != 0; }
    [[nodiscard]] const std::string& offered() const { return offered_; }
    [[nodiscard]] const std::vector<std::string>& tried() const { return tried_; }

private:
    struct AgentFree {
        void operator()(LIBSSH2_AGENT* agent) const {
            libssh2_agent_disconnect(agent);
            libssh2_agent_free(agent);
        }
    };

    [[nodiscard]] bool offers(std::string_view method) const {
        for (const std::string_view one : split(offered_, ',')) {
            if (one == method) {
                return true;
            }
        }
        return false;
    }

    bool tryAgent() {
        const bool none = settings_.identityAgent == "none" ||
                          (settings_.identityAgent.empty() && std::getenv("SSH_AUTH_SOCK") == nullptr);
        const std::unique_ptr<LIBSSH2_AGENT, AgentFree> agent(none ? nullptr
                                                                   : libssh2_agent_init(session_.get()));
        if (!agent) {
            return false;
        }
        if (settings_.identityAgent.starts_with('/')) {
            libssh2_agent_set_identity_path(agent.get(), settings_.identityAgent.c_str());
        }
        if (libssh2_agent_connect(agent.get()) != 0 || libssh2_agent_list_identities(agent.get()) != 0) {
            return false;
        }
        libssh2_agent_publickey* key = nullptr;
        while (libssh2_agent_get_identity(agent.get(), &key, key) == 0) {
            tried_.push_back(fmt::format("the agent's {}", key->comment != nullptr ? key->comment : "key"));
            const int code = session_.finish(
                limits_, [&] { return libssh2_agent_userauth(agent.get(), settings_.user.c_str(), key); });
            if (code == 0 && done()) {
                return true;
            }
        }
        return false;
    }

    bool tryFiles() {
        for (const auto& file : settings_.identityFiles) {
            std::error_code error;
            if (!std::filesystem::is_regular_file(file, error)) {
                continue;
            }
            tried_.push_back(file.string());
            const int code = session_.finish(limits_, [&] {
                return libssh2_userauth_publickey_fromfile_ex(session_.get(), settings_.user.c_str(),
                                                              static_cast<unsigned>(settings_.user.size()),
                                                              nullptr, file.c_str(), nullptr);
            });
            if (code == 0 && done()) {
                return true;
            }
        }
        return false;
    }

    SshSession& session_;
    const SshSettings& settings_;
    const Limits& limits_;
    std::string offered_;
    std::vector<std::string> tried_;
};

}  // namespace

Result<void> login(SshSession& session, const SshSettings& settings, const Limits& limits,
                   const std::string& where) {
    Login login(session, settings, limits);
    login.ask();
    if (login.done() || login.byKeys()) {
        return {};
    }
    const std::string tried =
        login.tried().empty() ? "no key was found" : "tried " + join(login.tried(), ", ");
    return fail(fmt::format("{}@{} does not let in: {}; it takes {}", settings.user, settings.host,
                            cleanUtf8(tried), cleanUtf8(login.offered())),
                where,
                "Put a key into its authorized_keys (ssh-copy-id), or load the right one with ssh-add.",
                ErrorKind::Work);
}

}  // namespace dlperf::remote
