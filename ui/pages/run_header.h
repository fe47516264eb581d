// SPDX-License-Identifier: Apache-2.0
// The selected run in one line: what it is, how far it is, what it says so far.
#pragma once

#include <QTimer>
#include <QWidget>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/diagnosis/diagnose.h"
#include "core/model/vocabulary.h"
#include "core/store/notes.h"
#include "ui/session/live_run.h"
#include "ui/widgets/parts.h"

class QBoxLayout;

namespace dlperf::ui {

// What the user says of the selected run, edited in place: why it is excluded, and a note.
class RunRemarks final : public QWidget {
    Q_OBJECT

public:
    explicit RunRemarks(QWidget* parent = nullptr);

    // A field that is being typed into keeps its text while the run stays the same.
    void showNote(const std::string& runId, const store::RunNote& note);
    // Opens an empty note, or the reason of a run that is excluded, for typing.
    void editNote();
    void editReason();

signals:
    void edited(const std::string& runId, const store::RunNote& note);

private:
    void commit();
    void arrange();

    std::string runId_;
    store::RunNote note_;
    bool noteOpen_ = false;
    QWidget* reasonRow_;
    QLineEdit* reason_;
    QWidget* noteRow_;
    QLineEdit* text_;
};

class RunHeader final : public Panel {
    Q_OBJECT

public:
    explicit RunHeader(const Vocabulary& vocabulary, QWidget* parent = nullptr);

    // Of the run that is shown next: see QueueModel::FillRole.
    void setFill(int fill) { fill_ = fill; }
    // Not watched: its runner has ended, so nobody knows how long it has been at work.
    void showRun(const run::RunState& status, const LiveUpdate* live, bool isWatched = true);
    // For a moment it cannot be where another run came under the pointer, which was meant for the one before.
    void setCancellable(bool cancellable);
    void showNote(const std::string& runId, const store::RunNote& note);
    [[nodiscard]] RunRemarks& remarks() { return *remarks_; }

signals:
    void folderRequested();
    void versionsRequested();
    void cancelRequested(const std::string& runId);  // that was shown when the button went down
    void excludeRequested(bool exclude);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Figure {
        QLabel* value;
        QLabel* caption;
        QWidget* host;
    };
    QWidget* buildLine(QWidget* parent);
    void enableCancel();
    QWidget* buildWords(QWidget* parent);
    void fit();
    void addButtons(QHBoxLayout* row);
    Figure addFigure(QHBoxLayout* row, int widest);
    static void set(const Figure& figure, const QString& value, const QString& caption);

    const Vocabulary& vocabulary_;
    QBoxLayout* line_;
    QWidget* words_;
    QWidget* figures_ = nullptr;
    KeySign* key_;
    int fill_ = 0;
    QLabel* title_;
    QLabel* topology_;
    QLabel* detail_;
    Figure iteration_;
    Figure throughput_;
    Figure elapsed_;
    Figure left_;
    QPushButton* cancel_;
    QPushButton* exclude_;
    bool excluded_ = false;
    std::string shownRun_;
    std::string pressedRun_;
    bool cancellable_ = false;
    QTimer held_;
    RunRemarks* remarks_;
};

class Banner;

// What the selected run's logs say went wrong, above the log: what, why, and what helps.
class RunHints final : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t mostShown = 2;  // the chart and the log need their room

    explicit RunHints(QWidget* parent = nullptr);

    // The worst first. Warnings that were closed stay closed for this run.
    void showHints(const std::string& runId, std::vector<diagnosis::Hint> hints);

signals:
    void lineRequested(const std::string& node, std::int64_t line);

private:
    void arrange();
    static void fill(Banner& banner, const diagnosis::Hint& hint);

    std::string runId_;
    std::vector<diagnosis::Hint> hints_;
    std::vector<diagnosis::Hint> shown_;
    std::set<std::string> closed_;  // rules
    std::array<Banner*, mostShown> banners_{};
};

}  // namespace dlperf::ui
