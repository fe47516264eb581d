// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_session.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "core/base/text.h"

namespace dlperf::remote {
namespace {

using Clock = std::chrono::steady_clock;

// That libssh2 can judge, the newest first.
constexpr std::array<const char*, 5> keyTypes{"ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384",
                                              "ecdsa-sha2-nistp521", "ssh-rsa"};

// libssh2 wants to be set up once, before any thread of ours uses it.
int setUp() {
    static const int code = libssh2_init(0);
    return code;
}

std::vector<std::string> supportedAlgorithms(LIBSSH2_SESSION* session) {
    const char** names = nullptr;
    const int count = libssh2_session_supported_algs(session, LIBSSH2_METHOD_HOSTKEY, &names);
    std::vector<std::string> all(names, names + std::max(count, 0));
    if (names != nullptr) {
        libssh2_free(session, static_cast<void*>(names));
    }
    return all;
}

// All, those first that the host is known by: libssh2 offers no other than these, in this order. Only what it
// has: 1.10 strips the rest from the text by a copy that overlaps.
std::string preferredAlgorithms(LIBSSH2_SESSION* session, std::vector<std::string> types) {
    types.insert(types.end(), keyTypes.begin(), keyTypes.end());
    const auto supported = supportedAlgorithms(session);
    std::vector<std::string> preferred;
    for (const std::string& type : types) {
        auto names = hostKeyAlgorithms(type);
        names.push_back(type);  // an old host may prove an RSA key by SHA-1 only
        for (const std::string& name : names) {
            const bool known = std::ranges::find(keyTypes, type) != keyTypes.end();
            const bool has = std::ranges::find(supported, name) != supported.end();
            if (known && has && std::ranges::find(preferred, name) == preferred.end()) {
                preferred.push_back(name);
            }
        }
    }
    return join(preferred, ",");
}

HostKey hostKeyOf(LIBSSH2_SESSION* session) {
    std::size_t length = 0;
    int type = 0;
    const char* blob = libssh2_session_hostkey(session, &length, &type);
    const std::string bytes = blob != nullptr ? std::string(blob, length) : std::string();
    // The key begins with the name of its type, four bytes of length before it.
    if (bytes.size() < 4) {
        return {};
    }
    const auto size = static_cast<std::size_t>(static_cast<unsigned char>(bytes[3]));
    return {bytes.substr(4, size), bytes};
}

SshFailure hungUp(const SshSettings& settings, const std::string& where) {
    return {
        .error = {fmt::format("{} port {} does not greet: it hangs up", settings.host, settings.port), where,
                  "It may have too many logins under way (MaxStartups in its sshd_config). Else check that "
                  "an SSH server listens there, and the jumps before it.",
                  ErrorKind::Transient},
        .hungUp = true};
}

}  // namespace

SshSession::SshSession(SshSocket socket)
    : socket_(std::move(socket)),
      lastHeard_(Clock::now()),
      session_(setUp() == 0 ? libssh2_session_init_ex(nullptr, nullptr, nullptr, this) : nullptr) {}

// To take leave of a host that may be gone must not wait for it.
SshSession::~SshSession() {
    if (session_) {
        libssh2_session_disconnect(get(), "the work is done");
        ::shutdown(socket(), SHUT_RDWR);
    }
}

// The socket is shut by now, so each try gets on; a bound, should it not.
void SshSession::SessionFree::operator()(LIBSSH2_SESSION* session) const {
    constexpr int tries = 100;
    for (int i = 0; i < tries && libssh2_session_free(session) == LIBSSH2_ERROR_EAGAIN; ++i) {
    }
}

SshResult<std::unique_ptr<SshSession>> SshSession::open(const SshSettings& settings, const Limits& limits,
                                                        CredentialProvider& credentials,
                                                        const std::string& where) {
    auto socket = SshSocket::connect(settings, limits, where);
    if (!socket) {
        return refuse(socket.error());
    }
    std::unique_ptr<SshSession> session(new SshSession(std::move(*socket)));
    if (!session->session_) {
        return refuse({"the SSH library did not start", where, {}, ErrorKind::Transient});
    }
    const HostKeyCheck check(settings);
    if (const auto greeted = session->greet(settings, check, limits, where); !greeted) {
        return tl::unexpected<SshFailure>(greeted.error());
    }
    if (const auto judged = check.judge(hostKeyOf(session->get()), credentials, where); !judged) {
        return refuse(judged.error());
    }
    return session;
}

SshResult<void> SshSession::greet(const SshSettings& settings, const HostKeyCheck& check,
                                  const Limits& limits, const std::string& where) {
    libssh2_session_set_blocking(get(), 0);
    libssh2_session_flag(get(), LIBSSH2_FLAG_SIGPIPE, 0);
    libssh2_session_callback_set(get(), LIBSSH2_CALLBACK_RECV, reinterpret_cast<void*>(&SshSession::receive));
    libssh2_session_method_pref(get(), LIBSSH2_METHOD_HOSTKEY,
                                preferredAlgorithms(get(), check.knownTypes()).c_str());
    const int code = finish(limits, [this] { return libssh2_session_handshake(get(), socket()); });
    if (code == 0) {
        return {};
    }
    if (code != LIBSSH2_ERROR_TIMEOUT && !hasGreeted()) {
        return tl::unexpected<SshFailure>(hungUp(settings, where));
    }
    const bool noCommonMethod = code == LIBSSH2_ERROR_KEX_FAILURE || code == LIBSSH2_ERROR_METHOD_NONE;
    return refuse({fmt::format("{} port {} does not greet: {}", settings.host, settings.port,
                               code == LIBSSH2_ERROR_TIMEOUT ? "no answer in time" : lastError()),
                   where,
                   noCommonMethod ? "Give the host an ed25519 host key (ssh-keygen -A there)."
                                  : "Check that an SSH server listens there, and the jumps before it.",
                   noCommonMethod ? ErrorKind::Work : ErrorKind::Transient},
                  noCommonMethod);
}

bool SshSession::hasGreeted() const {
    const char* banner = libssh2_session_banner_get(get());  // or any other line that it said first
    return banner != nullptr && std::string_view(banner).starts_with("SSH-");
}

int SshSession::answerPrompts(const std::string& user, const Limits& limits, PromptHandler handler) {
    promptHandler_ = std::move(handler);
    const int code = finish(limits, [&] {
        return libssh2_userauth_keyboard_interactive_ex(
            get(), user.c_str(), static_cast<unsigned>(user.size()), &SshSession::prompted);
    });
    promptHandler_ = {};
    return code;
}

void SshSession::prompted(const char* name, int nameBytes, const char* instruction, int instructionBytes,
                          int count, const LIBSSH2_USERAUTH_KBDINT_PROMPT* prompts,
                          LIBSSH2_USERAUTH_KBDINT_RESPONSE* responses, void** self) {
    auto& session = *static_cast<SshSession*>(*self);
    const auto text = [](const auto* bytes, auto size) {
        return bytes != nullptr
                   ? std::string(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size))
                   : std::string();
    };
    std::vector<Prompt> asked;
    std::transform(prompts, prompts + count, std::back_inserter(asked),
                   [&](const LIBSSH2_USERAUTH_KBDINT_PROMPT& prompt) {
                       return Prompt{text(prompt.text, prompt.length), prompt.echo != 0};
                   });
    const auto answers =
        session.promptHandler_(text(name, nameBytes), text(instruction, instructionBytes), std::move(asked));
    if (!answers || answers->size() != static_cast<std::size_t>(count)) {
        ::shutdown(session.socket(), SHUT_RDWR);
        return;
    }
    for (int i = 0; i < count; ++i) {
        const std::string& answer = (*answers)[static_cast<std::size_t>(i)];
        // libssh2 frees it.
        responses[i].text = ::strndup(answer.c_str(), answer.size());
        responses[i].length = static_cast<unsigned>(std::strlen(responses[i].text));
    }
}

std::string SshSession::hostKeyType() const {
    return cleanUtf8(hostKeyOf(get()).type);
}

std::string SshSession::lastError() const {
    char* text = nullptr;
    int length = 0;
    libssh2_session_last_error(get(), &text, &length, 0);
    return firstLine(text != nullptr ? std::string_view(text, static_cast<std::size_t>(length))
                                     : std::string_view());
}

short SshSession::events() const {
    return static_cast<short>(POLLIN | (isHalfSent() ? POLLOUT : 0));
}

bool SshSession::isHalfSent() const {
    return (libssh2_session_block_directions(get()) & LIBSSH2_SESSION_BLOCK_OUTBOUND) != 0;
}

ssize_t SshSession::receive(libssh2_socket_t socket, void* buffer, size_t length, int flags, void** self) {
    const ssize_t got = ::recv(socket, buffer, length, flags);
    if (got < 0) {
        return -errno;
    }
    static_cast<SshSession*>(*self)->lastHeard_ = Clock::now();
    return got;
}

}  // namespace dlperf::remote
