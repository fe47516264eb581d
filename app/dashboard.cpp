// SPDX-License-Identifier: Apache-2.0
// The window as a program: options, settings, one session, one window.
#include <CLI/CLI.hpp>
#include <QApplication>
#include <QDeadlineTimer>
#include <QEventLoop>
#include <QSettings>
#include <QTimer>
#include <array>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "app/program.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "ui/session/node_list.h"
#include "ui/session/session.h"
#include "ui/shell/language.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_memory.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme_control.h"

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

// Every page as a PNG: cluster, launch, runs, compare, report. Waits until each shows what it has to show.
// The folder is made if it is missing. The size is that of the window, in logical px.
Result<void> takeScreenshots(MainWindow& window, Session& session, const std::filesystem::path& folder,
                             QSize size) {
    TRY(makeFolders(folder));
    window.resize(size);
    window.show();
    const bool ready = waitFor([&] {
        return session.isLoaded() && window.launch().isReady() && session.nodes().isChecked() &&
               window.launch().isSettled();
    });
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

}  // namespace
}  // namespace dlperf::ui

namespace {

struct Options {
    std::string workspace;
    std::string plan;
    std::string screenshots;
    std::array<int, 2> size{1440, 900};  // logical px
    std::string theme;
    std::string language;
};

// Qt sees its own options only: a picture needs no display, so none is asked for.
class QtArguments {
public:
    QtArguments(const char* program, bool offscreen) : words_{program} {
        if (offscreen) {
            words_.insert(words_.end(), {"-platform", "offscreen"});
        }
        for (std::string& word : words_) {
            pointers_.push_back(word.data());
        }
        count_ = static_cast<int>(pointers_.size());
        pointers_.push_back(nullptr);
    }
    int& count() { return count_; }
    char** values() { return pointers_.data(); }

private:
    std::vector<std::string> words_;
    std::vector<char*> pointers_;
    int count_ = 0;
};

// Qt would abort without one. A platform that was chosen needs none, or says so itself.
bool hasDisplay() {
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

std::filesystem::path workspaceOf(const Options& options) {
    if (!options.workspace.empty()) {
        return std::filesystem::absolute(dlperf::expandHome(options.workspace));
    }
    const QString last = QSettings().value(QStringLiteral("workspace")).toString();
    return last.isEmpty() ? dlperf::expandHome("~/dlperf-workspace")
                          : std::filesystem::path(last.toStdString());
}

// A window, and another one in its place whenever a language is chosen.
class Windows {
public:
    Windows(dlperf::ui::Session& session, dlperf::ui::ThemeControl& theme, dlperf::ui::Language& language)
        : session_(session), theme_(theme), language_(language) {
        open();
    }
    dlperf::ui::MainWindow& window() { return *window_; }

private:
    void open() {
        window_ = std::make_unique<dlperf::ui::MainWindow>(session_, theme_);
        // In a turn of its own: the choice comes from a dialog of the window that goes.
        QObject::connect(
            window_.get(), &dlperf::ui::MainWindow::languageChosen, QCoreApplication::instance(),
            [this] { replace(); }, Qt::QueuedConnection);
    }
    void replace() {
        QApplication::setQuitOnLastWindowClosed(false);
        const std::unique_ptr<dlperf::ui::MainWindow> before = std::move(window_);
        (void)language_.use({});
        open();
        window_->takeOver(*before);
        window_->show();
        window_->showSettings();
        QApplication::setQuitOnLastWindowClosed(true);
    }

    dlperf::ui::Session& session_;
    dlperf::ui::ThemeControl& theme_;
    dlperf::ui::Language& language_;
    std::unique_ptr<dlperf::ui::MainWindow> window_;
};

int show(QApplication& application, const Options& options, dlperf::ui::Language& language) {
    using namespace dlperf::ui;
    const auto root = workspaceOf(options);
    auto session = Session::open(root);
    if (!session) {
        std::cerr << "dlperf-dashboard: " << dlperf::describe(session.error()) << '\n';
        return dlperf::exitCode(session.error());
    }
    ThemeControl theme(application);
    setFontPercent(ThemeControl::storedFontPercent());
    const ThemeChoice choice = options.theme.empty()
                                   ? ThemeControl::stored()
                                   : parseThemeChoice(QString::fromStdString(options.theme));
    theme.start(choice);
    Windows windows(**session, theme, language);
    MainWindow& window = windows.window();
    // What is read then, and the processes that ask this machine, do not hold up the first picture.
    QObject::connect(&window, &MainWindow::shown, session->get(), &Session::start);
    if (options.screenshots.empty()) {
        window.remember();
    }
    if (!options.plan.empty()) {
        window.showPlan(std::filesystem::absolute(dlperf::expandHome(options.plan)));
    }
    if (!options.screenshots.empty()) {
        const auto taken = takeScreenshots(window, **session, dlperf::expandHome(options.screenshots),
                                           {options.size[0], options.size[1]});
        if (!taken) {
            std::cerr << "dlperf-dashboard: " << dlperf::describe(taken.error()) << '\n';
            return dlperf::exitCode(taken.error());
        }
        return 0;
    }
    // A disk takes its time to keep a setting.
    QObject::connect(&window, &MainWindow::shown, session->get(), [&] {
        QSettings().setValue(QStringLiteral("workspace"), QString::fromStdString(root.string()));
        rememberWorkspace(QString::fromStdString((*session)->workspace().root().string()));
    });
    std::cerr << "workspace: " << root.string() << '\n';
    window.show();
    return QApplication::exec();
}

int run(int argc, char** argv) {
    CLI::App app{"Measure how fast deep-learning frameworks train, and how well they scale.",
                 "dlperf-dashboard"};
    Options options;
    app.set_version_flag("--version", "dlperf-dashboard " DLPERF_VERSION);
    app.add_option("--workspace", options.workspace,
                   "Folder of runs, made if it is missing; else the last one")
        ->type_name("FOLDER");
    app.add_option("WORKSPACE", options.workspace, "The same as --workspace")->type_name("FOLDER");
    app.add_option("--plan", options.plan, "Open Launch with this plan ready to start")->type_name("FILE");
    app.add_option("--screenshots", options.screenshots, "Write every page to this folder as PNG and exit")
        ->type_name("FOLDER");
    app.add_option("--size", options.size, "Of the pictures, 1440x900 if not said")->delimiter('x');
    app.add_option("--theme", options.theme, "light or dark; else the setting")
        ->check(CLI::IsMember({"light", "dark"}));
    app.add_option("--language", options.language, "en or zh_CN; else the setting")
        ->check(CLI::IsMember({"en", "zh_CN"}));
    if (const auto ended = dlperf::app::parseCommandLine(app, argc, argv)) {
        return *ended;
    }
    if (options.screenshots.empty() && !hasDisplay()) {
        std::cerr
            << "dlperf-dashboard: there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set). `dlperf` "
               "does the same work in a terminal; over SSH, ssh -X brings the window to you.\n";
        return 1;
    }
    QtArguments arguments(argv[0], !options.screenshots.empty());
    QApplication application(arguments.count(), arguments.values());
    QCoreApplication::setOrganizationName(QStringLiteral("dlperf"));
    QCoreApplication::setApplicationName(QStringLiteral("dlperf-dashboard"));
    QCoreApplication::setApplicationVersion(QStringLiteral(DLPERF_VERSION));
    dlperf::ui::Language language;
    if (!language.use(QString::fromStdString(options.language))) {
        std::cerr << "dlperf-dashboard: this version has its texts in English only\n";
    }
    return show(application, options, language);
}

}  // namespace

int main(int argc, char** argv) {
    return dlperf::app::guarded("dlperf-dashboard", [&] { return run(argc, argv); });
}
