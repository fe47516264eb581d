// SPDX-License-Identifier: Apache-2.0
// The log below the live chart: one node's or all nodes' as one, with search and follow.
#pragma once

#include <QElapsedTimer>
#include <QLineEdit>
#include <QTimer>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/log/log_book.h"
#include "ui/log/log_search.h"
#include "ui/widgets/parts.h"

class QProgressBar;

namespace dlperf::ui {

class LogTools;
class LogView;

// A search field with the number of hits and a switch for regular expressions inside.
class SearchField final : public QLineEdit {
    Q_OBJECT

public:
    explicit SearchField(QWidget* parent = nullptr);

    // "2 of 14"; empty: nothing.
    void setCount(const QString& text);
    [[nodiscard]] QString count() const;
    [[nodiscard]] bool isPattern() const;
    void takeOver(const SearchField& other);
    // Why nothing is searched, for who cannot see; empty: it is.
    void setProblem(const QString& text) { setAccessibleDescription(text); }
    [[nodiscard]] QString problem() const { return accessibleDescription(); }

signals:
    void patternToggled();
    // Esc: nothing is to be searched for any more.
    void givenUp();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void arrange();

    QLabel* count_;
    QToolButton* pattern_;
};

class LogPanel final : public Panel {
    Q_OBJECT

public:
    explicit LogPanel(Background& background, QWidget* parent = nullptr);

    // `measured` says how iterations of the warmup are told.
    void setLogs(const QStringList& nodes, const std::vector<std::filesystem::path>& files,
                 const log::Measured& measured = {});
    void refresh();
    void focusSearch();
    // How the same log is shown in another window: whose lines, from which one on, with which folds open, and
    // what is searched for.
    void takeOver(const LogPanel& other);
    // Shows the line of that node's log, counted from 1, as soon as it is indexed.
    enum class Focus { Stays, Comes };
    void goToLine(const std::string& node, std::int64_t line, Focus focus = Focus::Comes);
    // Of all nodes that are shown, once they are indexed; stays where it is without any.
    void goToLastError();
    [[nodiscard]] LogView& view() { return *view_; }
    [[nodiscard]] const LogSearch& search() const { return search_; }
    // No look at the files is under way, and the last one left nothing to be indexed.
    [[nodiscard]] bool isIndexed() const { return indexed_; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addNotice(QVBoxLayout* column);
    void connectTools();
    void connectCopy();
    void showNode(int index);
    void takeGrowth(const log::LogBook::Growth& growth);
    void ask();
    void showSearch();
    void showProgress();
    void notice(const char* state, const QString& text);
    void goToWanted();
    [[nodiscard]] std::optional<std::uint64_t> numberOfWanted();
    // Folds by where their first lines stand: numbers depend on the order in which logs were read.
    struct Folds {
        std::vector<log::LineSpot> repeats;
        std::vector<log::LineSpot> warmups;
    };
    [[nodiscard]] Folds openFolds() const;
    void openWanted();
    enum class Place { Middle, Top };
    struct Wanted {
        std::string node;        // empty: the last error
        std::uint64_t line = 0;  // from 0
        Focus focus = Focus::Comes;
        Place place = Place::Middle;  // where it is to stand; in the middle it is selected
    };

    Background& background_;
    std::vector<log::LogSource> sources_;
    log::Measured measured_;
    std::shared_ptr<log::LogBook> book_;
    LogSearch search_;
    std::size_t current_ = 0;  // hit that was gone to, from 1
    bool indexing_ = false;
    bool indexed_ = false;
    bool isGone_ = false;
    double share_ = 1;  // of the bytes that are indexed
    std::optional<Wanted> wanted_;
    std::optional<Folds> wantedFolds_;  // to be opened as soon as the log is indexed
    QElapsedTimer since_;
    QTimer typing_;
    LogTools* tools_;
    QProgressBar* progress_;
    QWidget* noticeRow_;
    QLabel* notice_;
    LogView* view_;
};

}  // namespace dlperf::ui
