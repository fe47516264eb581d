// SPDX-License-Identifier: Apache-2.0
// Report: what Compare shows, as a page and as files.
#pragma once

#include <QStringList>
#include <QTimer>
#include <memory>

#include "core/report/report.h"
#include "ui/widgets/page.h"

class QCheckBox;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTextBrowser;
class QTextDocument;

namespace dlperf::ui {

class Banner;
class ComparePage;
class Segments;
class Session;

class ReportPage final : public Page {
    Q_OBJECT

public:
    ReportPage(Session& session, const ComparePage& compare, QWidget* parent = nullptr);

    void enter() override;
    void primaryAction() override;  // exports, as soon as what Compare shows now has been read
    [[nodiscard]] bool isShown() const { return report_ != nullptr; }
    void setFolder(const QString& folder);

signals:
    void shown();

private:
    QWidget* buildSections(QWidget* parent);
    QWidget* buildPreview(QWidget* parent);
    QWidget* buildExport(QWidget* parent);
    void addKinds(QVBoxLayout* column);
    void refresh();
    void write();
    void show();
    void showExport();
    void showPaper(int question);
    void showText(int question, const char* ending);
    void writeNext();
    [[nodiscard]] std::vector<report::ReportPart> chosenParts() const;

    Session& session_;
    const ComparePage& compare_;
    std::shared_ptr<const report::Report> report_;  // of all parts
    std::shared_ptr<QTextDocument> preview_;        // that the page shows
    int drawn_ = 0;                                 // the newest question for a preview
    report::Report writing_;                        // as it was when the export began
    QTimer nextFile_;
    QStringList toWrite_;  // endings
    QStringList written_;
    int asked_ = 0;     // the number of the last question to the background
    int answered_ = 0;  // the number of the question that report_ answers
    bool exportWhenAnswered_ = false;
    QString askedTitle_;
    std::vector<std::pair<report::ReportPart, QCheckBox*>> parts_;
    QCheckBox* pivot_ = nullptr;                         // of them
    std::vector<std::pair<QString, QCheckBox*>> files_;  // ending without the dot
    QLineEdit* title_;
    QLineEdit* folder_;
    Segments* kinds_;
    QStackedWidget* views_;
    QTextBrowser* page_;
    QPlainTextEdit* text_;
    QPushButton* export_;
    QPushButton* open_;
    Banner* banner_;
};

}  // namespace dlperf::ui
