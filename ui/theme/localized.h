// SPDX-License-Identifier: Apache-2.0
// What core says (checks, findings, errors, titles of series), in the window's language.
#pragma once

#include <QString>
#include <string>

#include "core/base/translation.h"

namespace dlperf::ui {

[[nodiscard]] const Translation& windowTranslation();

// As it is where the catalog does not have it: what a user, a log or a system wrote.
[[nodiscard]] QString localized(const std::string& text);
// ", " between texts that are in the language already.
[[nodiscard]] QString comma();
// Of what is left of a title; see Translation::part().
[[nodiscard]] QString localizedPart(const std::string& text);

}  // namespace dlperf::ui
