// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/node_form.h"

#include <QAbstractItemView>
#include <QAction>
#include <QCompleter>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QStringListModel>
#include <QVBoxLayout>
#include <algorithm>

#include "core/cluster/host_lists.h"
#include "ui/theme/icons.h"
#include "ui/theme/localized.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int textLines = 3;
constexpr int lineHeight = 18;

bool isManyLines(const std::string& value) {
    return value.find('\n') != std::string::npos;
}

QString joined(const std::map<std::string, std::string>& variables) {
    QStringList text;
    for (const auto& [name, value] : variables) {
        if (isManyLines(value)) {
            continue;  // kept, but not to be edited line by line
        }
        text << QString::fromStdString(name) + QLatin1Char('=') + QString::fromStdString(value);
    }
    return text.join(QLatin1Char('\n'));
}

// As QProcess::splitCommand() reads it again.
QString joined(const std::vector<std::string>& words) {
    QStringList text;
    for (const std::string& word : words) {
        QString one = QString::fromStdString(word);
        one.replace(QLatin1Char('"'), QStringLiteral("\"\"\""));
        text << (one.isEmpty() || std::ranges::any_of(one, [](QChar c) { return c.isSpace(); })
                     ? QLatin1Char('"') + one + QLatin1Char('"')
                     : one);
    }
    return text.join(QLatin1Char(' '));
}

Result<std::map<std::string, std::string>> variablesOf(const QString& text) {
    std::map<std::string, std::string> variables;
    for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const qsizetype equals = line.indexOf(QLatin1Char('='));
        if (equals <= 0) {
            return fail("\"" + line.toStdString() + "\" is no variable", "Environment",
                        "Write NAME=value, one a line.");
        }
        variables[line.left(equals).trimmed().toStdString()] = line.mid(equals + 1).toStdString();
    }
    return variables;
}

}  // namespace

NodeForm::NodeForm(QWidget* parent) : QWidget(parent) {
    QVBoxLayout* column = makeColumn(this, {14, 12, 14, 12}, 10);
    auto* fields = new QWidget(this);
    fields->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);  // it is scrolled, never squeezed
    auto* form = new QFormLayout(fields);
    form->setContentsMargins({});
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(6);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    form_ = form;
    name_ = addLine(*form, tr("Name"), {}, tr("Letters, digits, . _ and -"));
    host_ = addLine(*form, tr("Host"), tr("this machine"),
                    tr("A name of your SSH configuration, or user@host:port; empty: this machine"));
    devices_ = addLine(*form, tr("Devices"), tr("the GPUs found, else 2 CPU processes"),
                       tr("How many devices a run may use here"));
    const auto addText = [&](std::string cluster::Node::*member, const QString& title, const QString& hint,
                             const QString& tip) {
        texts_.emplace_back(addLine(*form, title, hint, tip), member);
        return texts_.back().first;
    };
    addText(&cluster::Node::deviceList, tr("Device list"), QStringLiteral("0,1,2,3"),
            tr("Which devices, in this order; empty: from 0 on"));
    addText(&cluster::Node::address, tr("Address"), tr("that of the host"),
            tr("How the other nodes reach this one"));
    interfaces_ =
        addChoices(*addText(&cluster::Node::interface, tr("Interface"), tr("chosen by NCCL and Gloo"),
                            tr("The network interface that leads to the other nodes")));
    cards_ = addChoices(*addText(&cluster::Node::rdma, tr("RDMA card"), tr("chosen by NCCL"),
                                 tr("The InfiniBand or RoCE card that NCCL uses")));
    workDir_ =
        addLine(*form, tr("Work folder"), QStringLiteral("~/dlperf"),
                tr("Runs make their folders below it; nodes that are one machine each need their own"));
    addText(&cluster::Node::dataDir, tr("Data folder"), tr("none"), tr("Recipes find data sets there"));
    container_ = addLine(*form, tr("Container"), tr("e.g. %1").arg(QStringLiteral("docker exec -i pt")),
                         tr("A command that runs what follows it inside a container; empty: no container"));
    addText(
        &cluster::Node::image, tr("Image"),
        tr("e.g. %1").arg(QStringLiteral("docker.io/pytorch/pytorch:2.1.0")),
        tr("Instead of a command: a container of this image is started for runs, by podman or docker, and "
           "ends by itself"));
    setup_ =
        addLines(*form, tr("Setup"), tr("e.g. %1").arg(QStringLiteral("source ~/miniconda3/bin/activate pt")),
                 tr("bash, sourced before every script"));
    environment_ = addLines(*form, tr("Environment"), tr("e.g. %1").arg(QStringLiteral("NCCL_DEBUG=WARN")),
                            tr("NAME=value, one a line"));
    column->addWidget(fields);
    problem_ = new ProblemLine(this);
    column->addWidget(problem_);
    auto* row = new QHBoxLayout;
    save_ = makeButton(tr("Save"), QStringLiteral("check"), "primary");
    connect(save_, &QPushButton::clicked, this, &NodeForm::save);
    revert_ = makeButton(tr("Revert"));
    connect(revert_, &QPushButton::clicked, this, &NodeForm::fill);
    remove_ = makeButton(tr("Remove node"), {}, "destructive");
    connect(remove_, &QPushButton::clicked, this, &NodeForm::removed);
    row->addWidget(save_);
    row->addWidget(revert_);
    row->addStretch(1);
    row->addWidget(remove_);
    column->addLayout(row);
    column->addStretch(1);
    fill();
}

QLineEdit* NodeForm::addLine(QFormLayout& form, const QString& title, const QString& hint,
                             const QString& tip) {
    auto* field = new QLineEdit;
    field->setPlaceholderText(hint);
    field->setToolTip(tip);
    field->setAccessibleName(title);
    form.addRow(makeLabel(title, "secondary"), field);
    connect(field, &QLineEdit::textChanged, this, &NodeForm::showChanged);
    connect(field, &QLineEdit::returnPressed, this, &NodeForm::save);
    return field;
}

QPlainTextEdit* NodeForm::addLines(QFormLayout& form, const QString& title, const QString& hint,
                                   const QString& tip) {
    auto* field = new QPlainTextEdit;
    field->setProperty("kind", "field");
    field->setPlaceholderText(hint);
    field->setToolTip(tip);
    field->setAccessibleName(title);
    field->setTabChangesFocus(true);
    field->setFixedHeight(textLines * lineHeight + 10);
    form.addRow(makeLabel(title, "secondary"), field);
    connect(field, &QPlainTextEdit::textChanged, this, &NodeForm::showChanged);
    return field;
}

// A field with a list of what is there, which its arrow opens; anything may be typed.
QStringListModel* NodeForm::addChoices(QLineEdit& field) {
    auto* choices = new QStringListModel(this);
    auto* completer = new QCompleter(choices, this);
    completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    completer->popup()->setProperty("kind", "choices");
    field.setCompleter(completer);
    QAction* open = field.addAction(icon(QStringLiteral("down")), QLineEdit::TrailingPosition);
    open->setToolTip(tr("What the node was found to have"));
    open->setShortcut(Qt::Key_Down);
    open->setShortcutContext(Qt::WidgetShortcut);
    connect(open, &QAction::triggered, &field, [completer, choices] {
        if (choices->rowCount() > 0) {
            completer->setCompletionPrefix({});
            completer->complete();
        }
    });
    return choices;
}

void NodeForm::showNode(const cluster::Node& node, bool removable) {
    const bool isSlurms = node.seat.has_value();
    form_->setRowVisible(name_, !isSlurms);
    form_->setRowVisible(host_, !isSlurms);
    remove_->setVisible(!isSlurms);
    remove_->setEnabled(removable);
    remove_->setToolTip(removable ? QString() : tr("A list needs at least one node"));
    const auto json = [](const cluster::Node& one) { return toJson(cluster::Cluster{{}, {one}}); };
    if (json(node) != json(node_)) {
        node_ = node;
        fill();
    }
}

void NodeForm::offer(const cluster::NodeFacts& facts) {
    QStringList interfaces;
    for (const cluster::InterfaceFacts& one : facts.interfaces) {
        if (one.name != "lo") {
            interfaces << QString::fromStdString(one.name);
        }
    }
    interfaces_->setStringList(interfaces);
    QStringList cards;
    for (const std::string& card : facts.infiniband) {
        cards << QString::fromStdString(card.substr(0, card.find(':')));
    }
    cards_->setStringList(cards);
}

void NodeForm::fill() {
    filling_ = true;
    name_->setText(QString::fromStdString(node_.name));
    host_->setText(QString::fromStdString(cluster::hostText(node_)));
    devices_->setText(node_.devices ? QString::number(*node_.devices) : QString());
    for (const auto& [field, member] : texts_) {
        field->setText(QString::fromStdString(node_.*member));
    }
    workDir_->setText(QString::fromStdString(node_.workDir));
    container_->setText(joined(node_.container));
    setup_->setPlainText(QString::fromStdString(node_.setup));
    environment_->setPlainText(joined(node_.env));
    filling_ = false;
    showProblem(nullptr);
    save_->setEnabled(false);
    revert_->setEnabled(false);
}

void NodeForm::showChanged() {
    if (filling_) {
        return;
    }
    revert_->setEnabled(true);
    const auto node = typed();
    save_->setEnabled(node.has_value());
    showProblem(node ? nullptr : &node.error());
}

void NodeForm::showProblem(const Error* error) {
    problem_->showProblem(error != nullptr ? localized(describe(*error)) : QString());
}

// Judged by the reader of cluster.json, so a form accepts what a file may say.
Result<cluster::Node> NodeForm::typed() const {
    cluster::Node node = node_;
    if (!node.seat) {
        node = TRY(cluster::withHost(node_, host_->text().toStdString()));
        node.name = name_->text().trimmed().toStdString();
    }
    const QString devices = devices_->text().trimmed();
    bool isNumber = true;
    const int count = devices.isEmpty() ? 0 : devices.toInt(&isNumber);
    if (!isNumber || (!devices.isEmpty() && count < 1)) {
        return fail("\"" + devices.toStdString() + "\" is no number of devices", "Devices",
                    "Write a number from 1 on, or nothing.");
    }
    node.devices = devices.isEmpty() ? std::nullopt : std::optional(count);
    for (const auto& [field, member] : texts_) {
        node.*member = field->text().trimmed().toStdString();
    }
    node.workDir = workDir_->text().trimmed().toStdString();
    if (node.workDir.empty()) {
        node.workDir = cluster::Node().workDir;
    }
    node.container.clear();
    for (const QString& word : QProcess::splitCommand(container_->text())) {
        node.container.push_back(word.toStdString());
    }
    node.setup = setup_->toPlainText().toStdString();
    auto variables = TRY(variablesOf(environment_->toPlainText()));
    for (const auto& [name, value] : node_.env) {
        if (isManyLines(value)) {
            variables.emplace(name, value);
        }
    }
    node.env = std::move(variables);
    const auto read = cluster::clusterFromJson(toJson(cluster::Cluster{"the node", {node}}), "Node");
    return read ? Result<cluster::Node>(read->nodes.front()) : Failure(read.error());
}

std::optional<NodeForm::Typed> NodeForm::unsaved() const {
    return revert_->isEnabled() ? std::optional(Typed{node_.name, typed()}) : std::nullopt;
}

void NodeForm::save() {
    if (!save_->isEnabled()) {
        return;
    }
    if (const auto node = typed()) {
        emit saved(*node);
    }
}

void NodeForm::editName() {
    name_->setFocus(Qt::OtherFocusReason);
    name_->selectAll();
}

}  // namespace dlperf::ui
