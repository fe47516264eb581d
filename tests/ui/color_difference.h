// SPDX-License-Identifier: Apache-2.0
// What the eye tells apart: WCAG contrast, CIEDE2000 (Sharma, Wu, Dalal 2005) and the full colour-vision
// deficiencies of Machado, Oliveira and Fernandes 2009.
#pragma once

#include <QColor>

namespace dlperf::ui::test {

enum class Vision { Normal, Deuteranopia, Protanopia, Tritanopia };

[[nodiscard]] double contrast(const QColor& a, const QColor& b);
[[nodiscard]] double difference(const QColor& a, const QColor& b, Vision vision = Vision::Normal);

}  // namespace dlperf::ui::test
