// SPDX-License-Identifier: Apache-2.0
// What a run was made of, to be searched and copied.
#pragma once

#include <QDialog>
#include <filesystem>

#include "core/base/error.h"
#include "core/run/versions.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QSortFilterProxyModel;
class QStandardItemModel;
class QTableView;
class QVBoxLayout;

namespace dlperf::ui {

class Background;
class Panel;

class VersionsDialog final : public QDialog {
    Q_OBJECT

public:
    // `title`: which run it is. The files of its folder are read in the background.
    VersionsDialog(Background& files, const QString& title, const std::filesystem::path& runFolder,
                   QWidget* parent);

private:
    void build(const QString& title);
    [[nodiscard]] QWidget* buildTable();
    void buildChanges(QVBoxLayout& column);
    void take(const Result<run::NodeVersions>& versions);
    void fill(const run::NodeVersions& versions);
    void copy() const;

    QLineEdit* filter_;
    QLabel* word_;
    QTableView* table_;
    QStandardItemModel* model_;
    QSortFilterProxyModel* shown_;
    QLabel* changesTitle_;
    Panel* changesPanel_;
    QPlainTextEdit* changes_;
};

}  // namespace dlperf::ui
