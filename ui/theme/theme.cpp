// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/theme.h"

#include <QGuiApplication>

namespace dlperf::ui {
namespace {

Theme makeLight() {
    Theme t;
    t.window = "#F1F3F5";
    t.page = "#F8F9FA";
    t.panel = "#FFFFFF";
    t.header = "#F6F7F9";
    t.hover = "#EDF0F3";
    t.press = "#E2E6EB";
    t.sel = "#E3ECFD";
    t.field = "#FFFFFF";
    t.border = "#DDE1E6";
    t.border2 = "#B9C0CA";
    t.fieldBorder = "#8B94A1";
    t.text = "#1A1E24";
    t.text2 = "#4E5661";
    t.text3 = "#5F6773";
    t.disabled = "#9AA2AD";
    t.accent = "#1F5FD6";
    t.accentHover = "#184FB8";
    t.link = "#1B57C4";
    t.focus = "#1F5FD6";
    t.ok = {"#17733F", "#E4F4EA", "#A9D8BB"};
    t.warn = {"#8A5A00", "#FFF3D6", "#E5C77B"};
    t.fail = {"#B3261E", "#FCE9E7", "#EDB3AE"};
    t.info = {"#1B57C4", "#E6EEFD", "#B1CAF7"};
    t.idle = {"#5F6773", "#ECEFF2", "#CBD1D9"};
    t.grid = "#E9ECEF";
    t.shade = "#EEF0F3";
    t.ideal = "#4E5661";
    t.tip = "#1F242B";
    t.tipText = "#F2F4F6";
    t.mark = "#FFE08A";
    t.paper = "#E6E9ED";
    t.series = {"#3064D8", "#7E0700", "#BA8C0C", "#3A7454", "#5A1177", "#529BC3", "#ED4B7D", "#3F4046"};
    return t;
}

Theme makeDark() {
    Theme t;
    t.dark = true;
    t.window = "#15181C";
    t.page = "#1A1D22";
    t.panel = "#20242A";
    t.header = "#252A31";
    t.hover = "#2B3038";
    t.press = "#343A43";
    t.sel = "#263A5E";
    t.field = "#1A1D22";
    t.border = "#333942";
    t.border2 = "#4C545F";
    t.fieldBorder = "#79828F";
    t.text = "#E6E9ED";
    t.text2 = "#B0B7C1";
    t.text3 = "#9CA4B0";
    t.disabled = "#646C78";
    t.accent = "#2F6BDB";
    t.accentHover = "#2860C8";
    t.link = "#8AB4FF";
    t.focus = "#8AB4FF";
    t.ok = {"#5CCB8B", "#19352A", "#2C5F46"};
    t.warn = {"#E8B84A", "#3A2F16", "#6B5623"};
    t.fail = {"#FF8A80", "#43211F", "#7D3A36"};
    t.info = {"#8AB4FF", "#1F2F4D", "#36548C"};
    t.idle = {"#9CA4B0", "#2B3038", "#464D58"};
    t.grid = "#2B3038";
    t.shade = "#272C33";
    t.ideal = "#B0B7C1";
    t.tip = "#F2F4F6";
    t.tipText = "#1A1E24";
    t.mark = "#6B5623";
    t.paper = "#15181C";
    t.series = {"#5AA7FF", "#DB4111", "#F9C61C", "#A5DFB9", "#89639C", "#89E8FC", "#A75964", "#969CA3"};
    return t;
}

void setStates(QPalette& palette, QPalette::ColorRole role, const QColor& color, const QColor& disabled) {
    palette.setColor(QPalette::Active, role, color);
    palette.setColor(QPalette::Inactive, role, color);
    palette.setColor(QPalette::Disabled, role, disabled);
}

constexpr int darkBelow = 128;  // lightness of a window, 0 to 255

}  // namespace

const Theme& lightTheme() {
    static const Theme theme = makeLight();
    return theme;
}

const Theme& darkTheme() {
    static const Theme theme = makeDark();
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
    const auto add = [&](const char* name, const QColor& color) {
        tokens.emplace_back(QString::fromLatin1(name), color.name());
    };
    const auto addState = [&](const std::string& name, const StateColors& state) {
        add((name + "-text").c_str(), state.text);
        add((name + "-ground").c_str(), state.ground);
        add((name + "-border").c_str(), state.border);
    };
    add("window", t.window), add("page", t.page), add("panel", t.panel), add("header", t.header);
    add("hover", t.hover), add("press", t.press), add("sel", t.sel), add("field", t.field);
    add("border", t.border), add("border2", t.border2), add("fieldborder", t.fieldBorder);
    add("text", t.text), add("text2", t.text2), add("text3", t.text3), add("disabled", t.disabled);
    add("accent", t.accent), add("accent-hover", t.accentHover), add("link", t.link), add("focus", t.focus);
    add("grid", t.grid), add("tip", t.tip), add("tiptext", t.tipText), add("mark", t.mark);
    add("paper", t.paper);
    addState("ok", t.ok), addState("warn", t.warn), addState("fail", t.fail);
    addState("info", t.info), addState("idle", t.idle);
    tokens.emplace_back(QStringLiteral("theme"), t.dark ? QStringLiteral("dark") : QStringLiteral("light"));
    return tokens;
}

QString withTokens(QString text, const Theme& theme) {
    for (const auto& [name, value] : tokensOf(theme)) {
        text.replace(QStringLiteral("{{%1}}").arg(name), value);
    }
    return text;
}

}  // namespace dlperf::ui
