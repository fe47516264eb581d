// SPDX-License-Identifier: Apache-2.0
// Report: what Compare shows, as pages and as files.
#pragma once

#include <QTimer>
#include <memory>
#include <optional>

#include "core/report/report_template.h"
#include "core/store/file_stamp.h"
#include "ui/widgets/page.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace dlperf::ui {

class Banner;
class ComparePage;
class ExportPanel;
class NamedMenu;
class PaperView;
class SectionsList;
class Segments;
class Session;

class ReportPage final : public Page {
    Q_OBJECT

public:
    ReportPage(Session& session, const ComparePage& compare, QWidget* parent = nullptr);
    ~ReportPage() override;  // what was chosen last is written

    void enter() override;
    void primaryAction() override;  // exports, as soon as what Compare shows now has been read
    // Until exportEnded().
    [[nodiscard]] bool isExporting() const;
    [[nodiscard]] bool isShown() const { return report_ != nullptr; }
    void setFolder(const QString& folder);
    // Title, language, sections, files and summaries, as a template keeps them.
    [[nodiscard]] report::ReportTemplate chosen() const;
    void setChosen(const report::ReportTemplate& chosen);

signals:
    void shown();
    // Else the page says why some files are missing.
    void exportEnded(bool isWhole);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildHeader();
    QWidget* buildSections(QWidget* parent);
    QWidget* buildPreview(QWidget* parent);
    void buildExport(QWidget* parent);
    void addPaperControls(QHBoxLayout& head);
    void readChosen();
    void enableChoices(bool isRead);
    void changed();  // by hand
    void writeChosen();
    // What the file holds since `known` was what it held; what is chosen here since then stays.
    void take(const report::ReportTemplate& known, const report::ReportTemplate& there);
    [[nodiscard]] std::vector<RunResult> results() const;
    void refresh();
    void show();
    void showFileCount();
    void showPlace(int page, int pages);
    void showPaper(int question);
    void showText(int question, const char* ending);
    void zoomBy(int steps);
    void lookAt(report::ReportPart part);
    void editSummaries();
    void tellOutdated(const std::vector<std::string>& headings);
    void write();
    [[nodiscard]] report::ReportTemplate inForce() const;

    Session& session_;
    const ComparePage& compare_;
    std::shared_ptr<const report::Report> report_;  // of all parts
    std::vector<report::OwnSummary> summaries_;
    report::ReportTemplate known_;           // what the file holds, as chosen() has it
    std::optional<store::FileStamp> stamp_;  // of the file that was read last
    QTimer saving_;
    bool isReading_ = false;
    bool isRead_ = false;  // what was chosen when the workspace was open last
    int drawn_ = 0;        // the newest question for a preview
    int asked_ = 0;        // the number of the last question to the background
    int answered_ = 0;     // the number of the question that report_ answers
    bool exportWhenAnswered_ = false;
    QString askedTitle_;
    QWidget* choices_ = nullptr;  // sections and title
    SectionsList* sections_ = nullptr;
    Segments* language_ = nullptr;
    NamedMenu* templates_ = nullptr;
    QLineEdit* title_ = nullptr;
    Segments* kinds_ = nullptr;
    QStackedWidget* views_ = nullptr;
    PaperView* paper_ = nullptr;
    QPlainTextEdit* text_ = nullptr;
    QWidget* paperControls_ = nullptr;
    QToolButton* previous_ = nullptr;
    QToolButton* next_ = nullptr;
    QLabel* place_ = nullptr;
    QComboBox* zoom_ = nullptr;
    ExportPanel* files_ = nullptr;
    QPushButton* export_ = nullptr;
    Banner* banner_ = nullptr;
};

}  // namespace dlperf::ui
