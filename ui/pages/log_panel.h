// SPDX-License-Identifier: Apache-2.0
// The log below the live chart: one node's, with search and follow.
#pragma once

#include <QTimer>
#include <filesystem>
#include <memory>
#include <vector>

#include "ui/session/log_file.h"
#include "ui/widgets/parts.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace dlperf::ui {

class Background;
class LogView;
class Segments;

class LogPanel final : public QWidget {
    Q_OBJECT

public:
    explicit LogPanel(Background& background, QWidget* parent = nullptr);

    void setLogs(const QStringList& nodes, const std::vector<std::filesystem::path>& files);
    // Looks whether the log has grown.
    void refresh();
    void focusSearch();
    [[nodiscard]] LogView& view() { return *view_; }

private:
    void showNode(int index);
    void addSearch(QHBoxLayout* head);
    void addProblem(QVBoxLayout* column);
    void connectSearch();
    [[nodiscard]] LogQuery query() const;
    void ask();
    void search();
    void takeHits(const LogQuery& query, const LogFile::Hits& found);
    void showProblem(const QString& text);
    void forgetHits();
    void goToHit(bool forward);
    void showHits();

    Background& background_;
    std::vector<std::filesystem::path> files_;
    std::shared_ptr<LogFile> log_;
    std::vector<std::size_t> hits_;
    std::size_t searched_ = 0;  // lines
    std::size_t current_ = 0;
    bool indexing_ = false;
    bool searching_ = false;
    int question_ = 0;  // changes with the text and the log: older answers are dropped
    QTimer typing_;
    Segments* nodes_;
    QLineEdit* search_;
    QToolButton* pattern_;
    QToolButton* filter_;
    QToolButton* previous_;
    QToolButton* next_;
    QWidget* problemRow_;
    QLabel* problem_;
    bool gaveUp_ = false;  // the pattern took too much effort
    QLabel* count_;
    QCheckBox* follow_;
    LogView* view_;
};

}  // namespace dlperf::ui
