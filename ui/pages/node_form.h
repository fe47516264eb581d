// SPDX-License-Identifier: Apache-2.0
// Edits a node's settings; keeps what the form does not show.
#pragma once

#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/cluster/probe.h"

class QFormLayout;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QStringListModel;

namespace dlperf::ui {

class ProblemLine;

class NodeForm final : public QWidget {
    Q_OBJECT

public:
    explicit NodeForm(QWidget* parent = nullptr);

    // Unsaved changes stay as long as it is the same node.
    void showNode(const cluster::Node& node, bool removable);
    // What the node was found to have, to choose from.
    void offer(const cluster::NodeFacts& facts);
    // What was typed and not saved, by the name the node had; nothing without changes.
    struct Typed {
        std::string name;
        Result<cluster::Node> node;
    };
    [[nodiscard]] std::optional<Typed> unsaved() const;
    void forgetTyped() { fill(); }
    // Below the fields, until the next change; nothing to take it away.
    void showProblem(const Error* error);
    void editName();

signals:
    void saved(const dlperf::cluster::Node& node);
    void removed();

private:
    QLineEdit* addLine(QFormLayout& form, const QString& title, const QString& hint, const QString& tip);
    QPlainTextEdit* addLines(QFormLayout& form, const QString& title, const QString& hint,
                             const QString& tip);
    QStringListModel* addChoices(QLineEdit& field);
    void fill();
    void save();
    void showChanged();
    [[nodiscard]] Result<cluster::Node> typed() const;

    cluster::Node node_;
    bool filling_ = false;
    QFormLayout* form_;
    QLineEdit* name_;
    QLineEdit* host_;
    QLineEdit* devices_;
    QLineEdit* workDir_;
    QStringListModel* interfaces_;
    QStringListModel* cards_;
    QLineEdit* container_;
    std::vector<std::pair<QLineEdit*, std::string cluster::Node::*>> texts_;  // shown as they are in the file
    QPlainTextEdit* setup_;
    QPlainTextEdit* environment_;
    ProblemLine* problem_;
    QPushButton* save_;
    QPushButton* revert_;
    QPushButton* remove_;
};

}  // namespace dlperf::ui
