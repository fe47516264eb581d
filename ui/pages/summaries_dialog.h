// SPDX-License-Identifier: Apache-2.0
// The summaries of a report's sections, to be written by the user.
#pragma once

#include <QDialog>
#include <string>
#include <vector>

#include "core/report/report_template.h"

class QPlainTextEdit;
class QVBoxLayout;

namespace dlperf::ui {

class SummariesDialog final : public QDialog {
    Q_OBJECT

public:
    // `own` are kept as they are for sections that the report has not.
    SummariesDialog(const report::Report& report, std::vector<report::OwnSummary> own, QWidget* parent);

    [[nodiscard]] std::vector<report::OwnSummary> summaries() const;

private:
    struct Field {
        std::string heading;
        std::string computed;   // as the report writes it
        QString inItsLanguage;  // as the user reads it
        QPlainTextEdit* text;
    };

    void addField(QVBoxLayout& column, const report::Report& report, const report::ReportSection& section);

    std::vector<report::OwnSummary> own_;
    std::vector<Field> fields_;
};

}  // namespace dlperf::ui
