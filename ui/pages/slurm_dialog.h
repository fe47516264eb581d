// SPDX-License-Identifier: Apache-2.0
// How nodes are asked of Slurm: the login node, a partition, and what jobs in it ask for.
#pragma once

#include <QDialog>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/cluster/slurm.h"
#include "ui/session/background.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace dlperf::remote {
class CredentialCache;
}

namespace dlperf::ui {

class ProblemLine;

class SlurmDialog final : public QDialog {
    Q_OBJECT

public:
    // Starts from the cluster where it is Slurm's, else from Slurm on this machine. Partitions are asked for
    // with `credentials`.
    SlurmDialog(const cluster::Cluster& cluster, std::shared_ptr<remote::CredentialCache> credentials,
                QWidget* parent = nullptr);
    ~SlurmDialog() override;

    // What is typed, as a cluster file would say it.
    [[nodiscard]] Result<cluster::Cluster> typed() const;
    // Also asks for a login that the user refused before.
    void askForPartitions();

private:
    void build();
    void buildPartition(QFormLayout& form);
    void buildLimits(QFormLayout& form);
    void buildNode(QFormLayout& form);
    void buildButtons();
    void addRow(QFormLayout& form, const QString& title, QWidget& field, const QString& tip);
    [[nodiscard]] QLineEdit* addLine(QFormLayout& form, const QString& title, const QString& hint,
                                     const QString& tip);
    void fill();
    void takePartitions(const Result<std::vector<cluster::Partition>>& partitions);
    void tellPartition(const cluster::Partition& one);
    void choosePartition();
    void fillFrom(const cluster::Partition& one);
    void showTyped();
    void tell(const QString& problem);

    cluster::Cluster cluster_;
    bool isNew_;                      // nothing of it was said before
    std::set<const QObject*> typed_;  // fields that hold what the user wrote here
    std::shared_ptr<remote::CredentialCache> credentials_;
    std::vector<cluster::Partition> partitions_;
    std::stop_source stop_;
    QLineEdit* login_ = nullptr;
    QPushButton* ask_ = nullptr;
    QComboBox* partition_ = nullptr;
    QLabel* found_ = nullptr;  // what the partition has
    QSpinBox* nodes_ = nullptr;
    QLineEdit* gres_ = nullptr;
    QLineEdit* devices_ = nullptr;
    QLineEdit* account_ = nullptr;
    QLineEdit* qos_ = nullptr;
    QLineEdit* constraint_ = nullptr;
    QLineEdit* timeLimit_ = nullptr;
    QLineEdit* options_ = nullptr;
    QComboBox* jobs_ = nullptr;
    QCheckBox* exclusive_ = nullptr;
    QLineEdit* workDir_ = nullptr;
    QPlainTextEdit* setup_ = nullptr;
    ProblemLine* problem_ = nullptr;
    QPushButton* accept_ = nullptr;
    Background background_;  // last: its thread ends before what its task uses
};

}  // namespace dlperf::ui
