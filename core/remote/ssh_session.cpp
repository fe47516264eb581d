// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iterator>
#include <memory>
#include <thread>
#include <utility>

#include "core/base/text.h"
#include "core/remote/local_transport.h"
#include "core/remote/ssh_wire.h"

namespace dlperf::remote {
namespace {

using Clock = std::chrono::steady_clock;
constexpr Milliseconds socketPoll{50};  // how long a stop may go unseen
// Bytes that nobody acknowledges for so long mean that the peer is gone.
constexpr Milliseconds unacknowledged{20'000};
constexpr Milliseconds proxyEnd{1'000};

struct AddressesFree {
    void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, AddressesFree>;

Result<Addresses> resolve(const SshSettings& settings, const std::string& where) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_ADDRCONFIG;
    addrinfo* list = nullptr;
    const int error =
        ::getaddrinfo(settings.host.c_str(), std::to_string(settings.port).c_str(), &wanted, &list);
    if (error != 0) {
        return fail(fmt::format("the name {} has no address: {}", settings.host, ::gai_strerror(error)),
                    where, "Check the name, or give the address.",
                    error == EAI_AGAIN || settings.nameIsKnown ? ErrorKind::Transient : ErrorKind::Work);
    }
    return Addresses(list);
}

void setOptions(int socket, const SshSettings& settings) {
    const int on = 1;
    const Milliseconds silence = std::min(settings.silence().value_or(unacknowledged), unacknowledged);
    const auto time = static_cast<unsigned>(silence.count());
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &time, sizeof time);
}

// 0, or the number of the error.
int connectTo(int socket, const addrinfo& address, Clock::time_point until, const std::stop_token& stop) {
    if (::connect(socket, address.ai_addr, address.ai_addrlen) == 0) {
        return 0;
    }
    if (errno != EINPROGRESS) {
        return errno;
    }
    if (waitForEvents(socket, POLLOUT, until, stop)) {
        int error = 0;
        socklen_t size = sizeof error;
        ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
        return error;
    }
    return ETIMEDOUT;
}

Failure unreachable(const SshSettings& settings, const std::string& where, int error) {
    const std::string remedy = error == ECONNREFUSED
                                   ? "Check that sshd runs there, and the port."
                                   : "Check that the machine is on, its address and the network between.";
    return fail(
        fmt::format("{} port {} does not answer: {}", settings.host, settings.port, std::strerror(error)),
        where, remedy, ErrorKind::Transient);
}

void endProxy(pid_t group) {
    ::kill(-group, SIGTERM);
    const auto until = Clock::now() + proxyEnd;
    while (::waitpid(group, nullptr, WNOHANG) == 0) {
        if (Clock::now() > until) {
            ::kill(-group, SIGKILL);
        }
        std::this_thread::sleep_for(Milliseconds{2});
    }
}

Result<SshSocket> connectByProxy(const SshSettings& settings, const std::string& command,
                                 const std::string& where) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        return unreachable(settings, where, errno);
    }
    Descriptor own(ends[0]);
    const Descriptor other(ends[1]);
    ::fcntl(own.get(), F_SETFL, O_NONBLOCK);
    const Descriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    const auto proxy = TRY(startShell(command, {other.get(), other.get(), nowhere.get()}, where));
    return SshSocket{std::shared_ptr<void>(nullptr, [group = proxy](void*) { endProxy(group); }),
                     std::move(own)};
}

Result<SshSocket> connectToFirst(const Addresses& addresses, const SshSettings& settings,
                                 const Limits& limits, const std::string& where) {
    int error = ETIMEDOUT;
    const auto until = Clock::now() + limits.deadline;
    for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next) {
        Descriptor socket(::socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        error = socket.open() ? connectTo(socket.get(), *address, until, limits.stop) : errno;
        if (error == 0) {
            setOptions(socket.get(), settings);
            return SshSocket{{}, std::move(socket)};
        }
    }
    return unreachable(settings, where, error);
}

// Non-blocking and connected. Transient where nobody answers; Work where a name has no address that never
// had one.
SshResult<SshSocket> connectSocket(const SshSettings& settings, const Limits& limits,
                                   const std::string& where) {
    const std::string proxy = proxyCommandOf(settings);
    const auto addresses = proxy.empty() ? resolve(settings, where) : Result<Addresses>();
    if (!addresses) {
        return tl::unexpected<SshFailure>(SshFailure{.error = addresses.error(), .nameless = true});
    }
    auto socket = proxy.empty() ? connectToFirst(*addresses, settings, limits, where)
                                : connectByProxy(settings, proxy, where);
    return socket ? SshResult<SshSocket>(std::move(*socket)) : refuse(socket.error());
}

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
    std::string bytes = blob != nullptr ? std::string(blob, length) : std::string();
    return {keyTypeOf(bytes), std::move(bytes)};
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

bool waitForEvents(int descriptor, short events, Clock::time_point until, const std::stop_token& stop) {
    while (Clock::now() < until && !stop.stop_requested()) {
        pollfd ready{descriptor, events, 0};
        if (::poll(&ready, 1, static_cast<int>(socketPoll.count())) > 0) {
            return true;
        }
    }
    return false;
}

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
    auto socket = connectSocket(settings, limits, where);
    if (!socket) {
        return tl::unexpected<SshFailure>(socket.error());
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
    libssh2_session_callback_set(get(), LIBSSH2_CALLBACK_DISCONNECT,
                                 reinterpret_cast<void*>(&SshSession::disconnected));
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

void SshSession::disconnected(LIBSSH2_SESSION* /*session*/, int /*reason*/, const char* /*message*/,
                              int /*messageBytes*/, const char* /*language*/, int /*languageBytes*/,
                              void** self) {
    static_cast<SshSession*>(*self)->endedByHost_ = true;
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
