// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_login.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/remote/ssh_identities.h"
#include "core/remote/ssh_wire.h"

namespace dlperf::remote {
namespace {

constexpr int secretTries = 3;  // passwords and rounds of prompts that the user may get wrong
constexpr std::size_t manyKeys = 5;
constexpr std::string_view kerberosMethod = "gssapi-with-mic";

// As hosts call it (RFC 4252, RFC 4256).
std::string_view nameOf(LoginMethod method) {
    constexpr std::array<std::string_view, 3> names{"publickey", "keyboard-interactive", "password"};
    return names[static_cast<std::size_t>(method)];
}

// The name of the algorithm is taken from the key's bytes, so an RSA key goes by the name of the algorithm
// that signs. Hosts know it under both; libssh2 1.10 has no other way to sign with anything but SHA-1.
std::string algorithmKey(const std::string& publicKey) {
    WireReader reader(publicKey);
    if (reader.string() != "ssh-rsa") {
        return publicKey;
    }
    std::string renamed;
    putString(renamed, "rsa-sha2-512");
    return renamed.append(reader.rest());
}

struct Signing {
    const SshIdentity& identity;
    CredentialProvider& credentials;
    bool wanted = false;  // the host takes the key
    bool signedIt = false;
};

int sign(LIBSSH2_SESSION* /*session*/, unsigned char** signature, size_t* bytes, const unsigned char* data,
         size_t dataBytes, void** abstract) {
    auto& signing = *static_cast<Signing*>(*abstract);
    signing.wanted = true;
    if (signing.identity.signer != SshIdentity::Signer::Agent) {
        return -1;
    }
    // Some agents ask their user before they sign.
    const std::string made = signing.credentials.wait([&](const Limits& limits) {
        return signing.identity.sign({reinterpret_cast<const char*>(data), dataBytes}, limits);
    });
    *signature = made.empty() ? nullptr : static_cast<unsigned char*>(std::malloc(made.size()));
    if (*signature == nullptr) {
        return -1;
    }
    std::copy(made.begin(), made.end(), reinterpret_cast<char*>(*signature));  // libssh2 frees it
    *bytes = made.size();
    signing.signedIt = true;
    return 0;
}

// The prompt of a plain password, which the user need not type again after a loss; unlike a code.
bool isPassword(const std::vector<Prompt>& prompts) {
    return prompts.size() == 1 && !prompts[0].echo && lower(trim(prompts[0].text)) == "password:";
}

class Login {
public:
    Login(SshSession& session, const SshSettings& settings, CredentialProvider& credentials,
          const Limits& limits)
        : session_(session),
          settings_(settings),
          credentials_(credentials),
          limits_(limits),
          identities_(settings, limits) {}

    // True once the host is content.
    bool enter() {
        askMethods();
        while (!done() && !gone_ && (byKeys() || (!isBeyondLibrary() && (byPrompts() || byPassword())))) {
        }
        return done();
    }

    [[nodiscard]] const std::vector<LoginFactor>& taken() const { return taken_; }
    [[nodiscard]] SshFailure failure(const std::string& where) const {
        const std::string account = fmt::format("{}@{}", settings_.user, settings_.host);
        if (programKey_ != nullptr) {
            return {{fmt::format("{} takes {}, which only the ssh program can use", account,
                                 cleanUtf8(programKey_->label)),
                     where,
                     programKey_->file.empty() ? "Try ssh " + shellQuote(settings_.alias) + " in a terminal."
                                               : "Load the key with ssh-add.",
                     ErrorKind::Work},
                    true};
        }
        const std::string tried = tried_.empty() ? "no key was found" : "tried " + join(tried_, ", ");
        const bool wrong = secretsLeft_ < secretTries;
        if (gone_ && !refused_ && !wrong) {
            const bool tooMany = tried_.size() >= manyKeys;
            return {
                .error = {fmt::format("{} broke off the login ({})", settings_.host, cleanUtf8(tried)), where,
                          tooMany ? "It takes only so many keys: name the right one, with IdentitiesOnly yes."
                                  : "",
                          tooMany ? ErrorKind::Work : ErrorKind::Transient},
                .refusedKeys = true};
        }
        std::string what = fmt::format("{} does not let in: {}; it takes {}", account, cleanUtf8(tried),
                                       cleanUtf8(offered_));
        for (const std::string& problem : identities_.problems()) {
            what += "; " + cleanUtf8(problem);
        }
        const bool wantsUser = offers(LoginMethod::Password) || offers(LoginMethod::Prompts);
        if (refused_ && wantsUser) {
            what +=
                credentials_.canPrompt() ? "; no answer was given" : "; nobody is there to type an answer";
        } else if (wrong) {
            what += "; what was typed was wrong";
        }
        const bool kerberos = settings_.mayUseKerberos && offers(kerberosMethod);
        return {
            .error =
                {what, where,
                 identities_.problems().empty()
                     ? "Put a key into its authorized_keys (ssh-copy-id), or load the right one with ssh-add."
                     : "Correct the key of the node, or load it with ssh-add.",
                 ErrorKind::Work},
            .beyondLibrary = isBeyondLibrary() || (kerberos && !wrong),
            .refusedKeys = !wrong && !(refused_ && credentials_.canPrompt())};
    }

private:
    [[nodiscard]] bool done() const { return libssh2_userauth_authenticated(session_.get()) != 0; }
    [[nodiscard]] unsigned userBytes() const { return static_cast<unsigned>(settings_.user.size()); }
    [[nodiscard]] bool mayPrompt() const { return settings_.mayAsk && secretsLeft_ > 0; }
    [[nodiscard]] bool offers(LoginMethod method) const { return offers(nameOf(method)); }
    [[nodiscard]] bool offers(std::string_view method) const {
        const auto methods = split(offered_, ',');
        return std::find(methods.begin(), methods.end(), method) != methods.end();
    }

    [[nodiscard]] bool mayShowKeys() const { return offers(LoginMethod::Key) && settings_.mayUseKeys; }
    // The ssh program can show a key that libssh2 cannot: it goes before prompts and passwords.
    [[nodiscard]] bool isBeyondLibrary() const {
        return programKey_ != nullptr || (identities_.needProgram() && mayShowKeys());
    }

    // What the host still wants; empty where it takes the user as he is.
    void askMethods() {
        const char* list = nullptr;
        const int code = session_.finish(limits_, [&] {
            list = libssh2_userauth_list(session_.get(), settings_.user.c_str(), userBytes());
            return list == nullptr ? libssh2_session_last_errno(session_.get()) : 0;
        });
        gone_ = list == nullptr && !done() && code != 0;
        offered_ = list != nullptr ? list : offered_;
    }

    // A factor that was taken shows in what the host asks for next. To ask counts as a failed try
    // (MaxAuthTries of sshd is 6), so only where it may have been.
    bool isCloser() {
        if (done()) {
            return true;
        }
        const std::string before = offered_;
        askMethods();
        return done() || (!gone_ && offered_ != before);
    }

    // The connection went before the host said a word of what was typed: that need not be wrong.
    [[nodiscard]] bool isUnjudged() const { return gone_ && !session_.endedByHost(); }

    // Each of the next is true where the host is content, or has taken this factor and wants another.
    bool byKeys() {
        // Two keys may be two factors: one that was taken need not show in what is offered.
        while (mayShowKeys() && !gone_ && programKey_ == nullptr &&
               nextIdentity_ < identities_.all().size()) {
            const SshIdentity& identity = identities_.all()[nextIdentity_++];
            tried_.push_back(identity.label);
            if (showKey(identity)) {
                taken_.push_back({LoginMethod::Key, identity.label});
                return true;
            }
        }
        return false;
    }

    bool showKey(const SshIdentity& identity) {
        if (identity.signer != SshIdentity::Signer::Library) {
            return showByCallback(identity);
        }
        const int code = session_.finish(limits_, [&] {
            return libssh2_userauth_publickey_fromfile_ex(session_.get(), settings_.user.c_str(), userBytes(),
                                                          nullptr, identity.file.c_str(), "");
        });
        if (code == 0 || (code == LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED && isCloser())) {
            return true;
        }
        if (code == LIBSSH2_ERROR_FILE || identity.publicKey.empty()) {
            identities_.leaveToProgram();
        }
        gone_ = gone_ || (code != LIBSSH2_ERROR_AUTHENTICATION_FAILED && code != LIBSSH2_ERROR_FILE &&
                          code != LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED);
        return false;
    }

    // Shows the public half, and signs by the agent where the host takes it.
    bool showByCallback(const SshIdentity& identity) {
        const std::string key = algorithmKey(identity.publicKey);
        Signing signing{identity, credentials_};
        void* abstract = &signing;
        const int code = session_.finish(limits_, [&] {
            return libssh2_userauth_publickey(session_.get(), settings_.user.c_str(),
                                              reinterpret_cast<const unsigned char*>(key.data()), key.size(),
                                              &sign, &abstract);
        });
        if (code == 0 || (signing.signedIt && isCloser())) {
            return true;
        }
        if (signing.wanted && identity.signer == SshIdentity::Signer::Program) {
            programKey_ = &identity;
        }
        gone_ =
            gone_ || (!signing.wanted && code != LIBSSH2_ERROR_AUTHENTICATION_FAILED);  // not even refused
        return false;
    }

    bool byPrompts() {
        while (offers(LoginMethod::Prompts) && settings_.mayUsePrompts && mayPrompt() && !refused_) {
            bool asked = false;
            const int code = session_.answerPrompts(
                settings_.user, limits_,
                [&](std::string_view name, std::string_view instruction, std::vector<Prompt> prompts) {
                    asked = asked || !prompts.empty();
                    std::optional<std::vector<std::string>> answers;
                    if (isPassword(prompts)) {
                        password_ = credentials_.password(settings_, password_);
                        answers = password_ ? std::optional(std::vector{*password_}) : std::nullopt;
                    } else {
                        answers = credentials_.prompts(settings_, name, instruction, std::move(prompts));
                    }
                    refused_ = refused_ || !answers;
                    return answers;
                });
            if (code == 0 || isCloser()) {
                taken_.push_back({LoginMethod::Prompts});
                return true;
            }
            secretsLeft_ -= asked && !isUnjudged() ? 1 : 0;
            if (!asked || gone_) {
                return false;
            }
        }
        return false;
    }

    bool byPassword() {
        while (offers(LoginMethod::Password) && settings_.mayUsePassword && mayPrompt() && !refused_ &&
               !gone_) {
            password_ = credentials_.password(settings_, password_);
            if (!password_) {
                refused_ = true;
                return false;
            }
            const int code = session_.finish(limits_, [&] {
                return libssh2_userauth_password_ex(session_.get(), settings_.user.c_str(), userBytes(),
                                                    password_->c_str(),
                                                    static_cast<unsigned>(password_->size()), nullptr);
            });
            if (code == 0 || isCloser()) {
                taken_.push_back({LoginMethod::Password});
                return true;
            }
            secretsLeft_ -= isUnjudged() ? 0 : 1;
        }
        return false;
    }

    SshSession& session_;
    const SshSettings& settings_;
    CredentialProvider& credentials_;
    const Limits& limits_;
    SshIdentities identities_;
    std::size_t nextIdentity_ = 0;
    int secretsLeft_ = secretTries;
    std::optional<std::string> password_;  // the last one given
    std::string offered_;
    const SshIdentity* programKey_ = nullptr;  // that the host takes, and only the ssh program can sign with
    std::vector<std::string> tried_;
    std::vector<LoginFactor> taken_;
    bool gone_ = false;
    bool refused_ = false;  // by the user
};

}  // namespace

SshResult<std::vector<LoginFactor>> login(SshSession& session, const SshSettings& settings,
                                          CredentialProvider& credentials, const Limits& limits,
                                          const std::string& where) {
    Login login(session, settings, credentials, limits);
    if (login.enter()) {
        return login.taken();
    }
    return tl::unexpected<SshFailure>(login.failure(where));
}

std::string describe(const std::vector<LoginFactor>& factors) {
    const auto words = mapped(factors, [](const LoginFactor& factor) {
        return factor.method == LoginMethod::Key ? "key " + factor.key : std::string(nameOf(factor.method));
    });
    return words.empty() ? "without a question" : cleanUtf8(join(words, ", "));
}

}  // namespace dlperf::remote
