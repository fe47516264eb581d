// SPDX-License-Identifier: Apache-2.0
// Asks before logs are saved: what each of them is taken for, and what the user knows better.
#pragma once

#include <QDialog>
#include <QStringList>
#include <array>
#include <memory>

#include "core/import/import_logs.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace dlperf::ui {

class ImportModel;

class ImportDialog final : public QDialog {
    Q_OBJECT

public:
    // What can be said of a log.
    enum Field {
        Format,
        Framework,
        Implementation,
        Model,
        Topology,
        BatchSize,
        Precision,
        Repetition,
        FieldCount
    };

    // Corrections go into the plan; it is the caller's to save it when the dialog is accepted.
    ImportDialog(std::shared_ptr<imports::ImportPlan> plan, const Vocabulary& vocabulary, QWidget* parent);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void build();
    [[nodiscard]] QWidget* buildTable();
    [[nodiscard]] QWidget* buildCorrections();
    [[nodiscard]] QLineEdit* addField(QHBoxLayout& row, const QString& name, const QString& example);
    void selectOpenQuestions();
    [[nodiscard]] std::vector<int> selectedRows() const;
    void apply();
    // What stands in the fields, and what is said of these logs alike; as Field.
    [[nodiscard]] QStringList typed() const;
    [[nodiscard]] QStringList saidOf(const std::vector<int>& rows) const;
    void fill(const QStringList& texts);
    // The first text that cannot be is refused in a sentence.
    [[nodiscard]] Result<imports::Corrections> correctionsOf(const QStringList& texts) const;
    void fitColumns();
    void showCounts();
    void showSelection();

    std::shared_ptr<imports::ImportPlan> plan_;
    ImportModel* model_;
    QTableView* table_ = nullptr;
    QLabel* selection_ = nullptr;
    QLabel* word_ = nullptr;
    QComboBox* format_ = nullptr;
    std::array<QLineEdit*, FieldCount - 1> fields_{};  // after the format, as Field
    QStringList filled_;  // the fields, when the selection or Apply has filled them
    QPushButton* apply_ = nullptr;
    QPushButton* import_ = nullptr;
};

}  // namespace dlperf::ui
