// SPDX-License-Identifier: Apache-2.0
// Theme, font size, language. A change holds at once where it can; there is nothing to confirm.
#pragma once

#include <QDialog>

class QFormLayout;
class QLabel;

namespace dlperf::ui {

class ThemeControl;

class SettingsDialog final : public QDialog {
    Q_OBJECT

public:
    SettingsDialog(ThemeControl& theme, QWidget* parent);

signals:
    void languageChosen();  // it is kept by now

private:
    void addTheme(QFormLayout& form);
    void addFontSize(QFormLayout& form);
    void addLanguage(QFormLayout& form);

    ThemeControl& theme_;
    QLabel* later_;  // what waits for the next start
};

}  // namespace dlperf::ui
