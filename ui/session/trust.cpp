// SPDX-License-Identifier: Apache-2.0
#include "ui/session/trust.h"

#include <QCryptographicHash>
#include <QSettings>

namespace dlperf::ui {
namespace {

QString keyOf(const std::string& bytes) {
    const QByteArray hash =
        QCryptographicHash::hash(QByteArray::fromStdString(bytes), QCryptographicHash::Sha256).toHex();
    return QStringLiteral("trusted-plans/") + QString::fromLatin1(hash);
}

}  // namespace

bool isTrusted(const std::string& bytes) {
    return QSettings().value(keyOf(bytes)).toBool();
}

void trust(const std::string& bytes) {
    QSettings().setValue(keyOf(bytes), true);
}

}  // namespace dlperf::ui
