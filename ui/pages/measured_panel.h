// SPDX-License-Identifier: Apache-2.0
// What was measured of the chosen node's hardware, and measuring it: `dlperf bench` on the nodes of the list.
#pragma once

#include <QList>
#include <QString>
#include <QWidget>
#include <string>

#include "ui/pages/measured_text.h"
#include "ui/session/measurement.h"

class QAction;
class QPushButton;
class QTextBrowser;

namespace dlperf::ui {

class Banner;
class ElidedLabel;
class Session;

class MeasuredPanel final : public QWidget {
    Q_OBJECT

public:
    explicit MeasuredPanel(QWidget* parent = nullptr);

    // Before this nothing is shown, and nothing can be measured.
    void follow(Session& session);
    void showNode(const std::string& name);
    // The workspace's files once more: somebody may have measured at a terminal.
    void read();
    // What is shown, to be copied.
    [[nodiscard]] QString text() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildHead();
    void askForFolder();
    void measure(Measurement::Kind kind, const QString& folder = {});
    void showState();
    void showEnd(Measurement::End end, const QStringList& words);
    void showText();

    Session* session_ = nullptr;
    QPushButton* measure_;
    ElidedLabel* progress_;
    QPushButton* cancel_;
    Banner* banner_;
    QTextBrowser* words_;
    MeasuredHardware measured_;
    std::string node_;
    QString shown_;  // HTML
    int asked_ = 0;
    bool isRead_ = false;
};

}  // namespace dlperf::ui
