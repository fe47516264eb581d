// SPDX-License-Identifier: Apache-2.0
#include "ui/session/runner_start.h"

#include <sys/mman.h>
#include <QProcess>
#include <QUuid>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "core/base/descriptor.h"
#include "core/base/file.h"
#include "core/base/text.h"

namespace dlperf::ui {
namespace {

constexpr std::uintmax_t longestMessage = 64U << 10U;

// The code comes by rename: who sees the file sees all of it, and everything that was said.
constexpr const char* script = "code=$1; shift; \"$@\"; echo $? >\"$code.new\" && mv \"$code.new\" \"$code\"";

}  // namespace

std::filesystem::path RunnerStart::said(const std::filesystem::path& code) {
    return code.parent_path() / (code.stem().string() + ".said");
}

Result<RunnerStart> RunnerStart::begin(const QString& program, const QStringList& arguments,
                                       const std::filesystem::path& folder, const std::string& input) {
    const Descriptor memory(::memfd_create("dlperf-input", MFD_CLOEXEC));
    if (const int failed = memory.open() ? writeAll(memory.get(), input) : errno; failed != 0) {
        return fail("no process can be started", std::strerror(failed), {}, ErrorKind::Work);
    }
    if (auto made = makeFolders(folder); !made) {
        return Failure(made.error());
    }
    const auto code = folder / (QUuid::createUuid().toString(QUuid::Id128).toStdString() + ".code");
    QProcess process;
    process.setProgram(QStringLiteral("/bin/sh"));
    process.setArguments(QStringList{QStringLiteral("-c"), QString::fromLatin1(script), QStringLiteral("sh"),
                                     QString::fromStdString(code.string()), program} +
                         arguments);
    // Opened anew by this name, it is read from its begin.
    process.setStandardInputFile(QStringLiteral("/proc/self/fd/%1").arg(memory.get()));
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QString::fromStdString(said(code).string()));
    if (!process.startDetached()) {
        return fail("no process can be started", process.errorString().toStdString(), {}, ErrorKind::Work);
    }
    return RunnerStart(code);
}

std::optional<RunnerStart::Ended> RunnerStart::look() const {
    std::error_code error;
    if (!std::filesystem::exists(code_, error)) {
        return std::nullopt;
    }
    const auto code = readFile(code_);
    const auto text = readFile(said(code_), longestMessage);
    std::filesystem::remove(code_, error);
    std::filesystem::remove(said(code_), error);
    return Ended{code ? toInt(trim(*code)).value_or(1) : 1,
                 QString::fromStdString(text ? *text : describe(text.error())).trimmed()};
}

}  // namespace dlperf::ui
