// SPDX-License-Identifier: Apache-2.0
// Nodes from a real Slurm in the window: the form, a check in a job, a run that waits in the queue.
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QtTest>

#include "core/base/file.h"
#include "tests/support/slurm.h"
#include "tests/ui/find_part.h"
#include "tests/ui/made_window.h"
#include "tests/ui/pictures.h"
#include "tests/ui/refused_login.h"
#include "tests/ui/watchdog.h"
#include "ui/models/nodes_model.h"
#include "ui/models/queue_model.h"
#include "ui/pages/cluster_page.h"
#include "ui/pages/slurm_dialog.h"
#include "ui/session/node_list.h"
#include "ui/session/session.h"
#include "ui/theme/theme_control.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {

class SlurmTest : public test::ThemedTest {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void theFormTakesWhatAPartitionHas();
    void partitionsReplaceNothingThatWasSaid();
    void whoCancelledALoginIsAskedAgain();
    void whatCannotBeIsSaidWhileTyping();
    void aCheckIsAJobThatWaitsAndCanBeCancelled();
    void anotherPartitionEndsACheckThatWaits();
    void nodesAreNamedByTheHostsOfTheJob();
    void aRunWaitsInTheQueue();

private:
    void open();
    [[nodiscard]] SlurmDialog* openForm();
    [[nodiscard]] QString waiting() const { return session_->nodes().waiting(); }

    std::unique_ptr<dlperf::test::OwnSlurm> slurm_;
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<ClusterPage> page_;
};

void SlurmTest::initTestCase() {
    if (!dlperf::test::OwnSlurm::isThere()) {
        QSKIP("there is no Slurm (slurmctld, slurmd, munge)");
    }
    slurm_ = std::make_unique<dlperf::test::OwnSlurm>(3);
    QCOMPARE(slurm_->trouble(), std::string());
}

void SlurmTest::init() {
    folder_ = std::make_unique<QTemporaryDir>();
    open();
}

void SlurmTest::cleanup() {
    if (session_) {
        QVERIFY(test::endRunner(*session_));
    }
    page_.reset();
    session_.reset();
    slurm_->tell("scancel -u $(id -un)");
    QTRY_COMPARE_WITH_TIMEOUT(slurm_->ask("squeue -h"), std::string(), 60'000);
}

void SlurmTest::open() {
    QVERIFY(QDir(folder_->path()).mkpath(QStringLiteral("w")));
    const std::string list =
        R"({"name": "main", "scheduler": "slurm", "slurm": {"partition": "main"}, "nodes": 2, "node": {"work_dir": ")" +
        folder_->filePath(QStringLiteral("shared")).toStdString() + "\"}}";
    QVERIFY(writeFileAtomically(folder_->filePath(QStringLiteral("w/cluster.json")).toStdString(), list));
    session_ = test::openSession(*folder_);
    page_ = std::make_unique<ClusterPage>(*session_);
    session_->start();
    page_->resize(1200, 800);
    page_->show();
    QTRY_VERIFY_WITH_TIMEOUT(session_->nodes().isChecked(), 60'000);
}

SlurmDialog* SlurmTest::openForm() {
    test::findButton(*page_, QStringLiteral("Slurm …"))->click();
    return page_->findChild<SlurmDialog*>();
}

void SlurmTest::theFormTakesWhatAPartitionHas() {
    SlurmDialog* form = openForm();
    QVERIFY(form != nullptr);
    auto* partition = test::findNamed<QComboBox>(*form, QStringLiteral("Partition"));
    QTRY_COMPARE_WITH_TIMEOUT(partition->count(), 2, 60'000);
    QCOMPARE(partition->currentText(), QStringLiteral("main"));
    QVERIFY(test::findWords(*form, QStringLiteral("3 nodes, 2 CPUs each, time limit 1:00:00")) != nullptr);
    QCOMPARE(test::findNamed<QSpinBox>(*form, QStringLiteral("Nodes"))->value(), 2);  // as the list says
    partition->setCurrentIndex(1);
    emit partition->activated(1);
    QCOMPARE(test::findNamed<QSpinBox>(*form, QStringLiteral("Nodes"))->value(), 3);
    test::findNamed<QLineEdit>(*form, QStringLiteral("Time limit"))->setText(QStringLiteral("30"));
    test::keepPictures(*form, theme_, QStringLiteral("slurm-form"));
    form->findChild<QPushButton*>(QStringLiteral("accept"))->click();
    const cluster::Cluster now = session_->nodes().written();
    QCOMPARE(now.slurm->partition, std::string("urgent"));
    QCOMPARE(now.slurm->timeLimit, std::string("30"));
    QCOMPARE(now.nodes.size(), std::size_t{3});
    test::findButton(*page_, QStringLiteral("Undo"))->click();
    QCOMPARE(session_->nodes().written().slurm->partition, std::string("main"));
}

void SlurmTest::partitionsReplaceNothingThatWasSaid() {
    const auto arrive = [](SlurmDialog& form) {
        form.askForPartitions();
        auto* partition = test::findNamed<QComboBox>(form, QStringLiteral("Partition"));
        QTRY_COMPARE_WITH_TIMEOUT(partition->count(), 2, 60'000);
    };
    const auto credentials = session_->credentials();
    SlurmDialog fresh(cluster::thisMachine(), credentials);
    fresh.show();
    auto* gres = test::findNamed<QLineEdit>(fresh, QStringLiteral("GPUs, gres"));
    gres->selectAll();
    QTest::keyClicks(gres, QStringLiteral("gpu:4"));  // while the login node is asked
    arrive(fresh);
    QCOMPARE(fresh.typed()->slurm->partition, std::string("main"));
    QCOMPARE(fresh.typed()->slurm->gres, std::string("gpu:4"));
    QCOMPARE(fresh.typed()->nodes.size(), std::size_t{3});
    cluster::Cluster list = session_->nodes().written();
    list.slurm->partition.clear();  // Slurm's default
    SlurmDialog known(list, credentials);
    known.show();
    arrive(known);
    QCOMPARE(toJson(*known.typed()), toJson(*SlurmDialog(list, credentials).typed()));
}

void SlurmTest::whoCancelledALoginIsAskedAgain() {
    test::RefusedLogin login;
    SlurmDialog form(cluster::thisMachine(), login.credentials());
    form.show();
    QVERIFY(login.asks());
    QVERIFY(!login.asks());
    test::findButton(form, QStringLiteral("List partitions"))->click();
    QVERIFY(login.asks());
}

void SlurmTest::whatCannotBeIsSaidWhileTyping() {
    SlurmDialog* form = openForm();
    QVERIFY(form != nullptr);
    auto* options = test::findNamed<QLineEdit>(*form, QStringLiteral("Further options"));
    options->setText(QStringLiteral("mem=0"));
    auto* accept = form->findChild<QPushButton*>(QStringLiteral("accept"));
    QVERIFY(!accept->isEnabled());
    options->setText(QStringLiteral("--mem=0"));
    QVERIFY(accept->isEnabled());
    form->reject();
}

void SlurmTest::aCheckIsAJobThatWaitsAndCanBeCancelled() {
    QCOMPARE(slurm_->ask("squeue -h"), std::string());  // nothing is asked unasked
    const std::string other = slurm_->occupy();
    page_->primaryAction();
    QTRY_VERIFY_WITH_TIMEOUT(waiting().contains(QStringLiteral("Resources")), 60'000);
    test::keepPictures(*page_, theme_, QStringLiteral("slurm-check-waits"));
    test::findButton(*page_, QStringLiteral("Cancel the check"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(session_->nodes().isChecked(), 60'000);
    QVERIFY(waiting().isEmpty());
    QCOMPARE(session_->nodes().entries().front().state, NodeState::NotChecked);
    QCOMPARE(slurm_->ask("squeue -h -o %i"), other);
}

void SlurmTest::anotherPartitionEndsACheckThatWaits() {
    const std::string other = slurm_->occupy();
    page_->primaryAction();
    QTRY_VERIFY_WITH_TIMEOUT(waiting().contains(QStringLiteral("Resources")), 60'000);
    cluster::Cluster urgent = session_->nodes().written();
    urgent.slurm->partition = "urgent";
    session_->nodes().use(urgent);
    QCOMPARE(session_->nodes().entries().front().state, NodeState::NotChecked);
    QTRY_VERIFY_WITH_TIMEOUT(session_->nodes().isChecked(), 60'000);
    QCOMPARE(slurm_->ask("squeue -h -o %i"), other);
    slurm_->tell("scancel -u $(id -un)");
    page_->primaryAction();  // as if nothing had been asked before
    QTRY_VERIFY_WITH_TIMEOUT(session_->nodes().entries().front().facts.has_value(), 60'000);
    cluster::Cluster main = urgent;
    main.slurm->partition = "main";
    session_->nodes().use(main);
    QVERIFY(!session_->nodes().entries().front().facts.has_value());  // other nodes may be meant
}

void SlurmTest::nodesAreNamedByTheHostsOfTheJob() {
    page_->primaryAction();
    QTRY_VERIFY_WITH_TIMEOUT(session_->nodes().isChecked(), 60'000);
    const auto& entries = session_->nodes().entries();
    QCOMPARE(entries.size(), std::size_t{2});
    QCOMPARE(entries[1].jobHost, QStringLiteral("c2"));
    QVERIFY(entries[1].facts.has_value());
    QVERIFY(!session_->nodes().between().empty());
    test::keepPictures(*page_, theme_, QStringLiteral("slurm-checked"));
}

void SlurmTest::aRunWaitsInTheQueue() {
    slurm_->tell("sbatch -o /dev/null -N3 --exclusive --wrap 'sleep 600'");
    test::useToyRecipe(*folder_);
    const auto plan = folder_->filePath(QStringLiteral("plan.json")).toStdString();
    QVERIFY(writeFileAtomically(plan, R"({"name": "toys", "recipes": ["toy"], "topologies": ["2n1g"],
        "batch_sizes": [8], "warmup": 2, "train": 20, "timeout_s": 60})"));
    const auto cluster = folder_->filePath(QStringLiteral("w/cluster.json")).toStdString();
    QVERIFY(session_->startPlan(plan, cluster));
    QTRY_VERIFY_WITH_TIMEOUT(
        session_->activeRun() != nullptr && session_->activeRun()->phase == run::RunPhase::InQueue, 60'000);
    QueueModel model(session_->vocabulary(), session_->formats());
    model.setRuns({.campaigns = session_->sharedCampaigns()});
    bool said = false;
    for (int row = 0; row < model.rowCount(); ++row) {
        said = said ||
               model.index(row).data(QueueModel::ResultRole).toString() == QStringLiteral("in the queue");
    }
    QVERIFY(said);
}

DLPERF_UI_TEST(SlurmTest);

}  // namespace dlperf::ui
#include "slurm_test.moc"
