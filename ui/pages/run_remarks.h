// SPDX-License-Identifier: Apache-2.0
// What the user says of the selected run, edited in place: why it is excluded, and a note.
#pragma once

#include <QWidget>
#include <string>

#include "core/store/notes.h"

class QLineEdit;

namespace dlperf::ui {

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

}  // namespace dlperf::ui
