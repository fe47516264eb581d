// SPDX-License-Identifier: Apache-2.0
// A thin bar above the page while the workspace is read, with what is being read. Nothing for what is there
// at once: a flash would only disturb.
#pragma once

#include <QTimer>
#include <QWidget>

namespace dlperf::ui {

class Session;

class LoadingStrip final : public QWidget {
    Q_OBJECT

public:
    explicit LoadingStrip(Session& session, QWidget* parent = nullptr);

private:
    void showIfSlow();

    Session& session_;
    QTimer delay_;
};

}  // namespace dlperf::ui
