// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/theme.h"

#include <QGuiApplication>
#include <array>

namespace dlperf::ui {
namespace {

struct ColorToken {
    const char* name;  // in a style sheet
    QColor Theme::*color;
    const char* light;
    const char* dark;
};

constexpr std::array<ColorToken, 26> colorTokens{{
    {"window", &Theme::window, "#F1F3F5", "#15181C"},
    {"page", &Theme::page, "#F8F9FA", "#1A1D22"},
    {"panel", &Theme::panel, "#FFFFFF", "#20242A"},
    {"header", &Theme::header, "#F6F7F9", "#252A31"},
    {"hover", &Theme::hover, "#EDF0F3", "#2B3038"},
    {"press", &Theme::press, "#E2E6EB", "#343A43"},
    {"sel", &Theme::sel, "#E3ECFD", "#263A5E"},
    {"field", &Theme::field, "#FFFFFF", "#1A1D22"},
    {"border", &Theme::border, "#DDE1E6", "#333942"},
    {"border2", &Theme::border2, "#B9C0CA", "#4C545F"},
    {"fieldborder", &Theme::fieldBorder, "#8B94A1", "#79828F"},
    {"text", &Theme::text, "#1A1E24", "#E6E9ED"},
    {"text2", &Theme::text2, "#4E5661", "#B0B7C1"},
    {"text3", &Theme::text3, "#5F6773", "#9CA4B0"},
    {"disabled", &Theme::disabled, "#9AA2AD", "#646C78"},
    {"accent", &Theme::accent, "#1F5FD6", "#2F6BDB"},
    {"accent-hover", &Theme::accentHover, "#184FB8", "#2860C8"},
    {"link", &Theme::link, "#1B57C4", "#8AB4FF"},
    {"focus", &Theme::focus, "#1F5FD6", "#8AB4FF"},
    {"grid", &Theme::grid, "#E9ECEF", "#2B3038"},
    {"shade", &Theme::shade, "#EEF0F3", "#272C33"},
    {"ideal", &Theme::ideal, "#4E5661", "#B0B7C1"},
    {"tip", &Theme::tip, "#1F242B", "#F2F4F6"},
    {"tiptext", &Theme::tipText, "#F2F4F6", "#1A1E24"},
    {"mark", &Theme::mark, "#FFE08A", "#6B5623"},
    {"paper", &Theme::paper, "#E6E9ED", "#15181C"},
}};

struct StateToken {
    const char* name;
    StateColors Theme::*colors;
    std::array<const char*, 3> light;
    std::array<const char*, 3> dark;
};

constexpr std::array<StateToken, 5> stateTokens{{
    {"ok", &Theme::ok, {"#17733F", "#E4F4EA", "#A9D8BB"}, {"#5CCB8B", "#19352A", "#2C5F46"}},
    {"warn", &Theme::warn, {"#8A5A00", "#FFF3D6", "#E5C77B"}, {"#E8B84A", "#3A2F16", "#6B5623"}},
    {"fail", &Theme::fail, {"#B3261E", "#FCE9E7", "#EDB3AE"}, {"#FF8A80", "#43211F", "#7D3A36"}},
    {"info", &Theme::info, {"#1B57C4", "#E6EEFD", "#B1CAF7"}, {"#8AB4FF", "#1F2F4D", "#36548C"}},
    {"idle", &Theme::idle, {"#5F6773", "#ECEFF2", "#CBD1D9"}, {"#9CA4B0", "#2B3038", "#464D58"}},
}};

Theme makeTheme(bool dark) {
    Theme theme;
    theme.dark = dark;
    for (const ColorToken& token : colorTokens) {
        theme.*token.color = dark ? token.dark : token.light;
    }
    for (const StateToken& token : stateTokens) {
        const auto& [text, ground, border] = dark ? token.dark : token.light;
        theme.*token.colors = {text, ground, border};
    }
    if (dark) {
        theme.series = {"#5AA7FF", "#DB4111", "#F9C61C", "#A5DFB9",
                        "#89639C", "#89E8FC", "#A75964", "#969CA3"};
    } else {
        theme.series = {"#3064D8", "#7E0700", "#BA8C0C", "#3A7454",
                        "#5A1177", "#529BC3", "#ED4B7D", "#3F4046"};
    }
    return theme;
}

void setStates(QPalette& palette, QPalette::ColorRole role, const QColor& color, const QColor& disabled) {
    palette.setColor(QPalette::Active, role, color);
    palette.setColor(QPalette::Inactive, role, color);
    palette.setColor(QPalette::Disabled, role, disabled);
}

constexpr int darkBelow = 128;  // lightness of a window, 0 to 255

}  // namespace

const Theme& lightTheme() {
    static const Theme theme = makeTheme(false);
    return theme;
}

const Theme& darkTheme() {
    static const Theme theme = makeTheme(true);
    return theme;
}

const Theme& themeOf(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < darkBelow ? darkTheme() : lightTheme();
}

const Theme& currentTheme() {
    return themeOf(QGuiApplication::palette());
}

QPalette paletteOf(const Theme& t) {
    QPalette p;
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText,
                            QPalette::HighlightedText, QPalette::BrightText}) {
        setStates(p, role, t.text, t.disabled);
    }
    setStates(p, QPalette::Window, t.window, t.window);
    setStates(p, QPalette::Base, t.panel, t.panel);
    setStates(p, QPalette::Button, t.panel, t.panel);
    setStates(p, QPalette::AlternateBase, t.header, t.header);
    setStates(p, QPalette::Highlight, t.sel, t.sel);
    setStates(p, QPalette::Light, t.hover, t.hover);
    setStates(p, QPalette::Midlight, t.hover, t.hover);
    setStates(p, QPalette::Mid, t.border, t.border);
    setStates(p, QPalette::Dark, t.border2, t.border2);
    setStates(p, QPalette::Shadow, t.border2, t.border2);
    setStates(p, QPalette::PlaceholderText, t.text3, t.disabled);
    setStates(p, QPalette::Link, t.link, t.disabled);
    setStates(p, QPalette::LinkVisited, t.link, t.disabled);
    setStates(p, QPalette::ToolTipBase, t.tip, t.tip);
    setStates(p, QPalette::ToolTipText, t.tipText, t.tipText);
    return p;
}

std::vector<std::pair<QString, QString>> tokensOf(const Theme& t) {
    std::vector<std::pair<QString, QString>> tokens;
    tokens.reserve(std::size(colorTokens));
    for (const ColorToken& token : colorTokens) {
        tokens.emplace_back(QString::fromLatin1(token.name), (t.*token.color).name());
    }
    for (const StateToken& token : stateTokens) {
        const StateColors& colors = t.*token.colors;
        const QString name = QString::fromLatin1(token.name);
        tokens.emplace_back(name + QStringLiteral("-text"), colors.text.name());
        tokens.emplace_back(name + QStringLiteral("-ground"), colors.ground.name());
        tokens.emplace_back(name + QStringLiteral("-border"), colors.border.name());
    }
    tokens.emplace_back(QStringLiteral("theme"), t.dark ? QStringLiteral("dark") : QStringLiteral("light"));
    return tokens;
}

QString withTokens(QString text, const Theme& theme) {
    for (const auto& [name, value] : tokensOf(theme)) {
        text.replace(QStringLiteral("{{%1}}").arg(name), value);
    }
    return text;
}

LinkStyle linkStyle(int link, int nvLinks) {
    const QColor dark(0x1A, 0x1E, 0x24);
    const std::array<LinkStyle, 8> styles{{
        {currentTheme().header, currentTheme().text2},
        {QColor(0x4F, 0x86, 0xC6), QColor(0x0B, 0x15, 0x22)},
        {QColor(0x9C, 0xC3, 0xE8), dark},
        {QColor(0xC6, 0xDD, 0xF1), dark},
        {QColor(0xE9, 0xEE, 0xF3), dark},
        {QColor(0xFB, 0xE3, 0xB5), dark},
        {QColor(0xF2, 0xB9, 0x8A), dark},
        {currentTheme().press, currentTheme().text},
    }};
    if (link == 1 && nvLinks >= 2) {
        return {QColor(0x1B, 0x4F, 0x8F), Qt::white};
    }
    return styles[link >= 0 && static_cast<std::size_t>(link) < styles.size() ? static_cast<std::size_t>(link)
                                                                              : styles.size() - 1];
}

}  // namespace dlperf::ui
