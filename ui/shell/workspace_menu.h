// SPDX-License-Identifier: Apache-2.0
// The entries of the File menu and of the sidebar's box that open, make and list workspaces.
#pragma once

#include <QObject>
#include <QStringList>

class QMenu;
class QWidget;

namespace dlperf::ui {

class Session;

class WorkspaceMenu final : public QObject {
    Q_OBJECT

public:
    WorkspaceMenu(Session& session, QWidget* window);

    void addTo(QMenu* menu);
    // Asks first where the folder holds something else.
    void use(const QString& folder);

signals:
    void chosen(const QString& folder);

private:
    void open();
    void make();
    // Finds which ones still exist, then fills the menus.
    void refresh();
    void fill(QMenu* menu);

    Session& session_;
    QWidget* window_;
    QList<QMenu*> recent_;
    QStringList shown_;
};

}  // namespace dlperf::ui
