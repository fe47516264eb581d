// SPDX-License-Identifier: Apache-2.0
// Our log view alone in a window, for compare_glogg.py: bench_log_window FILE... shows the logs of as many
// nodes; --make FILE LINES writes a log to look at.
#include <QApplication>
#include <QShortcut>
#include <QTimer>
#include <QToolButton>
#include <fstream>

#include "bench/log/training_log.h"
#include "ui/log/log_view.h"
#include "ui/pages/log_panel.h"
#include "ui/session/background.h"
#include "ui/theme/theme_control.h"

namespace {

constexpr int lookEvery = 150;  // ms, as on the page Runs
constexpr std::size_t writtenAtOnce = 1U << 20U;

int makeLog(const char* path, std::uint64_t lines) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    std::string text;
    for (std::uint64_t i = 0; i < lines; ++i) {
        dlperf::bench::appendTrainingLine(text, i, 1);
        if (text.size() >= writtenAtOnce || i + 1 == lines) {
            file << text;
            text.clear();
        }
    }
    return file.flush() ? 0 : 1;
}

int showLogs(int argc, char** argv) {
    QApplication application(argc, argv);
    dlperf::ui::ThemeControl theme(application);
    theme.start(dlperf::ui::ThemeChoice::Light);
    dlperf::ui::Background background;
    dlperf::ui::LogPanel panel(background);
    QStringList nodes;
    std::vector<std::filesystem::path> files;
    for (int i = 1; i < argc; ++i) {
        nodes << QStringLiteral("node%1").arg(i);
        files.emplace_back(argv[i]);
    }
    panel.setLogs(nodes, files);
    panel.resize(1200, 760);
    panel.show();
    panel.view().setFollowing(false);
    panel.view().setFocus();
    // Patterns, and a way to the field by the keyboard, as the page Runs has one.
    panel.findChild<dlperf::ui::SearchField*>()->findChild<QToolButton*>()->click();
    QObject::connect(new QShortcut(QKeySequence::Find, &panel), &QShortcut::activated, &panel,
                     &dlperf::ui::LogPanel::focusSearch);
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &panel, &dlperf::ui::LogPanel::refresh);
    timer.start(lookEvery);
    return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 4 && std::string_view(argv[1]) == "--make") {
        return makeLog(argv[2], std::stoull(argv[3]));
    }
    return showLogs(argc, argv);
}
