// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/command_palette.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QRegularExpression>
#include <algorithm>
#include <filesystem>

#include "ui/models/queue_model.h"
#include "ui/session/session.h"

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
        detail = framework + QStringLiteral(", ") + detail;
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

}  // namespace

std::optional<int> matchScore(const QString& query, const QString& text) {
    const QString folded = text.toCaseFolded();
    int sum = 0;
    for (const QString& word : query.toCaseFolded().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const auto score = scoreWord(word, folded);
        if (!score) {
            return std::nullopt;
        }
        sum += *score;
    }
    return sum;
}

std::vector<PaletteEntry> menuEntries(const QMenuBar& bar) {
    std::vector<PaletteEntry> entries;
    addActions(bar.actions(), {}, {}, entries);
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
        int score;
        const PaletteEntry* entry;
    };
    std::vector<Found> found;
    for (const PaletteEntry& entry : entries) {
        if (const auto score = matchScore(query, entry.title + QLatin1Char(' ') + entry.detail)) {
            found.push_back({*score, &entry});
        }
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &Found::score);
    std::vector<const PaletteEntry*> best;
    std::ranges::transform(found, std::back_inserter(best), &Found::entry);
    return best;
}

}  // namespace dlperf::ui
