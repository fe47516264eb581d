// SPDX-License-Identifier: Apache-2.0
// A runner being started: it belongs to nobody, so a window that is closed right after does not end it. What
// it says and how it ends is left in two files.
#pragma once

#include <QString>
#include <QStringList>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/error.h"

namespace dlperf::ui {

class RunnerStart {
public:
    struct Ended {
        int code = 0;
        QString said;
    };

    // Starts the program; the two files stand in `folder`, which is made. The program's standard input is
    // `input`, which is in memory only.
    [[nodiscard]] static Result<RunnerStart> begin(const QString& program, const QStringList& arguments,
                                                   const std::filesystem::path& folder,
                                                   const std::string& input);
    // Its end, once it has come; the files are gone then.
    [[nodiscard]] std::optional<Ended> look() const;

private:
    explicit RunnerStart(std::filesystem::path code) : code_(std::move(code)) {}
    [[nodiscard]] static std::filesystem::path said(const std::filesystem::path& code);

    std::filesystem::path code_;
};

}  // namespace dlperf::ui
