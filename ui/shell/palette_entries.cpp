// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/command_palette.h"

#include <QAbstractButton>
#include <QAction>
#include <QCoreApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QTextDocumentFragment>
#include <QToolButton>
#include <algorithm>
#include <filesystem>

#include "ui/models/queue_model.h"
#include "ui/session/session.h"
#include "ui/theme/localized.h"
#include "ui/widgets/segments.h"

namespace dlperf::ui {
namespace {

// The context of the texts, for translators.
struct EntryText {
    Q_DECLARE_TR_FUNCTIONS(dlperf::ui::Palette)
};

QString plainTitle(QString text) {
    static const QRegularExpression ownMnemonic(QStringLiteral("\\(&\\w\\)"));  // of Chinese: "打开(&O)"
    text.remove(ownMnemonic).remove(QLatin1Char('&'));
    while (text.endsWith(QChar(0x2026)) || text.endsWith(QLatin1Char(' '))) {
        text.chop(1);
    }
    return text;
}

void addActions(const QList<QAction*>& actions, const QString& menu, const QString& group,
                std::vector<PaletteEntry>& entries) {
    for (QAction* action : actions) {
        const QString title = plainTitle(action->text());
        if (QMenu* sub = action->menu()) {
            addActions(sub->actions(), menu.isEmpty() ? title : menu, menu.isEmpty() ? QString() : title,
                       entries);
            continue;
        }
        if (action->isSeparator() || !action->isEnabled() || !action->isVisible() ||
            action->property("palette") == QVariant(false)) {
            continue;
        }
        const QVariant icon = action->property("iconName");
        entries.push_back({group.isEmpty() ? title : EntryText::tr("%1: %2").arg(group, title), menu,
                           action->shortcut().toString(QKeySequence::NativeText),
                           icon.isValid() ? icon.toString() : QStringLiteral("right"),
                           [guard = QPointer<QAction>(action)] {
                               if (guard) {
                                   guard->trigger();
                               }
                           }});
    }
}

struct Offer {
    QString title;
    std::optional<QString> whyNot;  // it is disabled; may be empty
    std::function<void()> choose;
};

PaletteEntry entryOf(const Offer& offer, const QString& page, const std::function<void()>& show) {
    const QString why = QTextDocumentFragment::fromHtml(offer.whyNot.value_or(QString())).toPlainText();
    const QString detail = !offer.whyNot   ? page
                           : why.isEmpty() ? EntryText::tr("%1, not possible now").arg(page)
                                           : EntryText::tr("%1, not possible now (%2)").arg(page, why);
    return {offer.title, detail, {}, QStringLiteral("right"), [offer, show] {
                show();
                if (!offer.whyNot) {
                    offer.choose();
                }
            }};
}

void addMenu(const QMenu& menu, const QString& group, std::vector<Offer>& offers) {
    for (QAction* action : menu.actions()) {
        const QString title = plainTitle(action->text());
        if (!action->isSeparator() && action->isVisible() && !title.isEmpty()) {
            offers.push_back({EntryText::tr("%1: %2").arg(group, title),
                              action->isEnabled() ? std::nullopt : std::optional(QString()),
                              [guard = QPointer<QAction>(action)] {
                                  if (guard) {
                                      guard->trigger();
                                  }
                              }});
        }
    }
}

QMenu* menuOf(const QAbstractButton& button) {
    const auto* tool = qobject_cast<const QToolButton*>(&button);
    const auto* push = qobject_cast<const QPushButton*>(&button);
    return tool != nullptr ? tool->menu() : push != nullptr ? push->menu() : nullptr;
}

void addButton(QAbstractButton& button, std::vector<Offer>& offers) {
    const QString title = plainTitle(button.text().isEmpty() ? button.accessibleName() : button.text());
    if (title.isEmpty()) {
        return;
    }
    const QMenu* menu = menuOf(button);
    if (menu != nullptr && !menu->actions().isEmpty() && button.isEnabled()) {
        addMenu(*menu, title, offers);
        return;
    }
    offers.push_back({title, button.isEnabled() ? std::nullopt : std::optional(button.toolTip()),
                      [guard = QPointer<QAbstractButton>(&button)] {
                          if (guard) {
                              guard->click();
                          }
                      }});
}

void addChoices(Segments& segments, std::vector<Offer>& offers) {
    for (int i = 0; i < segments.texts().size(); ++i) {
        offers.push_back(
            {segments.texts()[i], segments.whyNot(i), [guard = QPointer<Segments>(&segments), i] {
                 if (guard) {
                     guard->choose(i);
                 }
             }});
    }
}

QString stateText(const run::RunState& run) {
    return run.phase == run::RunPhase::Queued     ? EntryText::tr("queued")
           : run.phase == run::RunPhase::Finished ? outcomeText(run)
                                                  : EntryText::tr("running");
}

PaletteEntry entryOf(const run::RunState& run, const Vocabulary& vocabulary) {
    const Configuration& configuration = run.benchmarkCase.configuration;
    const QString title = caseTitle(run.benchmarkCase, vocabulary);
    QString detail = EntryText::tr("b%1 %2, repetition %3, %4")
                         .arg(configuration.batchSize)
                         .arg(QString::fromStdString(configuration.precision))
                         .arg(run.repetition)
                         .arg(stateText(run));
    // The framework's name where the implementation's does not say it ("dlperf-worker").
    const QString framework =
        QString::fromStdString(vocabulary.title(WordKind::Framework, configuration.framework));
    if (!framework.isEmpty() && !title.contains(framework, Qt::CaseInsensitive)) {
        detail = framework + comma() + detail;
    }
    if (run.origin == Origin::Imported) {  // goes by its log's name, and by what it was imported from
        detail += QStringLiteral(", %1, %2.log")
                      .arg(QString::fromStdString(run.campaign),
                           QString::fromStdString(std::filesystem::path(run.folder).filename().string()));
    }
    return {title, detail, {}, QStringLiteral("state-") + stateOf(run), {}};
}

// Far apart, so that the place of a word decides before how tightly its letters stand.
constexpr int textStart = 5000;
constexpr int wordStart = 4000;
constexpr int firstLetters = 3000;
constexpr int inside = 2000;
constexpr int inOrder = 1000;
constexpr int farthest = 500;  // what distance can take away within a step

bool isWordStart(const QString& text, qsizetype at) {
    return text[at].isLetterOrNumber() && (at == 0 || !text[at - 1].isLetterOrNumber());
}

int near(int step, qsizetype distance) {
    return step - static_cast<int>(std::min<qsizetype>(distance, farthest));
}

QString firstLettersOf(const QString& text) {
    QString letters;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (isWordStart(text, i)) {
            letters += text[i];
        }
    }
    return letters;
}

// How many letters lie between the first and the last of the word's, when they start at `from`.
std::optional<qsizetype> lettersInOrder(const QString& word, const QString& text, qsizetype from) {
    qsizetype at = from;
    for (qsizetype i = 1; i < word.size(); ++i) {
        at = text.indexOf(word[i], at + 1);
        if (at < 0) {
            return std::nullopt;
        }
    }
    return at - from + 1 - word.size();
}

std::optional<int> scoreInOrder(const QString& word, const QString& text) {
    std::optional<int> best;
    for (qsizetype at = text.indexOf(word[0]); at >= 0; at = text.indexOf(word[0], at + 1)) {
        if (const auto gap = isWordStart(text, at) ? lettersInOrder(word, text, at) : std::nullopt) {
            best = std::max(best.value_or(0), near(inOrder, *gap));
        }
    }
    return best;
}

std::optional<int> scoreWord(const QString& word, const QString& text) {
    std::optional<int> contained;
    for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        if (at == 0) {
            return textStart;
        }
        const int score = near(isWordStart(text, at) ? wordStart : inside, at);
        contained = std::max(contained.value_or(0), score);
    }
    if (contained && *contained > firstLetters) {
        return contained;
    }
    if (const qsizetype at = firstLettersOf(text).indexOf(word); at >= 0 && word.size() > 1) {
        return near(firstLetters, at);
    }
    return contained ? contained : scoreInOrder(word, text);
}

struct Match {
    int score = 0;
    bool isLoose = false;  // a word has no more than its letters in order
};

std::optional<Match> matchOf(const QString& query, const QString& text) {
    const QString folded = text.toCaseFolded();
    Match match;
    for (const QString& word : query.toCaseFolded().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const auto score = scoreWord(word, folded);
        if (!score) {
            return std::nullopt;
        }
        match.score += *score;
        match.isLoose = match.isLoose || *score <= inOrder;
    }
    return match;
}

}  // namespace

std::optional<int> matchScore(const QString& query, const QString& text) {
    const auto match = matchOf(query, text);
    return match ? std::optional(match->score) : std::nullopt;
}

std::vector<PaletteEntry> menuEntries(const QMenuBar& bar) {
    std::vector<PaletteEntry> entries;
    addActions(bar.actions(), {}, {}, entries);
    return entries;
}

std::vector<PaletteEntry> pageEntries(const QWidget& page, const QString& title,
                                      const std::function<void()>& show) {
    std::vector<Offer> offers;
    for (QWidget* widget : page.findChildren<QWidget*>()) {
        const QWidget* parent = widget->parentWidget();
        if (!widget->isVisibleTo(&page) || qobject_cast<const QLineEdit*>(parent) != nullptr) {
            continue;
        }
        if (auto* segments = qobject_cast<Segments*>(widget)) {
            addChoices(*segments, offers);
        } else if (auto* button = qobject_cast<QAbstractButton*>(widget);
                   button != nullptr && qobject_cast<const Segments*>(parent) == nullptr) {
            addButton(*button, offers);
        }
    }
    std::vector<PaletteEntry> entries;
    QSet<QString> named;  // "Copy" of each panel is one
    for (const Offer& offer : offers) {
        if (!named.contains(offer.title)) {
            named << offer.title;
            entries.push_back(entryOf(offer, title, show));
        }
    }
    return entries;
}

std::vector<PaletteEntry> runEntries(const Session& session,
                                     const std::function<void(const std::string&)>& choose) {
    std::vector<PaletteEntry> entries;
    for (const auto* campaigns : {&session.campaigns(), &session.imports()}) {
        for (auto campaign = campaigns->rbegin(); campaign != campaigns->rend(); ++campaign) {
            for (auto run = campaign->runs.rbegin(); run != campaign->runs.rend(); ++run) {
                entries.push_back(entryOf(*run, session.vocabulary()));
                entries.back().choose = [choose, id = run->id] { choose(id); };
            }
        }
    }
    return entries;
}

std::vector<const PaletteEntry*> findEntries(const std::vector<PaletteEntry>& entries, const QString& query) {
    struct Found {
        Match match;
        const PaletteEntry* entry;
    };
    std::vector<Found> found;
    for (const PaletteEntry& entry : entries) {
        if (const auto match = matchOf(query, entry.title + QLatin1Char(' ') + entry.detail)) {
            found.push_back({*match, &entry});
        }
    }
    const auto isLoose = [](const Found& one) { return one.match.isLoose; };
    if (!std::ranges::all_of(found, isLoose)) {
        std::erase_if(found, isLoose);
    }
    std::ranges::stable_sort(found, std::ranges::greater(), [](const Found& one) { return one.match.score; });
    std::vector<const PaletteEntry*> best;
    std::ranges::transform(found, std::back_inserter(best), &Found::entry);
    return best;
}

}  // namespace dlperf::ui
