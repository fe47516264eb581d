// SPDX-License-Identifier: Apache-2.0
// A button with what was saved under names: choose, save, delete.
#pragma once

#include <QPushButton>
#include <QStringList>
#include <functional>
#include <map>

#include "core/base/error.h"
#include "core/store/named_files.h"
#include "ui/session/session.h"
#include "ui/theme/localized.h"

namespace dlperf::ui {

class NamedMenu : public QPushButton {
    Q_OBJECT

public:
    struct Words {
        QString title;   // "Views"
        QString shown;   // "View: %1"
        QString tip;     // what is saved
        QString none;    // "No saved views"
        QString save;    // "Save view …"
        QString saving;  // "Save view": the title of the question
        QString remove;  // "Delete view"
    };

    // The folder has the user's own files.
    NamedMenu(Session& session, std::filesystem::path folder, Words words, QWidget* parent);

    virtual void read() = 0;  // again, after a file changed
    void save(const QString& name);
    void remove(const QString& name);
    // The page was changed by hand: it shows nothing that was saved any more.
    void leave() { show({}); }

    // "View: Five frameworks by batch size", also where there is no room for it.
    [[nodiscard]] QString title() const;
    void setNarrow(bool narrow);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void loaded();
    void problemFound(const dlperf::Error& error);

protected:
    [[nodiscard]] virtual Json current() const = 0;  // to be saved
    virtual void choose(const QString& name) = 0;
    void setNames(const QStringList& own, const QStringList& builtIn);
    Session& session_;

private:
    void fit();
    void build();
    void askForName();
    void show(const QString& name);
    void write(std::function<Result<void>()> work);

    std::filesystem::path folder_;
    Words words_;
    QStringList own_;  // those that can be deleted
    QStringList builtIn_;
    bool narrow_ = false;
    QString shown_;  // what the page shows; empty: nothing that was saved
};

// The values themselves: `readFiles()` gives them on any thread, `current()` is what the page shows.
template <class Value>
class MenuOf final : public NamedMenu {
public:
    struct Access {
        std::function<store::NamedFiles<Value>()> readFiles;
        std::function<Value()> current;
        std::function<void(const Value&)> chosen;
    };

    MenuOf(Session& session, std::filesystem::path folder, Words words, Access access,
           QWidget* parent = nullptr)
        : NamedMenu(session, std::move(folder), std::move(words), parent), access_(std::move(access)) {
        read();
    }

    void read() override {
        session_.background().ask(this, access_.readFiles,
                                  [this](const store::NamedFiles<Value>& stored) { take(stored); });
    }

    [[nodiscard]] const std::map<QString, Value>& values() const { return values_; }

protected:
    [[nodiscard]] Json current() const override { return toJson(access_.current()); }
    void choose(const QString& name) override { access_.chosen(values_.at(name)); }

private:
    void take(const store::NamedFiles<Value>& stored) {
        values_.clear();
        QStringList own;
        QStringList builtIn;
        for (const auto& [name, value] : stored.values) {
            const bool comesWithIt = stored.builtIn.contains(name);
            const QString title = comesWithIt ? localized(name) : QString::fromStdString(name);
            values_[title] = value;
            (comesWithIt ? builtIn : own) << title;
        }
        for (const Error& problem : stored.problems) {
            emit problemFound(problem);
        }
        setNames(own, builtIn);
    }

    Access access_;
    std::map<QString, Value> values_;
};

}  // namespace dlperf::ui
