// SPDX-License-Identifier: Apache-2.0
// What looks like a search field in the menu bar and opens the palette: icon, words, the shortcut as a key.
#pragma once

#include <QToolButton>

class QKeySequence;

namespace dlperf::ui {

class FindButton final : public QToolButton {
    Q_OBJECT

public:
    FindButton(const QString& text, const QKeySequence& shortcut, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
};

}  // namespace dlperf::ui
