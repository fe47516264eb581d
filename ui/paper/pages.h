// SPDX-License-Identifier: Apache-2.0
// Pages of a document: page i is what lies between i and i + 1 times the height of a page.
#pragma once

#include <QSizeF>

class QTextDocument;

namespace dlperf::ui {

// Of this size in px, without a margin. A heading stays with what it stands above, and a table that one page
// can hold stays on one.
void breakIntoPages(QTextDocument& document, const QSizeF& page);

}  // namespace dlperf::ui
