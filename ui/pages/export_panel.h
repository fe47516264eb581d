// SPDX-License-Identifier: Apache-2.0
// The files that a report is written as, and the writing.
#pragma once

#include <QStringList>
#include <QTimer>
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
    explicit ExportPanel(QWidget* parent);

    void setFolder(const QString& folder);
    [[nodiscard]] QString folder() const;
    // Of the files, whether LaTeX is in parts, whether names have the date.
    void setChosen(const report::ReportTemplate& chosen);
    void addChosen(report::ReportTemplate& chosen) const;
    [[nodiscard]] int fileCount() const;

    // One file in a turn, since each draws its charts. Asked again meanwhile, it begins anew.
    void write(report::Report report);

signals:
    void chosenChanged();
    void failed(const dlperf::Error& error);

private:
    void addKind(const char* ending, const QString& title, const QString& note);
    void addFolder(QVBoxLayout& column);
    void addLast();
    void writeNext();
    void showWritten();

    std::vector<std::pair<std::string, QCheckBox*>> kinds_;  // by ending
    QCheckBox* latexParts_ = nullptr;
    QCheckBox* dated_ = nullptr;
    QLineEdit* folder_ = nullptr;
    QLabel* last_ = nullptr;
    QLabel* lastSize_ = nullptr;
    QPushButton* open_ = nullptr;
    QTimer nextFile_;
    report::Report writing_;  // as it was when the export began
    QString stem_;            // of its files
    QStringList toWrite_;     // endings
    QStringList written_;     // names, without the charts beside them
    report::WrittenFiles all_;
};

}  // namespace dlperf::ui
