// SPDX-License-Identifier: Apache-2.0
// The saved views of Compare: choose, save, delete.
#pragma once

#include <QPushButton>
#include <functional>

#include "ui/models/compare_view.h"

namespace dlperf::ui {

class Session;

class ViewMenu final : public QPushButton {
    Q_OBJECT

public:
    ViewMenu(Session& session, std::function<CompareView()> current, QWidget* parent = nullptr);

    void save(const QString& name);
    void remove(const QString& name);
    // The page was changed by hand: it shows no saved view any more.
    void leave() { show({}); }
    const std::map<QString, CompareView>& views() const { return views_; }

signals:
    void chosen(const dlperf::ui::CompareView& view);
    void loaded();
    void problemFound(const dlperf::Error& error);

private:
    void read();
    void build();
    void askForName();
    void show(const QString& name);
    void write(std::function<Result<void>()> work);

    Session& session_;
    std::function<CompareView()> current_;
    std::map<QString, CompareView> views_;
    QString shown_;  // the view that the page shows; empty: none
};

}  // namespace dlperf::ui
