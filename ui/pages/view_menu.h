// SPDX-License-Identifier: Apache-2.0
// The saved views of Compare: choose, save, delete.
#pragma once

#include <QPushButton>
#include <QStringList>
#include <functional>

#include "core/report/compare_view.h"

namespace dlperf::ui {

class Session;

class ViewMenu final : public QPushButton {
    Q_OBJECT

public:
    ViewMenu(Session& session, std::function<report::CompareView()> current, QWidget* parent = nullptr);

    void save(const QString& name);
    void remove(const QString& name);
    // The page was changed by hand: it shows no saved view any more.
    void leave() { show({}); }
    const std::map<QString, report::CompareView>& views() const { return views_; }

    // "View: Five frameworks by batch size", also where there is no room for it.
    [[nodiscard]] QString title() const;

    void setNarrow(bool narrow);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void chosen(const dlperf::report::CompareView& view);
    void loaded();
    void problemFound(const dlperf::Error& error);

private:
    void fit();
    void read();
    void build();
    void askForName();
    void show(const QString& name);
    void write(std::function<Result<void>()> work);

    Session& session_;
    std::function<report::CompareView()> current_;
    std::map<QString, report::CompareView> views_;
    QStringList own_;  // of them: those that can be deleted
    bool narrow_ = false;
    QString shown_;  // the view that the page shows; empty: none
};

}  // namespace dlperf::ui
