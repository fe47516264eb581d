// SPDX-License-Identifier: Apache-2.0
// One connection to one host, encrypted and with the host's key checked; ssh_login.h logs in. A session and
// its channels belong to one thread, and nothing here waits longer than it is told.
#pragma once

#include <libssh2.h>
#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "core/base/descriptor.h"
#include "core/remote/known_hosts.h"
#include "core/remote/ssh_settings.h"

namespace dlperf::remote {

// Waits until these events of poll(2) are there. False at that time, or when the token asks to stop.
[[nodiscard]] bool waitForEvents(int descriptor, short events, std::chrono::steady_clock::time_point until,
                                 const std::stop_token& stop);

// A connection to the host, or one end of what a proxy command carries.
struct SshSocket {
    std::shared_ptr<void> proxy;  // ends its processes, once the socket is closed
    Descriptor descriptor;
};

// Why there is no session, and whether the ssh program may do better than libssh2.
struct SshFailure {
    Error error;
    bool beyondLibrary = false;  // the host or the key wants what libssh2 cannot do
    bool hungUp = false;         // before it greeted, as a host does that has too many logins under way
    bool nameless = false;       // no address was found for its name
    bool refusedKeys = false;    // it took none of the user's keys, and he had no part in that
};

template <class T>
using SshResult = tl::expected<T, SshFailure>;

[[nodiscard]] inline tl::unexpected<SshFailure> refuse(Error error, bool beyondLibrary = false) {
    return tl::unexpected<SshFailure>(SshFailure{std::move(error), beyondLibrary});
}

// Frees one that nobody closed; a session's end frees all that are left.
struct ChannelFree {
    void operator()(LIBSSH2_CHANNEL* channel) const { libssh2_channel_free(channel); }
};
using SshChannel = std::unique_ptr<LIBSSH2_CHANNEL, ChannelFree>;

class SshSession {
public:
    // An error of kind Work is for the user to mend: an unknown or a changed host key.
    [[nodiscard]] static SshResult<std::unique_ptr<SshSession>> open(const SshSettings& settings,
                                                                     const Limits& limits,
                                                                     CredentialProvider& credentials,
                                                                     const std::string& where);
    ~SshSession();
    SshSession(const SshSession&) = delete;
    SshSession& operator=(const SshSession&) = delete;

    [[nodiscard]] LIBSSH2_SESSION* get() const { return session_.get(); }
    [[nodiscard]] int socket() const { return socket_.descriptor.get(); }
    [[nodiscard]] std::string hostKeyType() const;  // "ssh-ed25519"
    [[nodiscard]] std::string lastError() const;    // in libssh2's words
    [[nodiscard]] short events() const;             // of poll(2), that the session waits for
    // A packet of ours is half sent: until it is whole no other channel may send one.
    [[nodiscard]] bool isHalfSent() const;
    // When bytes last came from the host.
    [[nodiscard]] std::chrono::steady_clock::time_point lastHeard() const { return lastHeard_; }

    // The host has taken leave with a reason, as it does of who tries too often; else the connection just
    // went.
    [[nodiscard]] bool endedByHost() const { return endedByHost_; }

    // Repeats a call of libssh2 until it is done. LIBSSH2_ERROR_TIMEOUT when the time is up, which is the
    // host's: what the call itself takes (it may ask the user) does not count.
    template <class Call>
    [[nodiscard]] int finish(const Limits& limits, const Call& call) const {
        auto until = std::chrono::steady_clock::now() + limits.deadline;
        for (;;) {
            const auto begin = std::chrono::steady_clock::now();
            const int code = call();
            until += std::chrono::steady_clock::now() - begin;
            if (code != LIBSSH2_ERROR_EAGAIN) {
                return code;
            }
            if (!waitForEvents(socket(), events(), until, limits.stop)) {
                return LIBSSH2_ERROR_TIMEOUT;
            }
        }
    }

    // Answers a round of prompts (keyboard-interactive) with as many texts; with nothing where the user
    // refuses, which ends the session: an empty answer would count as a failed try.
    using PromptHandler = std::function<std::optional<std::vector<std::string>>(
        std::string_view name, std::string_view instruction, std::vector<Prompt> prompts)>;
    // As libssh2_userauth_keyboard_interactive_ex, to its end.
    [[nodiscard]] int answerPrompts(const std::string& user, const Limits& limits, PromptHandler handler);

private:
    struct SessionFree {
        void operator()(LIBSSH2_SESSION* session) const;
    };

    explicit SshSession(SshSocket socket);
    [[nodiscard]] SshResult<void> greet(const SshSettings& settings, const HostKeyCheck& check,
                                        const Limits& limits, const std::string& where);
    [[nodiscard]] bool hasGreeted() const;
    static void prompted(const char* name, int nameBytes, const char* instruction, int instructionBytes,
                         int count, const LIBSSH2_USERAUTH_KBDINT_PROMPT* prompts,
                         LIBSSH2_USERAUTH_KBDINT_RESPONSE* responses, void** self);
    static void disconnected(LIBSSH2_SESSION* session, int reason, const char* message, int messageBytes,
                             const char* language, int languageBytes, void** self);
    static ssize_t receive(libssh2_socket_t socket, void* buffer, size_t length, int flags, void** self);

    SshSocket socket_;
    PromptHandler promptHandler_;
    std::chrono::steady_clock::time_point lastHeard_;
    bool endedByHost_ = false;
    std::unique_ptr<LIBSSH2_SESSION, SessionFree> session_;
};

}  // namespace dlperf::remote
