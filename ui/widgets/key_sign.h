// SPDX-License-Identifier: Apache-2.0
// The key of a framework as a widget: line and marker in its colour.
#pragma once

#include <QWidget>
#include <string>

namespace dlperf::ui {

class KeySign final : public QWidget {
    Q_OBJECT

public:
    explicit KeySign(std::string framework = {}, QWidget* parent = nullptr);
    void setFramework(const std::string& framework);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::string framework_;
};

}  // namespace dlperf::ui
