// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/slurm_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/cluster/host_lists.h"
#include "core/remote/credentials.h"
#include "core/remote/slurm_job.h"
#include "ui/theme/fonts.h"
#include "ui/theme/localized.h"
#include "ui/theme/theme.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr int dialogWidth = 620;
constexpr int countWidth = 110;
constexpr int setupLines = 3;
constexpr int mostSlurmNodes = 4096;

std::string lineText(const QLineEdit* field) {
    return field->text().trimmed().toStdString();
}

}  // namespace

SlurmDialog::SlurmDialog(const cluster::Cluster& cluster,
                         std::shared_ptr<remote::CredentialCache> credentials, QWidget* parent)
    : QDialog(parent),
      cluster_(cluster.slurm ? cluster
                             : cluster::clusterOfPartition({}, cluster::thisMachine().nodes.front())),
      isNew_(!cluster.slurm),
      credentials_(std::move(credentials)) {
    setWindowTitle(tr("Nodes from Slurm"));
    build();
    fill();
    resize(scaled(dialogWidth), sizeHint().height());
}

// A long problem takes more lines than the dialog had room for.
void SlurmDialog::tell(const QString& problem) {
    problem_->showProblem(problem);
    layout()->activate();
    resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
}

SlurmDialog::~SlurmDialog() {
    stop_.request_stop();
}

void SlurmDialog::build() {
    QVBoxLayout* column = makeDialogColumn(this);
    column->addWidget(
        makeText(tr("Each run is a job: it waits in the queue, gets its nodes, and gives them back. The "
                    "work folder must be one that the login node and the nodes share."),
                 "secondary"));
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(6);
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    buildPartition(*form);
    buildLimits(*form);
    buildNode(*form);
    column->addLayout(form);
    problem_ = new ProblemLine(this);
    column->addWidget(problem_);
    buildButtons();
}

void SlurmDialog::addRow(QFormLayout& form, const QString& title, QWidget& field, const QString& tip) {
    field.setAccessibleName(title);
    field.setToolTip(tip);
    QLabel* label = makeLabel(title, "secondary");
    label->setBuddy(&field);
    form.addRow(label, &field);
}

QLineEdit* SlurmDialog::addLine(QFormLayout& form, const QString& title, const QString& hint,
                                const QString& tip) {
    auto* field = new QLineEdit;
    field->setPlaceholderText(hint);
    addRow(form, title, *field, tip);
    connect(field, &QLineEdit::textChanged, this, &SlurmDialog::showTyped);
    connect(field, &QLineEdit::textEdited, this, [this, field] { typed_.insert(field); });
    return field;
}

void SlurmDialog::buildPartition(QFormLayout& form) {
    login_ = new QLineEdit;
    login_->setPlaceholderText(tr("this machine"));
    login_->setAccessibleName(tr("Login node"));
    login_->setToolTip(
        tr("Where jobs are submitted: a name of your SSH configuration, or user@host:port; empty: here"));
    connect(login_, &QLineEdit::textChanged, this, &SlurmDialog::showTyped);
    ask_ = makeSmallButton(tr("List partitions"), QStringLiteral("refresh"));
    connect(ask_, &QPushButton::clicked, this, &SlurmDialog::askForPartitions);
    QHBoxLayout* row = makeRow(nullptr, {}, 8);
    row->addWidget(login_, 1);
    row->addWidget(ask_);
    form.addRow(makeLabel(tr("Login node"), "secondary"), row);
    partition_ = new QComboBox;
    partition_->setEditable(true);
    partition_->lineEdit()->setPlaceholderText(tr("Slurm's default"));
    addRow(form, tr("Partition"), *partition_, tr("Where jobs wait; empty: Slurm's default"));
    connect(partition_, &QComboBox::activated, this, &SlurmDialog::choosePartition);
    connect(partition_, &QComboBox::editTextChanged, this, &SlurmDialog::showTyped);
    found_ = makeLabel(QStringLiteral(" "), "caption");  // its room is there before its words
    form.addRow(QString(), found_);
}

void SlurmDialog::buildLimits(QFormLayout& form) {
    nodes_ = new QSpinBox;
    nodes_->setRange(1, mostSlurmNodes);
    setScaledWidth(nodes_, countWidth);
    addRow(form, tr("Nodes"), *nodes_, tr("How many a run may take at most"));
    connect(nodes_, &QSpinBox::valueChanged, this, [this] {
        typed_.insert(nodes_);
        showTyped();
    });
    gres_ = addLine(form, tr("GPUs, gres"), QStringLiteral("gpu:8"), tr("Asked for on each node: --gres"));
    account_ = addLine(form, tr("Account"), tr("yours"), tr("Whom the time is charged to: --account"));
    qos_ = addLine(form, tr("Quality of service"), tr("the account's"), tr("--qos"));
    constraint_ =
        addLine(form, tr("Constraint"), QStringLiteral("v100&ib"), tr("Features of the nodes: --constraint"));
    timeLimit_ = addLine(form, tr("Time limit"), tr("what the runs may take, and 10 minutes"),
                         tr("Of a job: minutes, 2:00:00 or 1-00:00:00"));
    options_ =
        addLine(form, tr("Further options"), QStringLiteral("--mem=0"), tr("Of sbatch, each in one word"));
    jobs_ = new QComboBox;
    jobs_->addItems({tr("one for each run"), tr("one for the whole campaign")});
    addRow(form, tr("Jobs"), *jobs_,
           tr("One job for all keeps its nodes between the runs, and waits in the queue once"));
    connect(jobs_, &QComboBox::currentIndexChanged, this, &SlurmDialog::showTyped);
    exclusive_ = new QCheckBox(tr("Nobody else's jobs on these nodes"));
    exclusive_->setToolTip(tr("--exclusive: others would change the figures"));
    form.addRow(QString(), exclusive_);
    connect(exclusive_, &QCheckBox::toggled, this, &SlurmDialog::showTyped);
}

void SlurmDialog::buildNode(QFormLayout& form) {
    devices_ = addLine(form, tr("Devices"), tr("the GPUs asked for, else 2 CPU processes"),
                       tr("How many devices a run may use on each node"));
    workDir_ = addLine(form, tr("Work folder"), QStringLiteral("~/dlperf"),
                       tr("Shared by the login node and all nodes: runs, jobs and logs stand below it"));
    setup_ = new QPlainTextEdit;
    setup_->setProperty("kind", "field");
    setup_->setPlaceholderText(tr("e.g. %1").arg(QStringLiteral("module load cuda nccl")));
    setup_->setTabChangesFocus(true);
    setup_->setFixedHeight(setup_->fontMetrics().lineSpacing() * setupLines + 14);
    addRow(form, tr("Setup"), *setup_, tr("bash, sourced before every script"));
    connect(setup_, &QPlainTextEdit::textChanged, this, &SlurmDialog::showTyped);
}

void SlurmDialog::buildButtons() {
    QDialogButtonBox* buttons = makeDialogButtons(QDialogButtonBox::Cancel, this);
    accept_ = makeButton(tr("Use these nodes"), {}, "primary");
    accept_->setObjectName(QStringLiteral("accept"));
    buttons->addButton(accept_, QDialogButtonBox::AcceptRole);
    layout()->addWidget(buttons);
}

void SlurmDialog::fill() {
    const cluster::Slurm& slurm = *cluster_.slurm;
    const cluster::Node& node = cluster_.nodes.front();
    const auto set = [](QLineEdit* field, const std::string& text) {
        field->setText(QString::fromStdString(text));
    };
    set(login_, cluster::hostText(*slurm.login));
    partition_->setEditText(QString::fromStdString(slurm.partition));
    nodes_->setValue(static_cast<int>(cluster_.nodes.size()));
    set(gres_, slurm.gres);
    set(account_, slurm.account);
    set(qos_, slurm.qos);
    set(constraint_, slurm.constraint);
    set(timeLimit_, slurm.timeLimit);
    set(options_, join(slurm.options, " "));
    jobs_->setCurrentIndex(slurm.jobPerCampaign ? 1 : 0);
    exclusive_->setChecked(slurm.exclusive);
    set(devices_, node.devices ? std::to_string(*node.devices) : "");
    set(workDir_, node.workDir == cluster::Node().workDir ? "" : node.workDir);
    setup_->setPlainText(QString::fromStdString(node.setup));
    typed_.clear();
    showTyped();
}

// Judged by the reader of cluster.json, so the form accepts what a file may say.
Result<cluster::Cluster> SlurmDialog::typed() const {
    cluster::Cluster typed = cluster_;
    cluster::Slurm& slurm = *typed.slurm;
    const auto login = TRY(cluster::withHost(*slurm.login, lineText(login_)));
    slurm.login = std::make_shared<const cluster::Node>(login);
    slurm.partition = partition_->currentText().trimmed().toStdString();
    slurm.gres = lineText(gres_);
    slurm.account = lineText(account_);
    slurm.qos = lineText(qos_);
    slurm.constraint = lineText(constraint_);
    slurm.timeLimit = lineText(timeLimit_);
    slurm.options = mapped(QProcess::splitCommand(options_->text()),
                           [](const QString& word) { return word.toStdString(); });
    slurm.jobPerCampaign = jobs_->currentIndex() == 1;
    slurm.exclusive = exclusive_->isChecked();
    cluster::Node node = typed.nodes.front();
    const auto devices = toInt(lineText(devices_));
    if (!devices_->text().trimmed().isEmpty() && devices.value_or(0) < 1) {
        return fail("\"" + lineText(devices_) + "\" is no number of devices", tr("Devices").toStdString(),
                    tr("Write a number from 1 on, or nothing.").toStdString());
    }
    node.devices = devices;
    node.workDir = workDir_->text().trimmed().isEmpty() ? cluster::Node().workDir : lineText(workDir_);
    node.setup = setup_->toPlainText().toStdString();
    typed.nodes.assign(static_cast<std::size_t>(nodes_->value()), node);
    typed.name = slurm.partition.empty() ? "slurm" : slurm.partition;
    return cluster::clusterFromJson(toJson(typed), tr("Slurm").toStdString());
}

void SlurmDialog::showTyped() {
    const auto cluster = typed();
    tell(cluster ? QString() : localized(describe(cluster.error())));
    accept_->setEnabled(cluster.has_value());
}

void SlurmDialog::askForPartitions() {
    cluster::Node login = *cluster_.slurm->login;
    const auto placed = cluster::withHost(login, lineText(login_));
    if (!placed) {
        showTyped();
        return;
    }
    credentials_->forgetRefusals();
    ask_->setEnabled(false);
    found_->setText(tr("asking the login node …"));
    background_.ask(
        this,
        [login = *placed, transports = remote::interactiveTransports(credentials_),
         stop = stop_.get_token()]() -> Result<std::vector<cluster::Partition>> {
            const auto transport = TRY(transports(login));
            return remote::listPartitions(*transport, stop);
        },
        [this](const Result<std::vector<cluster::Partition>>& partitions) { takePartitions(partitions); });
}

void SlurmDialog::takePartitions(const Result<std::vector<cluster::Partition>>& partitions) {
    ask_->setEnabled(true);
    if (!partitions) {
        found_->setText(QStringLiteral(" "));
        tell(localized(describe(partitions.error())));
        return;
    }
    partitions_ = *partitions;
    const QString before = partition_->currentText().trimmed();
    partition_->clear();
    for (const cluster::Partition& one : partitions_) {
        partition_->addItem(QString::fromStdString(one.name));
    }
    const auto chosen = std::ranges::find_if(partitions_, [&](const cluster::Partition& one) {
        return before.isEmpty() ? one.isDefault : one.name == before.toStdString();
    });
    // A list that leaves the choice to Slurm goes on doing so.
    const bool isNamed = chosen != partitions_.end() && (isNew_ || !before.isEmpty());
    partition_->setCurrentIndex(isNamed ? static_cast<int>(chosen - partitions_.begin()) : -1);
    if (!isNamed) {
        partition_->setEditText(before);
    }
    if (chosen == partitions_.end()) {
        found_->setText(before.isEmpty() ? tr("%1 partitions; none is the default").arg(partitions_.size())
                                         : tr("there is no partition %1").arg(before));
        return;
    }
    tellPartition(*chosen);
    if (isNew_) {
        fillFrom(*chosen);
    } else {
        showTyped();
    }
}

void SlurmDialog::choosePartition() {
    const int index = partition_->currentIndex();
    if (index < 0 || index >= static_cast<int>(partitions_.size())) {
        return;
    }
    tellPartition(partitions_[static_cast<std::size_t>(index)]);
    fillFrom(partitions_[static_cast<std::size_t>(index)]);
}

void SlurmDialog::tellPartition(const cluster::Partition& one) {
    found_->setText(tr("%1 nodes, %2 CPUs each%3, time limit %4%5")
                        .arg(one.nodes)
                        .arg(one.cpus)
                        .arg(one.gres.empty() ? QString() : ", " + QString::fromStdString(one.gres),
                             QString::fromStdString(one.timeLimit), one.isUp ? QString() : tr("; down")));
}

// Takes what the partition has, where the user has not said it before.
void SlurmDialog::fillFrom(const cluster::Partition& one) {
    if (one.name != cluster_.slurm->partition) {
        const cluster::Cluster offered = cluster::clusterOfPartition(one, *cluster_.slurm->login);
        if (!typed_.contains(nodes_)) {
            nodes_->setValue(static_cast<int>(offered.nodes.size()));
            typed_.erase(nodes_);
        }
        const int devices = offered.nodes.front().devices.value_or(cluster::cpuProcesses);
        for (const auto& [field, text] : {std::pair(gres_, QString::fromStdString(offered.slurm->gres)),
                                          std::pair(devices_, QString::number(devices))}) {
            if (!typed_.contains(field)) {
                field->setText(text);
            }
        }
    }
    showTyped();
}

}  // namespace dlperf::ui
