// SPDX-License-Identifier: Apache-2.0
// The key of a framework as a widget: line and marker in its colour.
#pragma once

#include <QWidget>
#include <string>

namespace dlperf::ui {

class KeySign final : public QWidget {
    Q_OBJECT

public:
    // hollow: not the main implementation of the framework (Vocabulary::isMain).
    explicit KeySign(std::string framework = {}, bool hollow = false, QWidget* parent = nullptr);
    void setFramework(const std::string& framework, bool hollow);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::string framework_;
    bool hollow_;
};

}  // namespace dlperf::ui
