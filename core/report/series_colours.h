// SPDX-License-Identifier: Apache-2.0
// What the colours of a comparison's series tell apart: frameworks, or whatever the series differ in.
#pragma once

#include <optional>
#include <vector>

#include "core/report/comparison.h"
#include "core/report/pivot.h"

namespace dlperf::report {

// The fields that the series have different values of, the framework first if it is one.
[[nodiscard]] std::vector<PivotField> differingFields(const Comparison& comparison,
                                                      const Vocabulary& vocabulary);
// By what to colour where nobody chose: frameworks keep their own colours wherever there are two; else the
// field with the most values.
[[nodiscard]] PivotField colouredByItself(const Comparison& comparison, const Vocabulary& vocabulary);

// One hue for each value of the field; series of one value differ by how they are filled. Without a field, or
// with one that all series agree in, as colouredByItself() says.
[[nodiscard]] Comparison withColours(Comparison comparison, std::optional<PivotField> field,
                                     const Vocabulary& vocabulary);

}  // namespace dlperf::report
