// SPDX-License-Identifier: Apache-2.0
// Says how an import of logs goes and what came of it.
#pragma once

#include <QObject>

#include "core/import/import_logs.h"

namespace dlperf::ui {

class Banner;
class DropTarget;

class ImportNotice final : public QObject {
    Q_OBJECT

public:
    ImportNotice(DropTarget& target, Banner& banner, QObject* parent = nullptr);

signals:
    void resultsRequested();
    // What is refused while an import is told about.
    void troubled(const dlperf::Error& error);

private:
    void showProgress(imports::Stage stage, int percent);
    void showEnd(const imports::Imported& imported);
    void showFormats(const QStringList& names);

    DropTarget& target_;
    Banner& banner_;
};

}  // namespace dlperf::ui
