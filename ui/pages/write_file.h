// SPDX-License-Identifier: Apache-2.0
// A file that somebody asked for, and the banner that says what became of it.
#pragma once

#include <QString>
#include <string>

namespace dlperf::ui {

class Background;
class Banner;

// In the background. The banner has `done`, where the file stands and a button for `action`; or what failed.
void writeFile(Background& background, Banner& banner, const QString& file, const std::string& bytes,
               const QString& done, const QString& action = {}, unsigned mode = 0644);

}  // namespace dlperf::ui
