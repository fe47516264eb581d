// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/main_window.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenuBar>
#include <QProcess>
#include <QPushButton>
#include <QStatusBar>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>
#include <array>
#include <chrono>
#include <utility>

#include "core/base/resources.h"
#include "ui/pages/run_actions.h"
#include "ui/session/log_imports.h"
#include "ui/session/node_list.h"
#include "ui/session/session.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/drop_target.h"
#include "ui/shell/edit_menu.h"
#include "ui/shell/import_dialog.h"
#include "ui/shell/manual_window.h"
#include "ui/shell/notifier.h"
#include "ui/shell/question_dialogs.h"
#include "ui/shell/settings_dialog.h"
#include "ui/shell/workspace_menu.h"
#include "ui/theme/localized.h"
#include "ui/theme/numbers.h"
#include "ui/theme/theme_control.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/page.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr QSize firstSize(1440, 900);
constexpr QSize smallestSize(640, 420);  // a laptop at 200 %
constexpr int narrowBelow = 1120;
constexpr std::chrono::milliseconds longestUnpainted{500};

// The wheel scrolls: it leaves fields alone that come to lie under the pointer, also the one with the focus.
class WheelGuard final : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override {
        const bool isWheel = event->type() == QEvent::Wheel;
        if ((!isWheel && event->type() != QEvent::Polish) ||
            (qobject_cast<QAbstractSpinBox*>(watched) == nullptr &&
             qobject_cast<QComboBox*>(watched) == nullptr)) {
            return false;
        }
        auto* field = qobject_cast<QWidget*>(watched);
        if (!isWheel) {
            // Else Qt gives it the focus before the wheel's event comes here.
            field->setFocusPolicy(field->focusPolicy() == Qt::WheelFocus ? Qt::StrongFocus
                                                                         : field->focusPolicy());
            return false;
        }
        event->ignore();  // it goes to what is around the field
        return true;
    }
};

}  // namespace

MainWindow::MainWindow(Session& session, ThemeControl& theme, QWidget* parent)
    : QMainWindow(parent), session_(session), theme_(theme) {
    setWindowTitle(tr("DLPerf Dashboard"));
    setMinimumSize(smallestSize);
    qApp->installEventFilter(new WheelGuard(this));
    buildPages();
    buildMenus();
    buildStatusBar();
    theme_.applyTo(*menuBar());
    theme_.applyTo(*statusBar());
    const auto& root = session_.workspace().root();
    sidebar_->setWorkspace(QString::fromStdString(root.filename().string()),
                           shortFolder(QString::fromStdString(root.string())));
    connectParts();
    resize(firstSize);
    showStatus();
    nameMainAction(section());
    sidebar_->setCurrent(section());
}

void MainWindow::buildPages() {
    auto* central = new QWidget;
    QHBoxLayout* row = makeRow(central, {}, 0);
    sidebar_ = new Sidebar;
    row->addWidget(sidebar_);
    QVBoxLayout* column = makeColumn(nullptr, {}, 0);
    auto* banners = new BannerArea;
    problem_ = banners->add(QStringLiteral("problem"));
    Banner* notice = banners->add(QStringLiteral("import"));
    column->addWidget(banners);
    drops_ = new DropTarget(session_, this);
    importNotice_ = new ImportNotice(session_.logImports(), *drops_, *notice, this);
    auto* loading = new LoadingStrip(session_);
    column->addWidget(loading);
    pages_ = new PageStack(session_);
    column->addWidget(pages_, 1);
    row->addLayout(column, 1);
    setCentralWidget(central);
    for (QWidget* part : std::initializer_list<QWidget*>{sidebar_, banners, loading}) {
        theme_.applyTo(*part);
    }
}

void MainWindow::connectParts() {
    connect(problem_, &Banner::closed, this, [this] { problemCount_ = 0; });
    connect(sidebar_, &Sidebar::sectionChosen, this, &MainWindow::showSection);
    connect(sidebar_, &Sidebar::settingsRequested, this, &MainWindow::showSettings);
    connect(sidebar_, &Sidebar::themeToggled, &theme_, &ThemeControl::toggle);
    connect(workspaces_, &WorkspaceMenu::chosen, this, &MainWindow::openWindow);
    connect(sidebar_, &Sidebar::folderRequested, this, [this] {
        QDesktopServices::openUrl(
            QUrl::fromLocalFile(QString::fromStdString(session_.workspace().root().string())));
    });
    connect(sidebar_, &Sidebar::activeRunClicked, this, [this] { showSection(Section::Runs); });
    connect(pages_, &PageStack::pageMade, this, &MainWindow::connectPage);
    connectDrops();
    new QuestionDialogs(session_.questions(), *this);
    connect(&session_.nodes(), &NodeList::listChanged, this, &MainWindow::showStatus);
    connect(&session_.nodes(), &NodeList::entryChanged, this, &MainWindow::showStatus);
    connect(&session_, &Session::statusChanged, this, &MainWindow::showStatus);
    notifier_ = std::make_unique<Notifier>(session_, *this);
    connect(&session_, &Session::resultsChanged, this, &MainWindow::showStatus);
    connect(&session_, &Session::problemFound, this, &MainWindow::showFileProblem);
    // Wherever the user is by now: it comes after the page was left.
    connect(&session_, &Session::runnerRefused, this, [this](const QString& what, const QString& message) {
        showProblem(what, localized(message.toStdString()), {});
    });
}

// A page that was just made: where it leads, and how it was left.
void MainWindow::connectPage(Section section) {
    theme_.applyTo(*pages_->made(section));
    if (section == Section::Compare) {
        connect(&compare(), &ComparePage::reportRequested, this, [this] { showSection(Section::Report); });
        connect(&compare(), &ComparePage::launchRequested, this, [this] { showSection(Section::Launch); });
        connect(&compare(), &ComparePage::planRequested, this, [this](const launch::Plan& plan) {
            launch().usePlan(plan);
            showSection(Section::Launch);
        });
        connect(&compare(), &ComparePage::runRequested, this, [this](const QString& id) {
            showSection(Section::Runs);
            runs().select(id.toStdString());
        });
    } else if (section == Section::Launch) {
        connect(&launch(), &LaunchPage::nodesRequested, this, [this] { showSection(Section::Cluster); });
        connect(&launch(), &LaunchPage::started, this, [this] {
            problem_->hide();  // of an earlier start
            showSection(Section::Runs);
        });
    } else if (section == Section::Runs) {
        connect(&runs(), &RunsPage::launchRequested, this, [this] { showSection(Section::Launch); });
        connect(&runs(), &RunsPage::comparisonRequested, this, [this] { showSection(Section::Compare); });
        connect(&runs(), &RunsPage::beforeAfterRequested, this,
                [this](const std::string& before, const std::string& after) {
                    compare().showBeforeAfter(before, after);
                    showSection(Section::Compare);
                });
    }
    if (memory_) {
        memory_->restorePage(*pages_->made(section), static_cast<int>(section));
    }
}

// Opens dropped files in the section that they belong to.
void MainWindow::connectDrops() {
    setAcceptDrops(true);
    connect(drops_, &DropTarget::planDropped, this, [this](const std::filesystem::path& file) {
        showSection(Section::Launch);
        launch().openPlan(file);
    });
    connect(drops_, &DropTarget::clusterDropped, this, [this](const std::filesystem::path& file) {
        showSection(Section::Cluster);
        pages_->cluster().openCluster(file);
    });
    connect(drops_, &DropTarget::workspaceDropped, this, [this](const std::filesystem::path& folder) {
        openWindow(QString::fromStdString(folder.string()));
    });
    // As long as this window shows what becomes of imports.
    connect(&session_.logImports(), &LogImports::planned, importNotice_,
            [this](const std::shared_ptr<imports::ImportPlan>& plan) { askAboutLogs(plan); });
    connect(importNotice_, &ImportNotice::errorFound, problem_, &Banner::showError);
    connect(importNotice_, &ImportNotice::resultsRequested, this, [this](const QString& import) {
        showSection(Section::Compare);
        compare().showImport(import.toStdString());
    });
}

void MainWindow::askAboutLogs(const std::shared_ptr<imports::ImportPlan>& plan) {
    LogImports& imports = session_.logImports();
    auto* dialog = new ImportDialog(plan, session_.vocabulary(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, &imports, [&imports, plan] { imports.save(plan); });
    connect(dialog, &QDialog::rejected, &imports, [&imports, plan] { imports.forget(plan); });
    dialog->open();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (DropTarget::accepts(*event)) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    drops_->take(*event);
    event->acceptProposedAction();
}

MainWindow::~MainWindow() = default;

void MainWindow::remember() {
    memory_.emplace(session_.settingsGroup(), *this);
    for (int i = 0; i < sectionCount; ++i) {
        if (const Page* page = pages_->made(static_cast<Section>(i))) {
            memory_->restorePage(*page, i);
        }
    }
    const int left = memory_->restore();
    openSection(left >= 0 && left < sectionCount ? static_cast<Section>(left) : section());
}

void MainWindow::takeOver(MainWindow& other) {
    other.keepHowItIsLeft();
    const auto kept = other.keepTyped();
    other.hide();  // a measurement and imports go on: they are the session's
    importNotice_->takeOver(*other.importNotice_);
    delete std::exchange(other.importNotice_, nullptr);
    remember();
    if (other.pages_->made(Section::Launch) != nullptr) {
        launch().takeOver(other.launch());
    }
    if (other.pages_->made(Section::Runs) != nullptr) {
        runs().takeOver(other.runs());
    }
    if (other.pages_->made(Section::Compare) != nullptr) {
        compare().takeOver(other.compare());
    }
    setGeometry(other.geometry());
    openSection(other.section());
    if (!kept) {
        showFileProblem(kept.error());
    }
    // Once this window is there.
    QTimer::singleShot(0, this, [this] {
        for (const auto& plan : session_.logImports().undecided()) {
            askAboutLogs(plan);
        }
    });
}

void MainWindow::nextRegion(int step) {
    focusRegion(QList<QWidget*>{sidebar_} + pages_->current().regions(), step);
}

void MainWindow::showSettings() {
    if (!settings_) {
        settings_ = new SettingsDialog(theme_, this);
        connect(settings_, &SettingsDialog::languageChosen, this, &MainWindow::chooseLanguage);
    }
    settings_->show();
    settings_->raise();
    settings_->activateWindow();
}

// Another window takes this one's place, and would leave an export half written.
void MainWindow::chooseLanguage() {
    if (pages_->made(Section::Report) != nullptr && report().isExporting()) {
        connect(&report(), &ReportPage::exportEnded, this, &MainWindow::changeLanguage,
                static_cast<Qt::ConnectionType>(Qt::SingleShotConnection | Qt::UniqueConnection));
    } else {
        emit languageChosen();
    }
}

void MainWindow::changeLanguage(bool isExported) {
    if (isExported) {  // else the page says why not
        emit languageChosen();
    }
}

void MainWindow::showManual() {
    const auto folder = resourceFolder();
    if (!folder) {
        showFileProblem(folder.error());
        return;
    }
    if (!manual_) {
        manual_ = new ManualWindow(*folder / "manual", this);
        manual_->setAttribute(Qt::WA_DeleteOnClose);
    }
    constexpr std::array chapters{"cluster", "recipes", "diagnoses", "comparison",
                                  "comparison"};  // as Section
    manual_->show();
    manual_->showChapter(QString::fromLatin1(chapters.at(static_cast<std::size_t>(section()))));
    manual_->raise();
    manual_->activateWindow();
}

void MainWindow::find() {
    if (palette_ == nullptr) {
        palette_ = new CommandPalette(this);
        theme_.applyTo(*palette_);  // it stands in no page
    }
    if (palette_->isVisible()) {
        palette_->dismiss();
        return;
    }
    edit_->lookAgain();
    std::vector<PaletteEntry> entries = menuEntries(*menuBar());
    for (int i = 0; i < sectionCount; ++i) {
        const auto section = static_cast<Section>(i);
        if (const Page* page = pages_->made(section)) {
            auto offers = pageEntries(*page, sectionTitle(section), [this, section] {
                if (section != this->section()) {
                    showSection(section);
                }
            });
            std::move(offers.begin(), offers.end(), std::back_inserter(entries));
        }
    }
    auto found = runEntries(session_, [this](const std::string& runId) {
        showSection(Section::Runs);
        runs().select(runId);
    });
    std::move(found.begin(), found.end(), std::back_inserter(entries));
    palette_->open(std::move(entries));
}

void MainWindow::buildStatusBar() {
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(8, 0, 8, 0);
    statusLeft_ = makeLabel({});
    statusRight_ = makeLabel({});
    statusFailed_ = makeIcon(QStringLiteral("state-fail"), "fail", 14);
    statusFailed_->hide();
    statusFit_ = makeIcon(QStringLiteral("laptop"), "", 14);
    statusBar()->addWidget(statusFit_);
    statusBar()->addWidget(statusFailed_);
    statusBar()->addWidget(statusLeft_);
    statusBar()->addPermanentWidget(statusRight_);
}

void MainWindow::showStatus() {
    const RunSummary summary = summarize(session_);
    sidebar_->showRuns(summary);
    const run::Campaign* open = session_.openCampaign();
    cancelAll_->setEnabled(open != nullptr && open->runnerAlive);
    const auto& nodes = session_.nodes();
    const int failed = ClusterPage::failedNodes(nodes);
    sidebar_->setCount(Section::Cluster,
                       failed > 0 ? tr("%1 failed").arg(failed) : QString::number(nodes.entries().size()),
                       tr("Nodes"), failed > 0);
    const QString all = ClusterPage::summaryOf(nodes);
    statusLeft_->setText(failed > 0 ? tr("%1: %2 not fit to run").arg(all).arg(failed) : all);
    if (statusFailed_->isHidden() == (failed > 0)) {
        setState(statusLeft_, failed > 0 ? "fail" : "");
        statusFailed_->setVisible(failed > 0);
        statusFit_->setVisible(failed == 0);
    }
    statusRight_->setText(summary.status);
}

void MainWindow::showSection(Section section) {
    nameMainAction(section);
    sidebar_->setCurrent(section);
    pages_->show(section);
    pages_->current().enter();
}

// A page that is still to be made comes in the turn after the first picture.
void MainWindow::openSection(Section section) {
    if (shownEmitted_ || pages_->made(section) != nullptr) {
        showSection(section);
        return;
    }
    nameMainAction(section);
    sidebar_->setCurrent(section);
    theme_.applyTo(pages_->announce(section));
}

void MainWindow::showPlan(const std::filesystem::path& plan) {
    launch().usePlan(plan);
    showSection(Section::Launch);
}

// A window shows one workspace, so another one opens in a window of its own.
void MainWindow::openWindow(const QString& folder) {
    const QString program = QCoreApplication::applicationFilePath();
    if (!QProcess::startDetached(program, {QStringLiteral("--workspace"), folder})) {
        showProblem(tr("The workspace did not open"), folder, {});
    }
}

void MainWindow::changeMeasurementRange() {
    if (section() == Section::Runs) {
        runs().changeMeasurementRange();
    } else {
        showSection(Section::Compare);
        compare().changeMeasurementRange();
    }
}

// Which file, in the words of the workspace; of several the last, and how many came before.
void MainWindow::showFileProblem(const Error& error) {
    const QString root = QString::fromStdString(session_.workspace().root().string()) + QLatin1Char('/');
    const QString where = QString::fromStdString(error.where);
    const QString file = where.startsWith(root) ? where.mid(root.size()) : where;
    const QString what = localized(error.what);
    const int before = problemCount_++;
    QStringList lines{QString::fromStdString(error.details),
                      before > 0 ? tr("And %n more before it.", nullptr, before) : QString()};
    lines.removeAll(QString());
    showProblem(file.isEmpty() ? what : tr("%1: %2").arg(file, what), lines.join(QLatin1Char('\n')),
                localized(error.remedy));
}

void MainWindow::showProblem(const QString& what, const QString& where, const QString& remedy) {
    problem_->showMessage("fail", what, where, remedy);
}

// What closing would end or lose. `goOn` closes the window, at once or later.
QMessageBox* MainWindow::askBeforeClosing(const QString& title, const QString& text, const QString& agreement,
                                          const std::function<void()>& goOn) {
    const QString name = QStringLiteral("closing");
    if (findChild<QMessageBox*>(name) != nullptr) {
        return nullptr;  // it is asked already
    }
    QMessageBox* question = makeMessage(title, text, QMessageBox::Cancel, this);
    question->setObjectName(name);
    QPushButton* agree = question->addButton(agreement, QMessageBox::AcceptRole);
    question->setDefaultButton(QMessageBox::Cancel);
    connect(agree, &QPushButton::clicked, this, goOn);
    question->open();
    return question;
}

// The work may also end by itself while it is asked about.
template <class Work>
void MainWindow::askToCancel(Work& work, const QString& title, const QString& text) {
    QMessageBox* question =
        askBeforeClosing(title, text, MainWindow::tr("Cancel it and close"), [this, &work] {
            connect(&work, &Work::ended, this, &QWidget::close, Qt::SingleShotConnection);
            work.cancel();
        });
    if (question != nullptr) {
        connect(&work, &Work::ended, question, &QWidget::close);
    }
}

// Whether nothing that closing would end is under way; else it is asked about, or waited for.
bool MainWindow::mayClose() {
    if (session_.measurement().isRunning()) {  // a process of the window, which ends with it
        askToCancel(session_.measurement(), tr("Cancel the measurement?"),
                    tr("The hardware is being measured. Closing the window cancels that: nothing of it "
                       "is kept, and what was measured before stays."));
        return false;
    }
    if (session_.logImports().isImporting()) {
        askToCancel(
            session_.logImports(), tr("Cancel the import?"),
            tr("Logs are being imported. Closing the window cancels that: nothing of these logs is kept."));
        return false;
    }
    if (pages_->made(Section::Report) != nullptr && report().isExporting()) {
        const auto closeAfterwards = [this](bool isWhole) {
            if (isWhole) {  // else the page says why not
                close();
            }
        };
        connect(&report(), &ReportPage::exportEnded, this, closeAfterwards, Qt::SingleShotConnection);
        return false;
    }
    if (const auto kept = keepTyped(); !kept) {
        askBeforeClosing(
            tr("Close without these settings?"),
            tr("What was typed on Cluster cannot be saved: %1").arg(localized(describe(kept.error()))),
            tr("Close without them"), [this] {
                pages_->cluster().forgetTyped();
                close();
            });
        return false;
    }
    return true;
}

Result<void> MainWindow::keepTyped() {
    return pages_->made(Section::Cluster) == nullptr ? Result<void>() : pages_->cluster().saveTyped();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayClose()) {
        event->ignore();
        return;
    }
    keepHowItIsLeft();
    event->accept();
}

void MainWindow::keepHowItIsLeft() {
    if (!memory_) {
        return;
    }
    memory_->save(static_cast<int>(section()));
    if (pages_->made(Section::Compare) != nullptr) {
        compare().keepView();
    }
    for (int i = 0; i < sectionCount; ++i) {
        if (const Page* page = pages_->made(static_cast<Section>(i))) {
            memory_->savePage(*page, i);
        }
    }
}

// In a turn of its own, after the parts of the window have painted too.
void MainWindow::paintEvent(QPaintEvent* event) {
    QMainWindow::paintEvent(event);
    if (!shownEmitted_) {
        QTimer::singleShot(0, this, &MainWindow::emitShown);
    }
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (!showsPage()) {
        openSection(section());
    }
    // A window that starts minimised paints nothing.
    QTimer::singleShot(longestUnpainted, this, &MainWindow::emitShown);
}

bool MainWindow::showsPage() const {
    const Page* page = pages_->made(section());
    return page != nullptr && pages_->currentWidget() == page;
}

void MainWindow::emitShown() {
    if (!std::exchange(shownEmitted_, true)) {
        emit shown();
        if (!showsPage()) {
            showSection(section());
            pages_->current().repaint();  // before the others are made
        }
        QTimer::singleShot(0, pages_, &PageStack::makeRest);
    }
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    sidebar_->setNarrow(width() < narrowBelow);
}

}  // namespace dlperf::ui
