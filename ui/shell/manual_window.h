// SPDX-License-Identifier: Apache-2.0
// The manual, read beside the work: chapters on the left, the text on the right, in the window's language
// where a chapter has been translated.
#pragma once

#include <QString>
#include <QTextBrowser>
#include <QTextDocument>
#include <QWidget>
#include <filesystem>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QToolButton;

namespace dlperf::ui {

// Pages of Markdown with pictures that are as wide as there is room.
class ManualPage final : public QTextBrowser {
    Q_OBJECT

public:
    using QTextBrowser::QTextBrowser;
    // "files.md#clusterjson": the heading of those letters and digits is at the top.
    void goTo(const QUrl& url);

protected:
    QVariant loadResource(int type, const QUrl& name) override;
    void doSetSource(const QUrl& url, QTextDocument::ResourceType type) override;
    void changeEvent(QEvent* event) override;

private:
    void showHeading(const QString& fragment);
    void setBlocks();
    void setTables();
};

class ManualWindow final : public QWidget {
    Q_OBJECT

public:
    // `folder` holds en/ and zh_CN/.
    explicit ManualWindow(const std::filesystem::path& folder, QWidget* parent = nullptr);

    void showChapter(const QString& name);  // "cluster"
    [[nodiscard]] QString chapter() const;  // that is shown

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QUrl urlOf(const QString& chapter) const;
    void addChapter(const QString& name);
    void follow(const QUrl& link);
    QLayout* buildSearch();
    void search();
    void showHit(bool forward);
    void showCount(qsizetype current);  // from 1; 0: none was gone to

    struct Hit {
        int chapter = 0;  // from 0
        int position = 0;
        friend auto operator<=>(const Hit&, const Hit&) = default;
    };
    QString folder_;
    QListWidget* chapters_;
    ManualPage* page_;
    QToolButton* back_;
    QLineEdit* searched_ = nullptr;
    QLabel* count_ = nullptr;
    std::vector<QString> texts_;  // of the chapters, once one has searched
    std::vector<Hit> hits_;
};

}  // namespace dlperf::ui
