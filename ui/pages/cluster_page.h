// SPDX-License-Identifier: Apache-2.0
// Cluster: this machine as one node, with what it is.
#pragma once

#include "ui/session/machine_facts.h"
#include "ui/shell/page.h"

class QGridLayout;
class QPushButton;
class QTableWidget;

namespace dlperf::ui {

class Panel;
class Session;

class ClusterPage final : public Page {
    Q_OBJECT

public:
    explicit ClusterPage(Session& session, QWidget* parent = nullptr);

    void enter() override;
    void primaryAction() override { emit launchRequested(); }
    // For rail and status bar: "1"; "This machine, 2 CPU processes".
    [[nodiscard]] QString nodeCount() const { return QStringLiteral("1"); }
    [[nodiscard]] QString machine() const;

signals:
    void launchRequested();

private:
    QWidget* buildNodes();
    QWidget* buildFacts();
    QWidget* buildNext();
    void read();
    void show(const MachineFacts& facts);
    void addFact(int row, const QString& name, const QString& value);

    Session& session_;
    QPushButton* launch_;
    QTableWidget* nodes_;
    Panel* factsPanel_;
    QGridLayout* facts_;
    QString machine_;
};

}  // namespace dlperf::ui
