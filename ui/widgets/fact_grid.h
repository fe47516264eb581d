// SPDX-License-Identifier: Apache-2.0
// Facts as two columns: what, and how it is; the right one can be selected and copied.
#pragma once

#include <QString>
#include <QWidget>
#include <utility>
#include <vector>

class QGridLayout;

namespace dlperf::ui {

using Facts = std::vector<std::pair<QString, QString>>;

class FactGrid final : public QWidget {
public:
    explicit FactGrid(QWidget* parent = nullptr);
    // Skips facts without a value; without any it shows `word`.
    void setFacts(const Facts& facts, const QString& word);

private:
    Facts shown_;
    QString word_;
    QGridLayout* grid_;
};

}  // namespace dlperf::ui
