// SPDX-License-Identifier: Apache-2.0
// The filters of Compare.
#pragma once

#include <QFrame>
#include <functional>
#include <map>
#include <vector>

#include "core/model/vocabulary.h"
#include "ui/models/result_filter.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QVBoxLayout;

namespace dlperf::ui {

class CheckRows;
class FlowLayout;

class FilterPanel final : public QFrame {
    Q_OBJECT

public:
    explicit FilterPanel(const Vocabulary& vocabulary, QWidget* parent = nullptr);

    // Shows the choices as the filter has them.
    void show(const ResultFilter& filter, const FilterChoices& choices);

signals:
    void modelChosen(const QString& id);
    void precisionToggled(const QString& precision, bool on);
    void batchSizeToggled(int batchSize, bool on);
    void topologyToggled(const dlperf::Topology& topology, bool on);
    void featureToggled(const QString& id, bool on);  // "" for results without features
    void sourceToggled(dlperf::ui::Source source, bool on);
    void onlyFindingsToggled(bool on);
    void hideSinglesToggled(bool on);
    void cleared();

private:
    QVBoxLayout* addSection(const QString& title);
    void showModels(const ResultFilter& filter, const FilterChoices& choices);
    struct Chip {
        QString text;
        bool on = false;
        std::function<void(bool on)> toggled;
        QString tip = {};
    };
    void showChips(FlowLayout* row, const std::vector<Chip>& chips);
    void showRows(const ResultFilter& filter, const FilterChoices& choices);

    const Vocabulary& vocabulary_;
    QVBoxLayout* column_;
    QComboBox* models_;
    FlowLayout* precisions_;
    FlowLayout* batchSizes_;
    FlowLayout* topologies_;
    QWidget* featureSection_;
    CheckRows* features_;
    CheckRows* sources_;
    CheckRows* findings_;
};

[[nodiscard]] QString sourceTitle(Source source);

}  // namespace dlperf::ui
