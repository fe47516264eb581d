// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/write_file.h"

#include <QDir>

#include "core/base/file.h"
#include "ui/session/background.h"
#include "ui/widgets/banner.h"

namespace dlperf::ui {

void writeFile(Background& background, Banner& banner, const QString& file, const std::string& bytes,
               const QString& done, const QString& action, unsigned mode) {
    background.write(
        &banner, [path = file.toStdString(), bytes, mode] { return writeFileAtomically(path, bytes, mode); },
        [&banner, file, done, action](const Result<void>& written) {
            written ? banner.showMessage("ok", done, QDir::toNativeSeparators(file), {}, action)
                    : banner.showError(written.error());
        });
}

}  // namespace dlperf::ui
