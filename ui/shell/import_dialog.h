// SPDX-License-Identifier: Apache-2.0
// Asks before logs are saved: what each of them is taken for, and what the user knows better.
#pragma once

#include <QDialog>
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
    // Corrections go into the plan; it is the caller's to save it when the dialog is accepted.
    ImportDialog(std::shared_ptr<imports::ImportPlan> plan, const Vocabulary& vocabulary, QWidget* parent);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void build();
    [[nodiscard]] QWidget* buildTable();
    [[nodiscard]] QWidget* buildCorrections();
    [[nodiscard]] QLineEdit* addField(QHBoxLayout& row, const QString& name, const QString& example);
    void selectOpenQuestions();
    [[nodiscard]] std::vector<int> selectedRows() const;
    void apply();
    // Nothing for an empty field; what is no number from 1 on is refused: a sentence with "%1" for it.
    [[nodiscard]] Result<std::optional<int>> numberIn(const QLineEdit& field, const QString& refusal) const;
    void showCounts();
    void showSelection();

    std::shared_ptr<imports::ImportPlan> plan_;
    ImportModel* model_;
    QTableView* table_ = nullptr;
    QLabel* selection_ = nullptr;
    QLabel* word_ = nullptr;
    QComboBox* format_ = nullptr;
    QLineEdit* framework_ = nullptr;
    QLineEdit* implementation_ = nullptr;
    QLineEdit* modelName_ = nullptr;
    QLineEdit* topology_ = nullptr;
    QLineEdit* batchSize_ = nullptr;
    QLineEdit* precision_ = nullptr;
    QLineEdit* repetition_ = nullptr;
    QPushButton* apply_ = nullptr;
    QPushButton* import_ = nullptr;
};

}  // namespace dlperf::ui
