// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/summaries_dialog.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/report/writers.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr QSize dialogSize(640, 420);  // px at 100 %
constexpr int fieldHeight = 84;

// A field gives blanks for no-break spaces.
bool sameWords(const QString& one, const QString& other) {
    return one.simplified() == other.simplified();
}

}  // namespace

SummariesDialog::SummariesDialog(const report::Report& report, std::vector<report::OwnSummary> own,
                                 QWidget* parent)
    : QDialog(parent), own_(std::move(own)) {
    setWindowTitle(tr("Summaries"));
    QVBoxLayout* column = makeColumn(this, {16, 14, 16, 14}, 10);
    column->addWidget(
        makeText(tr("Your words stand in the report until the figures below them change."), "secondary"));
    auto* content = new QWidget;
    content->setProperty("kind", "clear");
    QVBoxLayout* fields = makeColumn(content, {0, 0, 8, 0}, 12);
    for (const report::ReportSection& section : report.sections) {
        if (!section.summary.empty()) {
            addField(*fields, report, section);
        }
    }
    fields->addStretch(1);
    column->addWidget(makeScrolled(content, ScrollBars::VerticalOnly), 1);
    QDialogButtonBox* buttons = makeDialogButtons(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    column->addWidget(buttons);
    if (!fields_.empty()) {
        fields_.front().text->setFocus();
    }
    resize(scaled(dialogSize.width()), scaled(dialogSize.height()));
}

void SummariesDialog::addField(QVBoxLayout& column, const report::Report& report,
                               const report::ReportSection& section) {
    const QString heading = QString::fromStdString(report::inItsLanguage(report, section.heading));
    const QString computed = QString::fromStdString(report::inItsLanguage(report, section.summary));
    const auto own = std::ranges::find(own_, section.heading, &report::OwnSummary::heading);
    auto* text = new QPlainTextEdit(own == own_.end() ? computed : QString::fromStdString(own->text));
    text->setProperty("kind", "words");
    text->setAccessibleName(tr("Summary of %1").arg(heading));
    text->setTabChangesFocus(true);
    text->setFixedHeight(scaled(fieldHeight));
    QHBoxLayout* head = makeRow(nullptr, {}, 8);
    head->addWidget(makeText(heading, "section"), 1);
    QPushButton* back = makeButton(tr("As computed"), {}, "link");
    back->setEnabled(!sameWords(text->toPlainText(), computed));
    connect(back, &QPushButton::clicked, text, [text, computed] { text->setPlainText(computed); });
    connect(text, &QPlainTextEdit::textChanged, back,
            [back, text, computed] { back->setEnabled(!sameWords(text->toPlainText(), computed)); });
    head->addWidget(back);
    column.addLayout(head);
    column.addWidget(text);
    if (own != own_.end() && own->inPlaceOf != section.summary) {
        column.addWidget(makeText(tr("Written for other figures: the report has the computed words until you "
                                     "confirm yours with OK. "
                                     "Computed: %1")
                                      .arg(computed),
                                  "secondary"));
    }
    fields_.push_back({section.heading, section.summary, computed, text});
}

std::vector<report::OwnSummary> SummariesDialog::summaries() const {
    std::vector<report::OwnSummary> all = own_;
    for (const Field& field : fields_) {
        std::erase_if(all, [&](const report::OwnSummary& one) { return one.heading == field.heading; });
        const QString text = field.text->toPlainText().simplified();
        if (!text.isEmpty() && !sameWords(text, field.inItsLanguage)) {
            all.push_back({field.heading, text.toStdString(), field.computed});
        }
    }
    return all;
}

}  // namespace dlperf::ui
