// SPDX-License-Identifier: Apache-2.0
// The left column of Launch: what the plan says, all of it to be changed before a start.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ui/session/node_list.h"
#include "ui/session/plan_draft.h"
#include "ui/widgets/parts.h"

class QSpinBox;

namespace dlperf::ui {

class AddedRuns;
class ChipRow;
class NodePicker;
class OptionFields;
class RecipePicker;
class VariableFields;

class PlanPanel final : public Panel {
    Q_OBJECT

public:
    explicit PlanPanel(const Vocabulary& vocabulary, QWidget* parent = nullptr);
    // Another plan is shown next: what was opened or begun for the one before goes.
    void startAnew();
    // Shows the draft; fields that are being typed into keep their text.
    void showDraft(const PlanDraft& draft);
    void showNodes(const std::vector<NodeEntry>& nodes);

signals:
    // The plan with the user's changes; it still has to be prepared.
    void changed(const dlperf::launch::Plan& plan);
    void recipeAsked();  // one more than there are

private:
    void buildChoices();
    [[nodiscard]] QWidget* buildNumbers();
    void buildVariables();
    void showChoices(const PlanDraft& draft);
    [[nodiscard]] const std::set<int>& offeredSizes();
    void showNumbers(const PlanDraft& draft);
    void showOptions(const PlanDraft& draft);
    void change(const std::function<void(launch::Plan&)>& edit);
    QVBoxLayout* addSection(const QString& title, const QString& note = {});
    void buildNodes();
    // The list of the plan that the chips choose.
    template <class Value, class Parse>
    void follow(ChipRow* chips, std::vector<Value> launch::Plan::*values, Parse parse);

    const Vocabulary& vocabulary_;
    launch::Plan plan_;
    QVBoxLayout* column_;
    QLineEdit* name_;
    RecipePicker* recipes_;
    NodePicker* nodes_;
    ChipRow* topologies_;
    ChipRow* batchSizes_;
    std::set<int> offeredSizes_;  // that have a chip
    ChipRow* precisions_;
    ChipRow* features_;
    QSpinBox* repetitions_;
    QSpinBox* warmup_;
    QSpinBox* measured_;
    QSpinBox* timeout_;
    QSpinBox* pause_;
    AddedRuns* added_;
    VariableFields* variables_;
    QVBoxLayout* options_;
    std::map<std::string, OptionFields*> optionFields_;  // by recipe
    std::vector<std::string> optionRecipes_;             // as shown, in order
};

}  // namespace dlperf::ui
