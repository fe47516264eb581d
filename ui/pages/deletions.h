// SPDX-License-Identifier: Apache-2.0
// Deleting runs, campaigns and imports from Runs: the question before, the trash, and the way back.
#pragma once

#include <QObject>
#include <functional>
#include <string>
#include <vector>

#include "core/run/trash.h"

class QMenu;

namespace dlperf::ui {

class Session;

class Deletions final : public QObject {
    Q_OBJECT

public:
    Deletions(Session& session, QWidget* page);

    // What can be deleted: these runs, which are selected, and what the shown one is of.
    void addTo(QMenu& menu, const std::vector<std::string>& selected, const run::RunState& shown);
    // All runs of a campaign or import are that whole one. Not while a runner works on one of them.
    void ask(const std::vector<std::string>& runs);
    void askForCampaign(const std::string& id);
    // For good. The question says how much that frees.
    void askToEmpty();
    // Of another window's page, which goes: what can be undone there can be here.
    void takeOver(const Deletions& other);

signals:
    // To be said where the user is; `undo` may be empty.
    void done(const QString& what, const QString& why, const std::function<void()>& undo);
    void moved(const dlperf::run::Deletion& deletion);
    void broughtBack(const dlperf::run::Deletion& deletion);

private:
    struct Choice;
    [[nodiscard]] Choice choiceOf(const std::vector<std::string>& runs) const;
    void askAbout(const Choice& choice);
    void move(const run::Unwanted& unwanted, const QString& what);
    void undo();
    void offerUndo(const QString& what, const QString& why);
    [[nodiscard]] std::vector<std::string> runsOfCampaign(const std::string& id) const;
    void question(const QString& title, const QString& text, const QString& agreement,
                  const std::function<void()>& agreed);

    struct Undoable {
        std::string name;  // of the deletion
        QString what;
    };

    Session& session_;
    QWidget* page_;
    std::vector<Undoable> undoable_;  // the last one first to go
};

}  // namespace dlperf::ui
