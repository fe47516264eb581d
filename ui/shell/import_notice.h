// SPDX-License-Identifier: Apache-2.0
// Shows the progress and the result of an import of logs.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include "core/import/import_logs.h"

namespace dlperf::ui {

class Banner;
class DropTarget;

class ImportNotice final : public QObject {
    Q_OBJECT

public:
    ImportNotice(DropTarget& target, Banner& banner, QObject* parent = nullptr);

signals:
    // Of the import of this name.
    void resultsRequested(const QString& import);
    // Something was refused while the banner shows an import.
    void errorFound(const dlperf::Error& error);

private:
    void showProgress(imports::Stage stage, int percent);
    void showEnd(const imports::Imported& imported);
    void addFormats(const QStringList& names);
    void showFormats();
    [[nodiscard]] QString formatsText() const;

    DropTarget& target_;
    Banner& banner_;
    QString import_;       // the latest one
    QStringList formats_;  // that were added, until the import ends or the user closes the banner
};

}  // namespace dlperf::ui
