// SPDX-License-Identifier: Apache-2.0
// A column of check boxes, each with a count beside it.
#pragma once

#include <QWidget>
#include <vector>

class QCheckBox;
class QLabel;
class QVBoxLayout;

namespace dlperf::ui {

class CheckRows final : public QWidget {
    Q_OBJECT

public:
    struct Row {
        QString key;
        QString title;
        bool on = false;
        QString count;
    };

    explicit CheckRows(QWidget* parent = nullptr);

    // The same keys change in place, so that the keyboard's place stays; others are made anew.
    void setRows(const std::vector<Row>& rows);

signals:
    void toggled(const QString& key, bool on);

private:
    void build(const std::vector<Row>& rows);

    struct Made {
        QString key;
        QCheckBox* box;
        QLabel* count;
    };
    QVBoxLayout* column_;
    std::vector<Made> made_;
};

}  // namespace dlperf::ui
