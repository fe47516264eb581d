// SPDX-License-Identifier: Apache-2.0
// Everything that a report knows of its figures, one row a figure: every topology of every series. What CSV
// files and a spreadsheet's last sheet hold.
#pragma once

#include "core/report/report.h"

namespace dlperf::report {

[[nodiscard]] Table dataTable(const Report& report);

}  // namespace dlperf::report
