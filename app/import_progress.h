// SPDX-License-Identifier: Apache-2.0
// How far an import is, on standard error: one line that is redrawn on a terminal, plain lines elsewhere.
#pragma once

#include <string>

#include "core/import/stage.h"

namespace dlperf::app {

class ImportProgressPrinter {
public:
    explicit ImportProgressPrinter(bool terminal) : terminal_(terminal) {}
    ~ImportProgressPrinter();
    ImportProgressPrinter(const ImportProgressPrinter&) = delete;
    ImportProgressPrinter& operator=(const ImportProgressPrinter&) = delete;

    void show(const imports::Progress& progress);
    // Takes the redrawn line away, so that others can be printed.
    void clear();

private:
    bool terminal_;
    bool drawn_ = false;
    imports::Stage stage_ = imports::Stage::Reading;
    int percent_ = -1;  // told last
};

}  // namespace dlperf::app
