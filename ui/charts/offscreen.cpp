// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/offscreen.h"

#include <QThread>

namespace dlperf::ui {
namespace {

// An argument beats QT_QPA_PLATFORM, so the environment need not be touched.
std::array<char, 7> programName{"dlperf"};
std::array<char, 10> platformOption{"-platform"};
std::array<char, 10> platformValue{"offscreen"};

}  // namespace

OffscreenApplication::OffscreenApplication()
    : argv_{programName.data(), platformOption.data(), platformValue.data(), nullptr} {
    if (QCoreApplication::instance() == nullptr) {
        // What Qt remarks about a session that is none must not stand among a command's messages.
        const QtMessageHandler before =
            qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
        own_ = std::make_unique<QApplication>(argc_, argv_.data());
        qInstallMessageHandler(before);
    }
}

Result<void> OffscreenApplication::run(const std::function<void()>& work) {
    auto* application = qobject_cast<QApplication*>(QCoreApplication::instance());
    if (application == nullptr) {
        return fail("charts cannot be drawn in a program whose application object has no widgets", {},
                    "Use a QApplication.", ErrorKind::Work);
    }
    if (application->thread() == QThread::currentThread()) {
        work();
    } else {
        QMetaObject::invokeMethod(application, work, Qt::BlockingQueuedConnection);
    }
    return {};
}

}  // namespace dlperf::ui
