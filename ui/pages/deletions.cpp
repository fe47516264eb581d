// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/deletions.h"

#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QWidget>
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/base/mapped.h"
#include "core/run/campaign_names.h"
#include "ui/models/queue_model.h"
#include "ui/session/session.h"
#include "ui/theme/numbers.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr qsizetype mostNamed = 4;  // in a question

QString listed(const QStringList& names) {
    QStringList shown = names.first(std::min(mostNamed, names.size()));
    if (names.size() > mostNamed) {
        shown << Deletions::tr("and %1 more").arg(numberLocale().toString(names.size() - mostNamed));
    }
    return shown.join(QLatin1Char('\n'));
}

// Of one its number, of several how many they are.
QString caseText(const std::vector<const run::RunState*>& runs, const Vocabulary& vocabulary) {
    const run::RunState& first = *runs.front();
    return runs.size() == 1 ? runTitle(first, vocabulary)
                            : Deletions::tr("%1, batch %2: %3")
                                  .arg(caseTitle(first.benchmarkCase, vocabulary))
                                  .arg(first.benchmarkCase.configuration.batchSize)
                                  .arg(runsText(runs.size()));
}

// What a runner that died has left may run on there.
bool isStranded(const run::Campaign& campaign) {
    return std::ranges::any_of(campaign.runs, &run::RunState::isActive);
}

}  // namespace

struct Deletions::Choice {
    run::Unwanted unwanted;
    std::size_t runs = 0;
    QStringList names;  // of campaigns, imports and cases
    QString what;       // "3 runs", or the only whole campaign's name
    bool isWorkedOn = false;
    bool isStranded = false;
};

Deletions::Deletions(Session& session, QWidget* page) : QObject(page), session_(session), page_(page) {}

void Deletions::addTo(QMenu& menu, const std::vector<std::string>& selected, const run::RunState& shown) {
    QMenu* deletion = menu.addMenu(tr("Delete"));
    if (selected.size() > 1) {
        deletion->addAction(tr("The shown run …"), this, [this, id = shown.id] { ask({id}); });
    }
    deletion
        ->addAction(
            selected.size() > 1 ? tr("The selected: %1 …").arg(runsText(selected.size())) : tr("The run …"),
            this, [this, selected] { ask(selected); })
        ->setShortcut(Qt::SHIFT | Qt::Key_Delete);
    const QString count = runsText(runsOfCampaign(shown.campaign).size());
    deletion->addAction(shown.origin == Origin::Imported ? tr("Its import: %1 …").arg(count)
                                                         : tr("Its campaign: %1 …").arg(count),
                        this, [this, id = shown.campaign] { askForCampaign(id); });
    deletion->addSeparator();
    deletion->addAction(tr("Empty the trash …"), this, &Deletions::askToEmpty);
}

std::vector<std::string> Deletions::runsOfCampaign(const std::string& id) const {
    for (const auto* campaigns : {&session_.campaigns(), &session_.imports()}) {
        const auto found = std::ranges::find(*campaigns, id, &run::Campaign::id);
        if (found != campaigns->end()) {
            return mapped(found->runs, [](const run::RunState& run) { return run.id; });
        }
    }
    return {};
}

void Deletions::askForCampaign(const std::string& id) {
    ask(runsOfCampaign(id));
}

Deletions::Choice Deletions::choiceOf(const std::vector<std::string>& runs) const {
    const std::set<std::string> chosen(runs.begin(), runs.end());
    const auto isChosen = [&](const run::RunState& run) { return chosen.contains(run.id); };
    const auto names = session_.campaignNames();
    Choice choice;
    for (const auto* campaigns : {&session_.campaigns(), &session_.imports()}) {
        for (const run::Campaign& campaign : *campaigns) {
            const auto count = static_cast<std::size_t>(std::ranges::count_if(campaign.runs, isChosen));
            if (count == 0) {
                continue;
            }
            choice.runs += count;
            choice.isWorkedOn = choice.isWorkedOn || campaign.runnerAlive;
            if (count == campaign.runs.size()) {
                choice.unwanted.campaigns.insert(campaign.id);
                choice.isStranded = choice.isStranded || isStranded(campaign);
                choice.what = QString::fromStdString(run::campaignName(names, campaign.id));
                choice.names << tr("%1: all of its %2").arg(choice.what, runsText(count));
                continue;
            }
            std::map<Case, std::vector<const run::RunState*>> cases;
            for (const run::RunState& run : campaign.runs) {
                if (isChosen(run)) {
                    choice.unwanted.runs.insert(run.id);
                    cases[run.benchmarkCase].push_back(&run);
                }
            }
            for (const auto& [benchmarkCase, ofCase] : cases) {
                choice.names << caseText(ofCase, session_.vocabulary());
            }
        }
    }
    if (choice.names.size() != 1) {
        choice.what = runsText(choice.runs);
    } else if (choice.unwanted.campaigns.empty()) {
        choice.what = choice.names.front();
    }
    return choice;
}

void Deletions::ask(const std::vector<std::string>& runs) {
    const Choice choice = choiceOf(runs);
    if (choice.isWorkedOn) {
        emit done(tr("Nothing is deleted: a runner works on that campaign."),
                  tr("Wait for its end, or cancel all runs first."), {});
    } else if (choice.runs > 0) {
        askAbout(choice);
    }
}

void Deletions::askAbout(const Choice& choice) {
    QStringList text{listed(choice.names),
                     {},
                     tr("Logs and figures go to the workspace's trash. Undo puts all back, until the trash "
                        "is emptied.")};
    if (choice.isStranded) {
        text << tr(
            "Some runs never ended and may still be on their nodes: let \"dlperf reap\" and \"dlperf "
            "clean\" look there first; clean knows only runs that are not deleted.");
    }
    question(choice.runs == 1 ? tr("Delete one run?") : tr("Delete %1?").arg(runsText(choice.runs)),
             text.join(QLatin1Char('\n')), tr("Delete"),
             [this, unwanted = choice.unwanted, what = choice.what] { move(unwanted, what); });
}

// One question at a time: a key that is held asks once.
void Deletions::question(const QString& title, const QString& text, const QString& agreement,
                         const std::function<void()>& agreed) {
    const QString name = QStringLiteral("deleting");
    if (page_->window()->findChild<QMessageBox*>(name) != nullptr) {
        return;
    }
    QMessageBox* box = makeMessage(title, title, QMessageBox::Cancel, page_->window());
    box->setObjectName(name);
    box->setInformativeText(text);
    QPushButton* agree = box->addButton(agreement, QMessageBox::AcceptRole);
    box->setDefaultButton(agree);
    connect(agree, &QPushButton::clicked, this, agreed);
    box->open();
}

void Deletions::move(const run::Unwanted& unwanted, const QString& what) {
    session_.moveToTrash(unwanted, [self = QPointer(this), what](const run::Deletion& deletion) {
        if (self != nullptr) {
            self->undoable_.push_back({deletion.name, what});
            self->offerUndo(tr("Deleted: %1.").arg(what),
                            tr("What was deleted is in the workspace's trash."));
            emit self->moved(deletion);
        }
    });
}

void Deletions::offerUndo(const QString& what, const QString& why) {
    emit done(what, why, [self = QPointer(this)] {
        if (self != nullptr) {
            self->undo();
        }
    });
}

void Deletions::takeOver(const Deletions& other) {
    undoable_ = other.undoable_;
    if (!undoable_.empty()) {
        offerUndo(tr("Still in the trash: %1.").arg(undoable_.back().what), {});
    }
}

// The one before can be undone then.
void Deletions::undo() {
    if (undoable_.empty()) {
        return;
    }
    const Undoable last = undoable_.back();
    undoable_.pop_back();
    const auto onBack = [self = QPointer(this), what = last.what](const run::Deletion& deletion) {
        if (self == nullptr) {
            return;
        }
        emit self->broughtBack(deletion);
        if (self->undoable_.empty()) {
            emit self->done(tr("Restored: %1.").arg(what), {}, {});
        } else {
            self->offerUndo(tr("Restored: %1.").arg(what),
                            tr("Still in the trash: %1.").arg(self->undoable_.back().what));
        }
    };
    // Something is in its place, or a runner works: to be tried again, unless the trash was emptied
    // elsewhere.
    session_.putBack(last.name, onBack, [self = QPointer(this), last](const Error& error) {
        if (self != nullptr && error.kind == ErrorKind::Work) {
            self->undoable_.push_back(last);
            self->offerUndo(tr("Still in the trash: %1.").arg(last.what), {});
        }
    });
}

void Deletions::askToEmpty() {
    session_.readTrash([self = QPointer(this)](const run::Trash& trash) {
        if (self == nullptr) {
            return;
        }
        if (trash.deletions.empty() && trash.problems.empty()) {
            emit self->done(tr("The trash is empty."), {}, {});
            return;
        }
        std::size_t runs = 0;
        for (const run::Deletion& deletion : trash.deletions) {
            runs += deletion.runs.size();
        }
        const QString size = bytesText(static_cast<double>(trash.bytes));
        self->question(
            tr("Empty the trash?"),
            tr("It holds %1. They are removed for good, which frees %2.").arg(runsText(runs), size),
            tr("Empty the trash"), [self, size] {
                self->session_.emptyTrash([self, size] {
                    if (self != nullptr) {
                        self->undoable_.clear();
                        emit self->done(tr("The trash is empty."), tr("That freed %1.").arg(size), {});
                    }
                });
            });
    });
}

}  // namespace dlperf::ui
