// SPDX-License-Identifier: Apache-2.0
// The options of a recipe, to fill in: an empty field takes the default, which stands in it.
#pragma once

#include <QWidget>
#include <map>
#include <string>
#include <vector>

#include "core/launch/recipe.h"

class QLineEdit;

namespace dlperf::ui {

using OptionTexts = std::map<std::string, std::string>;  // option -> value; only what is not the default

class OptionFields final : public QWidget {
    Q_OBJECT

public:
    explicit OptionFields(const launch::Recipe& recipe, QWidget* parent = nullptr);
    // A field that is being typed into keeps its text.
    void setValues(const OptionTexts& values);

signals:
    void changed(const std::string& option, const std::string& value);  // empty: the default

private:
    struct Field {
        std::string option;
        QLineEdit* line;
    };
    std::vector<Field> fields_;
};

}  // namespace dlperf::ui
