// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/legend_bar.h"

#include <QContextMenuEvent>
#include <QEvent>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPixmap>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/mapped.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/series_look.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/localized.h"
#include "ui/theme/tips.h"
#include "ui/widgets/parts.h"

namespace dlperf::ui {
namespace {

constexpr QSize keySize(20, 14);
constexpr int widestTitle = 420;  // px; the whole title is the tool tip
constexpr int aroundText = 13;    // px beside key and name: padding, border, gap

// The series that a legend names, without their points.
std::vector<report::Series> entriesOf(const std::vector<report::Series>& series) {
    std::vector<report::Series> entries;
    for (const report::Series& one : series) {
        if (one.role != report::SeriesRole::Ideal) {
            entries.push_back({one.key, one.title, one.framework, one.fill, one.role, {}, {}});
        }
    }
    return entries;
}

}  // namespace

QPixmap legendPicture(const SeriesStyle& look, bool isShown, double ratio) {
    const Theme& theme = currentTheme();
    QPixmap pixmap(legendIconSize * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    if (isShown) {
        drawKey(painter, QRectF(QPointF(0, 0), keySize), look, theme.panel);
    } else {
        painter.drawPixmap(QPointF(3, 0), iconPixmap(QStringLiteral("hidden"), theme.text3, 14, ratio));
    }
    return pixmap;
}

LegendBar::LegendBar(QWidget* parent) : QWidget(parent) {
    new FlowLayout(this, 0, 2);
}

void LegendBar::follow(ChartView& chart) {
    connect(this, &LegendBar::seriesHovered, &chart, &ChartView::highlight);
    connect(&chart, &ChartView::seriesHovered, this, &LegendBar::highlight);
    connect(this, &LegendBar::hiddenChanged, &chart, [this, &chart] { chart.hideSeries(hidden()); });
    const auto takeSeries = [this, &chart] {
        const auto entries = entriesOf(chart.whole().series);
        if (!std::ranges::equal(series_, entries, {}, &report::Series::key, &report::Series::key)) {
            setSeries(entries);  // rare: it is dear
            chart.hideSeries(hidden());
        }
    };
    connect(&chart, &ChartView::specChanged, this, takeSeries);
    takeSeries();
}

void LegendBar::setSeries(const std::vector<report::Series>& series) {
    series_ = entriesOf(series);
    std::erase_if(hidden_, [this](const std::string& key) {
        return std::ranges::find(series_, key, &report::Series::key) == series_.end();
    });
    const std::size_t shown = isFull() ? 0 : series_.size();
    while (buttons_.size() > shown) {
        delete buttons_.back();
        buttons_.pop_back();
    }
    while (buttons_.size() < shown) {
        addButton();
    }
    nameButtons();
    applyTheme();
}

void LegendBar::nameButtons() {
    const QFontMetrics metrics(textFont(size::secondary, QFont::Medium));
    const QStringList titles =
        shownTitles(mapped(series_, &report::Series::title),
                    [&](const QString& title) { return metrics.horizontalAdvance(title) <= widestTitle; });
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        const QString title = localized(series_[i].title);
        buttons_[i]->setDown(false);  // it may have been another series' while that was pointed at
        buttons_[i]->setText(
            metrics.elidedText(titles[static_cast<qsizetype>(i)], Qt::ElideMiddle, widestTitle)
                .replace(QLatin1Char('&'), QLatin1String("&&")));
        buttons_[i]->setToolTip(plainTip(tr("Click hides %1, Ctrl+click shows only it").arg(title)));
        buttons_[i]->setAccessibleName(title);
    }
}

// For one series more. Buttons are kept from one filter to the next: to make and style them is dear.
void LegendBar::addButton() {
    const std::size_t index = buttons_.size();
    auto* button = new QToolButton(this);
    button->setProperty("kind", "legend");
    button->setCheckable(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setIconSize(legendIconSize);
    button->installEventFilter(this);
    connect(button, &QToolButton::clicked, this,
            [this, index] { click(QString::fromStdString(series_[index].key)); });
    layout()->addWidget(button);
    button->show();  // at once: who asks for the height must not find an empty layout
    buttons_.push_back(button);
}

void LegendBar::applyTheme() {
    look_ = currentLook();
    const auto looks = seriesLooks(*look_.theme, series_);
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        const bool isShown = !hidden_.contains(series_[i].key);
        buttons_[i]->setChecked(isShown);
        buttons_[i]->setIcon(legendPicture(looks[i], isShown, devicePixelRatioF()));
        QFont font = textFont(size::secondary, QFont::Medium);
        font.setStrikeOut(!buttons_[i]->isChecked());
        buttons_[i]->setFont(font);
        buttons_[i]->setFixedWidth(QFontMetrics(font).horizontalAdvance(buttons_[i]->text()) +
                                   legendIconSize.width() + aroundText);
    }
}

void LegendBar::setHidden(const std::set<std::string>& keys) {
    hidden_.clear();
    for (const report::Series& one : series_) {
        if (keys.contains(one.key)) {
            hidden_.insert(one.key);
        }
    }
    if (hidden_.size() == series_.size()) {
        hidden_.clear();
    }
    applyTheme();
    emit hiddenChanged();
}

void LegendBar::toggle(const QString& key) {
    std::set<std::string> hidden = hidden_;
    if (hidden.erase(key.toStdString()) == 0) {
        hidden.insert(key.toStdString());
    }
    setHidden(hidden);
}

void LegendBar::showOnly(const QString& key) {
    std::set<std::string> others;
    std::ranges::transform(series_, std::inserter(others, others.end()), &report::Series::key);
    others.erase(key.toStdString());
    setHidden(others);
}

void LegendBar::click(const QString& key) {
    if (QGuiApplication::keyboardModifiers().testFlag(Qt::ControlModifier)) {
        showOnly(key);
    } else {
        toggle(key);
    }
}

void LegendBar::highlight(const QString& key) {
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        buttons_[i]->setDown(!key.isEmpty() && series_[i].key == key.toStdString());
    }
}

void LegendBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && look_ != currentLook()) {
        applyTheme();
    }
}

bool LegendBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ContextMenu) {
        if (const auto found = std::ranges::find(buttons_, watched); found != buttons_.end()) {
            const auto& series = series_[static_cast<std::size_t>(found - buttons_.begin())];
            emit menuAsked(QString::fromStdString(series.key),
                           static_cast<QContextMenuEvent*>(event)->globalPos());
            return true;
        }
    }
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave) {
        const auto found = std::ranges::find(buttons_, watched);
        if (found != buttons_.end()) {
            const auto index = static_cast<std::size_t>(found - buttons_.begin());
            const bool over = event->type() == QEvent::Enter && buttons_[index]->isChecked();
            emit seriesHovered(over ? QString::fromStdString(series_[index].key) : QString());
        }
    }
    return QWidget::eventFilter(watched, event);
}

FullChart::FullChart(ChartView& source)
    : QWidget(&source, Qt::Window), source_(source), panel_(new Panel), chart_(new ChartView) {
    setAttribute(Qt::WA_DeleteOnClose);
    QVBoxLayout* layout = makeColumn(this, {12, 12, 12, 12});
    layout->addWidget(panel_);
    QToolButton* close = makeIconButton(QStringLiteral("close"), tr("Leave full screen (Esc)"));
    connect(close, &QToolButton::clicked, this, &QWidget::close);
    panel_->addHeader({})->addWidget(close);
    QVBoxLayout* legendRoom = makeColumn(nullptr, {6, 5, 6, 5});
    auto* legend = new LegendBar;
    legend->follow(*chart_);
    legendRoom->addWidget(legend);
    panel_->body()->addLayout(legendRoom);
    panel_->body()->addWidget(chart_, 1);
    connect(&source_, &ChartView::specChanged, this, &FullChart::takeSpec);
    connect(chart_, &ChartView::fullScreenRequested, this, &QWidget::close);
    takeSpec();
    chart_->setFocus(Qt::OtherFocusReason);
}

void FullChart::takeSpec() {
    const report::ChartSpec& spec = source_.spec();
    setWindowTitle(QString::fromStdString(spec.title));
    panel_->setTitle(QString::fromStdString(spec.title), QString::fromStdString(spec.unit));
    chart_->setSpec(spec);
}

void FullChart::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape || event->key() == Qt::Key_F11) {
        close();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void addFullScreenButton(QHBoxLayout& header, ChartView& chart) {
    QToolButton* button = makeIconButton(QStringLiteral("fullscreen"), FullChart::tr("Full screen (F11)"));
    header.addWidget(button);
    const auto open = [&chart] { (new FullChart(chart))->showFullScreen(); };
    QObject::connect(button, &QToolButton::clicked, &chart, open);
    QObject::connect(&chart, &ChartView::fullScreenRequested, &chart, open);
}

}  // namespace dlperf::ui
