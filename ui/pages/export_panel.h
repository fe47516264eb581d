// SPDX-License-Identifier: Apache-2.0
// The files that a report is written as, and the writing.
#pragma once

#include <QStringList>
#include <QTimer>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/report/report_template.h"
#include "ui/widgets/parts.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace dlperf::ui {

class ExportPanel final : public Panel {
    Q_OBJECT

public:
    // A folder that is not absolute is one of the workspace's.
    ExportPanel(std::filesystem::path workspace, QWidget* parent);

    void setFolder(const QString& folder);
    [[nodiscard]] bool hasFolder() const;  // else it says below the field that one is needed
    // Of the files, whether LaTeX is in parts, whether names have the date.
    void setChosen(const report::ReportTemplate& chosen);
    void addChosen(report::ReportTemplate& chosen) const;
    [[nodiscard]] int fileCount() const;

    // One file in a turn, since each draws its charts. Asked again meanwhile, it begins anew.
    void write(report::Report report);
    // Until written() or failed().
    [[nodiscard]] bool isWriting() const { return nextFile_.isActive(); }

signals:
    void chosenChanged();
    void folderChanged();
    void written();
    void failed(const dlperf::Error& error);

private:
    void addKind(const char* ending, const QString& title, const QString& note);
    void addFolder(QVBoxLayout& column);
    void addLast();
    void writeNext();
    void showWritten();
    [[nodiscard]] std::filesystem::path folder() const;

    std::filesystem::path workspace_;
    std::vector<std::pair<std::string, QCheckBox*>> kinds_;  // by ending
    QCheckBox* latexParts_ = nullptr;
    QCheckBox* dated_ = nullptr;
    QLineEdit* folder_ = nullptr;
    ProblemLine* noFolder_ = nullptr;
    QLabel* last_ = nullptr;
    QLabel* lastSize_ = nullptr;
    QPushButton* open_ = nullptr;
    QTimer nextFile_;
    report::Report writing_;  // as it was when the export began
    std::filesystem::path target_;
    QString stem_;         // of its files
    QStringList toWrite_;  // endings
    QStringList written_;  // names, without the charts beside them
    report::WrittenFiles all_;
};

}  // namespace dlperf::ui
