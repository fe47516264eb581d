// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_remarks.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int mostLetters = 500;

QLineEdit* addField(QWidget* host, const QString& word, const QString& iconName, const QString& hint) {
    auto* row = new QHBoxLayout(host);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(makeIcon(iconName, "idle"));
    row->addWidget(makeLabel(word, "section"));
    auto* field = new QLineEdit;
    field->setProperty("size", "small");
    field->setPlaceholderText(hint);
    field->setAccessibleName(word);
    field->setMaxLength(mostLetters);
    row->addWidget(field, 1);
    return field;
}

void setQuietly(QLineEdit* field, const std::string& text) {
    const QString shown = QString::fromStdString(text);
    if (field->text() != shown) {
        field->setText(shown);
    }
    field->setModified(false);
}

}  // namespace

RunRemarks::RunRemarks(QWidget* parent) : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 0, 12, 8);
    row->setSpacing(16);
    reasonRow_ = new QWidget(this);
    reason_ = addField(reasonRow_, tr("Excluded, because"), QStringLiteral("state-cancelled"),
                       tr("the reason, for the report"));
    reason_->setObjectName(QStringLiteral("reason"));
    row->addWidget(reasonRow_, 1);
    noteRow_ = new QWidget(this);
    text_ =
        addField(noteRow_, tr("Note"), QStringLiteral("report"), tr("what is to be remembered of this run"));
    text_->setObjectName(QStringLiteral("note"));
    row->addWidget(noteRow_, 1);
    connect(reason_, &QLineEdit::editingFinished, this, &RunRemarks::commit);
    connect(text_, &QLineEdit::editingFinished, this, &RunRemarks::commit);
    arrange();
}

void RunRemarks::showNote(const std::string& runId, const store::RunNote& note) {
    const bool same = runId == runId_;
    if (!same) {
        commit();  // what was typed belongs to the run before
        noteOpen_ = false;
    }
    runId_ = runId;
    note_ = note;
    for (const auto& [field, text] : {std::pair(reason_, note.reason), std::pair(text_, note.note)}) {
        if (!same || !field->isModified()) {
            setQuietly(field, text);
        }
    }
    arrange();
}

void RunRemarks::commit() {
    if (runId_.empty() || (!reason_->isModified() && !text_->isModified())) {
        return;
    }
    reason_->setModified(false);
    text_->setModified(false);
    note_.note = text_->text().trimmed().toStdString();
    note_.reason = note_.excluded ? reason_->text().trimmed().toStdString() : std::string();
    const std::string runId = runId_;
    const store::RunNote note = note_;
    emit edited(runId, note);
}

void RunRemarks::arrange() {
    reasonRow_->setVisible(note_.excluded);
    noteRow_->setVisible(noteOpen_ || !note_.note.empty() || text_->isModified());
    setVisible(!reasonRow_->isHidden() || !noteRow_->isHidden());
}

void RunRemarks::editNote() {
    noteOpen_ = true;
    arrange();
    text_->setFocus(Qt::ShortcutFocusReason);
}

void RunRemarks::editReason() {
    arrange();
    reason_->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace dlperf::ui
