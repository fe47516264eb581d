// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/screenshots.h"

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QTimer>
#include <functional>

#include "core/base/file.h"
#include "ui/session/node_list.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"

namespace dlperf::ui {
namespace {

constexpr int mostWaiting = 20'000;  // ms
constexpr int settling = 600;        // ms: what was read arrives, layouts and charts come to rest

void wait(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

bool waitFor(const std::function<bool()>& condition) {
    const QDeadlineTimer deadline(mostWaiting);
    while (!condition()) {
        if (deadline.hasExpired()) {
            return false;
        }
        wait(20);
    }
    return true;
}

}  // namespace

Result<void> takeScreenshots(MainWindow& window, Session& session, const std::filesystem::path& folder,
                             QSize size) {
    TRY(makeFolders(folder));
    window.resize(size);
    window.show();
    const bool ready = waitFor(
        [&] { return session.isLoaded() && window.launch().isReady() && session.nodes().isChecked(); });
    if (!ready) {
        return fail("the workspace could not be read in time", session.workspace().root().string(), {},
                    ErrorKind::Work);
    }
    for (int i = 0; i < sectionCount; ++i) {
        const auto section = static_cast<Section>(i);
        window.showSection(section);
        if (section == Section::Report) {
            waitFor([&] { return window.report().isShown(); });
        }
        wait(settling);
        const auto file = folder / (sectionName(section).toStdString() + ".png");
        if (!window.grab().save(QString::fromStdString(file.string()))) {
            return fail("the picture could not be written", file.string(), {}, ErrorKind::Work);
        }
    }
    return {};
}

}  // namespace dlperf::ui
