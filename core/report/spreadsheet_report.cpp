// SPDX-License-Identifier: Apache-2.0
// An Excel workbook through libxlsxwriter: figures are numbers that look as they do on the page, texts are
// strings, so that none of them is ever a formula.
#include <fmt/format.h>
#include <xlsxwriter.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include "core/base/file.h"
#include "core/base/mapped.h"
#include "core/base/text.h"
#include "core/report/escape.h"
#include "core/report/numbers.h"
#include "core/report/series_title.h"
#include "core/report/writers.h"

namespace dlperf::report {
namespace {

constexpr std::size_t longestText = 32'767;  // Excel's limit of bytes in a cell, kept in code points
constexpr std::uint32_t mostRows = 1'048'576;
constexpr std::size_t longestSheetName = 31;
constexpr double widestColumn = 60;
constexpr double widestPage = 250;  // letters, that can be read when they are as wide as the paper
constexpr double highestRow = 409;  // points

// libxlsxwriter prints figures with printf: under a German desktop's locale it would write 1,5 and with it a
// broken file.
class PlainNumbers {
public:
    PlainNumbers() : plain_(newlocale(LC_NUMERIC_MASK, "C", nullptr)), before_(uselocale(plain_)) {}
    ~PlainNumbers() {
        uselocale(before_);
        freelocale(plain_);
    }
    PlainNumbers(const PlainNumbers&) = delete;
    PlainNumbers& operator=(const PlainNumbers&) = delete;

private:
    locale_t plain_;
    locale_t before_;
};

// The whole of an Excel text: valid, one cell, not longer than Excel takes.
std::string cellText(const std::string& text) {
    std::string clean = withoutControls(text, ' ', "\t\r\n");
    if (clean.size() > longestText) {
        std::size_t end = longestText - 3;
        while (end > 0 && (static_cast<unsigned char>(clean[end]) & 0xC0U) == 0x80U) {
            --end;
        }
        clean = clean.substr(0, end) + "…";
    }
    return clean;
}

// As Excel counts: letters beyond U+FFFF, of four bytes, are two.
std::string firstLetters(const std::string& text, std::size_t count) {
    std::size_t end = 0;
    std::size_t letters = 0;
    while (end < text.size()) {
        const auto first = static_cast<unsigned char>(text[end]);
        const std::size_t bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        letters += bytes == 4 ? 2 : 1;
        if (letters > count) {
            break;
        }
        end += bytes;
    }
    return text.substr(0, end);
}

// That a text takes in the widest column, whose words do not end just where the line does.
double linesOf(const TableCell& cell) {
    const auto width = static_cast<double>(displayWidth(cell.text));
    return width <= widestColumn ? 1 : std::ceil(width * 1.1 / widestColumn);
}

// "12,411.97" -> "#,##0.00", "31.21×" -> "0.00×", "97.5 %" -> "0.0 %" (the number is the fraction).
std::string numberFormat(const std::string& text) {
    if (text.empty()) {
        return {};
    }
    const std::size_t point = text.find('.');
    std::size_t decimals = 0;
    for (std::size_t i = point; i != std::string::npos && i + 1 < text.size() &&
                                std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0;
         ++i) {
        ++decimals;
    }
    const std::string places = decimals == 0 ? "" : "." + std::string(decimals, '0');
    if (text.ends_with("%")) {
        return "0" + places + " %";
    }
    return text.ends_with("×") ? "0" + places + "\"×\"" : "#,##0" + places;
}

class Workbook {
public:
    explicit Workbook(const std::filesystem::path& path) : book_(workbook_new(path.c_str())) {
        header_ = addHeader(LXW_ALIGN_LEFT);
        figureHeader_ = addHeader(LXW_ALIGN_RIGHT);
    }
    ~Workbook() {
        if (book_ != nullptr) {
            workbook_close(book_);  // also frees it
        }
    }
    Workbook(const Workbook&) = delete;
    Workbook& operator=(const Workbook&) = delete;

    void add(const std::string& name, const Table& table) {
        lxw_worksheet* sheet = addSheet(name);
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            worksheet_write_string(sheet, 0, static_cast<lxw_col_t>(i),
                                   cellText(table.columns[i].title).c_str(),
                                   table.columns[i].figures ? figureHeader_ : header_);
        }
        std::uint32_t line = 0;
        for (const auto& row : table.rows) {
            if (++line == mostRows) {
                break;  // Excel ends here
            }
            double lines = 1;
            for (std::size_t i = 0; i < row.size(); ++i) {
                write(sheet, line, static_cast<lxw_col_t>(i), row[i], table.columns[i].figures);
                lines = std::max(lines, linesOf(row[i]));
            }
            if (lines > 1) {  // not every program makes room by itself
                worksheet_set_row(sheet, line, std::min(lines * LXW_DEF_ROW_HEIGHT, highestRow), nullptr);
            }
        }
        const std::vector<std::size_t> widths = columnWidths(table);
        double whole = 0;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const auto column = static_cast<lxw_col_t>(i);
            const double width = std::min(widestColumn, static_cast<double>(widths[i]) + 2);
            worksheet_set_column(sheet, column, column, width, nullptr);
            whole += width;
        }
        if (whole <= widestPage) {
            worksheet_fit_to_pages(sheet, 1, 0);
        }
        worksheet_freeze_panes(sheet, 1, 0);
        worksheet_repeat_rows(sheet, 0, 0);  // on each page
    }

    // Each chart as Excel's own, beside the figures that it draws. Those of lone dots Excel has no kind for.
    void addCharts(const std::string& name, const std::vector<ChartSpec>& charts,
                   const Translation& language) {
        lxw_worksheet* sheet = nullptr;
        std::uint32_t line = 0;
        for (const ChartSpec& spec : charts) {
            const ChartSpec chart = translated(spec, language);
            const std::vector<Place> places = placesOf(chart);
            if (showsOffsets(chart) || places.empty()) {
                continue;
            }
            sheet = sheet != nullptr ? sheet : addChartSheet(name);
            writeFigures(sheet, line, chart, places);
            writePlaces(sheet, line + 1, chart, places, language("Topology"));
            insertChart(sheet, line, chart, places);
            line += static_cast<std::uint32_t>(std::max(places.size() + 3, linesOfChart));
        }
    }

    // The error's text; empty when all is written.
    std::string close() {
        const lxw_error error = workbook_close(std::exchange(book_, nullptr));
        return error == LXW_NO_ERROR ? "" : lxw_strerror(error);
    }

private:
    static constexpr std::size_t linesOfChart = 18;  // of a sheet, that a chart is as high as

    lxw_format* addHeader(lxw_format_alignments side) {
        lxw_format* header = workbook_add_format(book_);
        format_set_bold(header);
        format_set_bottom(header, LXW_BORDER_THIN);
        format_set_align(header, side);
        return header;
    }

    // Printed across.
    lxw_worksheet* addSheet(const std::string& name) {
        lxw_worksheet* sheet = workbook_add_worksheet(book_, freeName(name).c_str());
        if (sheet == nullptr) {  // a name that Excel refuses for a reason of its own
            sheet = workbook_add_worksheet(book_, nullptr);
        }
        worksheet_set_landscape(sheet);
        return sheet;
    }

    lxw_worksheet* addChartSheet(const std::string& name) {
        constexpr lxw_col_t columns = 30;
        constexpr double width = 18;  // letters
        lxw_worksheet* sheet = addSheet(name);
        worksheet_set_column(sheet, 0, columns, width, nullptr);
        worksheet_fit_to_pages(sheet, 1, 0);
        return sheet;
    }

    // A line of the figures: x, or the index of a category. On an axis of devices several topologies may have
    // the same x; what belongs to none of them (the ideal line) stands with the first.
    struct Place {
        double x = 0;
        std::optional<Topology> topology{};
        friend bool operator<(const Place& a, const Place& b) {
            return std::pair(a.x, a.topology) < std::pair(b.x, b.topology);
        }
    };

    static Place placeOf(const ChartSpec& chart, const Point& point) {
        return {point.x, chart.x.scale == AxisScale::Categories ? std::nullopt : point.topology};
    }

    // Where any series has a point.
    static std::vector<Place> placesOf(const ChartSpec& chart) {
        std::set<Place> places;
        for (const Series& series : chart.series) {
            for (const Point& point : series.points) {
                if (!point.missing && std::isfinite(point.x) && std::isfinite(point.y)) {
                    places.insert(placeOf(chart, point));
                }
            }
        }
        std::erase_if(places, [&](const Place& place) {  // nothing stands before all topologies of its x
            const auto next = places.upper_bound(place);
            return !place.topology && next != places.end() && next->x == place.x;
        });
        return {places.begin(), places.end()};
    }

    // The title, a line of names, and for each place a line with y of every series.
    void writeFigures(lxw_worksheet* sheet, std::uint32_t line, const ChartSpec& chart,
                      const std::vector<Place>& places) {
        worksheet_write_string(sheet, line, 0, cellText(titleOf(chart)).c_str(), formatOf("", true));
        worksheet_write_string(sheet, line + 1, 0, cellText(chart.x.title).c_str(), header_);
        lxw_col_t column = 1;
        for (const Series& series : chart.series) {
            worksheet_write_string(sheet, line + 1, column, cellText(series.title).c_str(), header_);
            for (const Point& point : series.points) {
                const auto at = std::ranges::lower_bound(places, placeOf(chart, point), std::less());
                if (!point.missing && std::isfinite(point.y) && at != places.end() && at->x == point.x) {
                    worksheet_write_number(sheet, line + 2 + static_cast<std::uint32_t>(at - places.begin()),
                                           column, point.y, formatOf(formatOf(chart.y.numbers), false));
                }
            }
            ++column;
        }
    }

    // Below the line of names: x before the series, and its topology behind them.
    void writePlaces(lxw_worksheet* sheet, std::uint32_t names, const ChartSpec& chart,
                     const std::vector<Place>& places, const std::string& title) {
        const auto last = static_cast<lxw_col_t>(chart.series.size() + 1);
        if (std::ranges::any_of(places, [](const Place& place) { return place.topology.has_value(); })) {
            worksheet_write_string(sheet, names, last, cellText(title).c_str(), header_);
        }
        std::uint32_t row = names;
        for (const Place& place : places) {
            ++row;
            const auto category = static_cast<std::size_t>(std::max(0.0, place.x));
            if (category < chart.x.categories.size()) {
                worksheet_write_string(sheet, row, 0, cellText(chart.x.categories[category]).c_str(),
                                       nullptr);
            } else {
                worksheet_write_number(sheet, row, 0, place.x, nullptr);
            }
            if (place.topology) {
                worksheet_write_string(sheet, row, last, toString(*place.topology).c_str(), nullptr);
            }
        }
    }

    void insertChart(lxw_worksheet* sheet, std::uint32_t line, const ChartSpec& spec,
                     const std::vector<Place>& places) {
        const bool bars = spec.kind == ChartKind::Bars;
        const bool categories = spec.x.scale == AxisScale::Categories;
        lxw_chart* chart = workbook_add_chart(
            book_, static_cast<std::uint8_t>(bars && spec.isStacked ? LXW_CHART_COLUMN_STACKED
                                             : bars                 ? LXW_CHART_COLUMN
                                             : categories           ? LXW_CHART_LINE
                                                          : LXW_CHART_SCATTER_STRAIGHT_WITH_MARKERS));
        addSeries(*chart, *sheet, line + 1, spec, places);
        chart_show_blanks_as(chart, LXW_CHART_BLANKS_AS_CONNECTED);
        chart_title_set_name(chart, cellText(titleOf(spec)).c_str());
        lxw_chart_font font{};
        font.size = 12;
        font.bold = LXW_TRUE;
        chart_title_set_name_font(chart, &font);
        describeAxis(chart->x_axis, spec.x, categories);
        describeAxis(chart->y_axis, spec.y, false);
        // Else Excel enlarges the differences, or begins markers at one. On the logarithmic axis of a speedup
        // it would count its doublings from 0.88.
        if (spec.y.scale == AxisScale::Linear || spec.kind == ChartKind::Dots) {
            chart_axis_set_min(chart->y_axis, spec.y.lowest.value_or(0));
        }
        lxw_chart_options options{};
        options.x_scale = 1.25;  // of Excel's usual 480 x 288 px
        options.y_scale = 1.15;
        worksheet_insert_chart_opt(sheet, line, static_cast<lxw_col_t>(spec.series.size() + 2), chart,
                                   &options);
    }

    // A line that parts has a series of Excel's for each of its ways; the legend names the first.
    static void addSeries(lxw_chart& chart, const lxw_worksheet& sheet, lxw_row_t names,
                          const ChartSpec& spec, const std::vector<Place>& places) {
        std::vector<std::int16_t> unnamed;
        std::int16_t count = 0;
        for (std::size_t i = 0; i < spec.series.size(); ++i) {
            const auto column = static_cast<lxw_col_t>(i + 1);
            for (std::size_t way = 0; way == 0 || way < spec.series[i].ways.size(); ++way, ++count) {
                const std::vector<lxw_row_t> rows = rowsOf(spec, spec.series[i], way, names + 1, places);
                lxw_chart_series* series = chart_add_series(&chart, cellsOf(sheet, 0, rows).c_str(),
                                                            cellsOf(sheet, column, rows).c_str());
                chart_series_set_name_range(series, sheet.name, names, column);
                if (spec.series[i].role == SeriesRole::Ideal) {
                    drawIdeal(*series);
                } else if (!spec.series[i].ways.empty()) {
                    drawWay(*series, i);
                }
                if (way > 0) {
                    unnamed.push_back(count);
                }
            }
        }
        if (!unnamed.empty()) {
            unnamed.push_back(-1);  // ends the list
            chart_legend_delete_series(&chart, unnamed.data());
        }
    }

    // Of all places; where the line parts those on one of its ways.
    static std::vector<lxw_row_t> rowsOf(const ChartSpec& chart, const Series& series, std::size_t way,
                                         lxw_row_t first, const std::vector<Place>& places) {
        std::vector<lxw_row_t> rows(places.size());
        std::iota(rows.begin(), rows.end(), first);
        if (series.ways.empty()) {
            return rows;
        }
        return mapped(series.ways[way], [&](std::size_t point) {
            const auto at =
                std::ranges::lower_bound(places, placeOf(chart, series.points[point]), std::less());
            return rows[static_cast<std::size_t>(at - places.begin())];
        });
    }

    // "='Charts'!$B$3:$B$4"; "=('Charts'!$B$3,'Charts'!$B$5)" where they do not follow one another.
    static std::string cellsOf(const lxw_worksheet& sheet, lxw_col_t column,
                               const std::vector<lxw_row_t>& rows) {
        if (rows.back() - rows.front() + 1 == rows.size()) {
            std::array<char, LXW_MAX_CELL_RANGE_LENGTH> range{};
            lxw_rowcol_to_range_abs(range.data(), rows.front(), column, rows.back(), column);
            return fmt::format("='{}'!{}", sheet.name, range.data());
        }
        return "=(" +
               join(mapped(rows,
                           [&](lxw_row_t row) {
                               std::array<char, LXW_MAX_CELL_NAME_LENGTH> cell{};
                               lxw_rowcol_to_cell_abs(cell.data(), row, column, LXW_TRUE, LXW_TRUE);
                               return fmt::format("'{}'!{}", sheet.name, cell.data());
                           }),
                    ",") +
               ")";
    }

    static void drawIdeal(lxw_chart_series& series) {
        lxw_chart_line dashed{};
        dashed.color = 0x8A929D;
        dashed.dash_type = LXW_CHART_LINE_DASH_DASH;
        chart_series_set_line(&series, &dashed);
        chart_series_set_marker_type(&series, LXW_CHART_MARKER_NONE);
    }

    // Excel gives each of its series another look: all ways of a line have that of its first.
    static void drawWay(lxw_chart_series& series, std::size_t position) {
        constexpr std::array<lxw_color_t, 6> colours{0x4F81BD, 0xC0504D, 0x9BBB59,
                                                     0x8064A2, 0x4BACC6, 0xF79646};
        constexpr std::array<lxw_chart_marker_type, 5> markers{
            LXW_CHART_MARKER_DIAMOND, LXW_CHART_MARKER_SQUARE, LXW_CHART_MARKER_TRIANGLE,
            LXW_CHART_MARKER_CIRCLE, LXW_CHART_MARKER_PLUS};
        lxw_chart_line line{};
        line.color = colours.at(position % colours.size());
        lxw_chart_fill fill{};
        fill.color = line.color;
        chart_series_set_line(&series, &line);
        chart_series_set_marker_type(&series,
                                     static_cast<std::uint8_t>(markers.at(position % markers.size())));
        chart_series_set_marker_line(&series, &line);
        chart_series_set_marker_fill(&series, &fill);
    }

    static void describeAxis(lxw_chart_axis* axis, const Axis& spec, bool categories) {
        if (!spec.title.empty()) {
            chart_axis_set_name(axis, cellText(spec.title).c_str());
        }
        if (!categories && spec.numbers != NumberStyle::Plain) {
            chart_axis_set_num_format(axis, formatOf(spec.numbers));
        }
        if (spec.scale == AxisScale::Log2) {
            chart_axis_set_log_base(axis, 2);
        }
    }

    static const char* formatOf(NumberStyle style) {
        return style == NumberStyle::Times     ? "0.00\"×\""
               : style == NumberStyle::Percent ? "0.0\" %\""
                                               : "#,##0.00";
    }

    static std::string titleOf(const ChartSpec& chart) {
        return chart.unit.empty() ? chart.title : chart.title + ", " + chart.unit;
    }

    void write(lxw_worksheet* sheet, std::uint32_t line, lxw_col_t column, const TableCell& cell,
               bool figures) {
        if (cell.number && std::isfinite(*cell.number) && cell.note.empty()) {
            worksheet_write_number(sheet, line, column, *cell.number,
                                   formatOf(numberFormat(cell.text), cell.strong));
        } else {
            const TextStyle style = figures             ? TextStyle::Figures
                                    : linesOf(cell) > 1 ? TextStyle::Wrapped
                                                        : TextStyle::Plain;
            worksheet_write_string(sheet, line, column, cellText(cell.text).c_str(),
                                   formatOf("", cell.strong, style));
        }
        if (!cell.note.empty()) {
            worksheet_write_comment(sheet, line, column, cellText(cell.note).c_str());
        }
    }

    // Figures: "375.79 to 379.10" and "–", under a header at the right.
    enum class TextStyle { Plain, Figures, Wrapped };

    lxw_format* formatOf(const std::string& numbers, bool strong, TextStyle style = TextStyle::Plain) {
        lxw_format*& format = formats_[{numbers, strong, style}];
        if (format == nullptr) {
            format = workbook_add_format(book_);
            if (!numbers.empty()) {
                format_set_num_format(format, numbers.c_str());
            }
            if (strong) {
                format_set_bold(format);
            }
            if (style == TextStyle::Figures) {
                format_set_align(format, LXW_ALIGN_RIGHT);
            } else if (style == TextStyle::Wrapped) {
                format_set_text_wrap(format);
            }
            format_set_align(format, LXW_ALIGN_VERTICAL_TOP);  // beside what is wrapped
        }
        return format;
    }

    // Excel's rules: no []:*?/\, at most 31 letters, none twice in any letter case, no apostrophe around.
    std::string freeName(const std::string& name) {
        std::string clean = terminalText(name);
        std::ranges::replace_if(
            clean, [](char c) { return std::string_view("[]:*?/\\'").find(c) != std::string_view::npos; },
            ' ');
        clean = trim(firstLetters(clean, longestSheetName));
        std::string unique = clean.empty() ? "Sheet" : clean;
        for (int i = 2; workbook_get_worksheet_by_name(book_, unique.c_str()) != nullptr; ++i) {
            const std::string tail = fmt::format(" {}", i);
            unique = firstLetters(clean, longestSheetName - tail.size()) + tail;
        }
        return unique;
    }

    lxw_workbook* book_;
    lxw_format* header_ = nullptr;
    lxw_format* figureHeader_ = nullptr;
    std::map<std::tuple<std::string, bool, TextStyle>, lxw_format*> formats_;
};

Table listTable(const char* title, const std::vector<std::string>& texts) {
    Table table;
    table.columns = {{title}};
    for (const std::string& text : texts) {
        table.rows.push_back({textCell(text)});
    }
    return table;
}

// What stands around the tables elsewhere.
std::vector<std::string> hardwareNotes(std::vector<std::string> problems,
                                       const std::vector<HardwarePart>& parts) {
    std::vector<std::string> notes = std::move(problems);
    for (const HardwarePart& part : parts) {
        notes.push_back(fmt::format("{}, measured {}", part.title, dayOf(part.measured)));
        for (const auto& texts : {part.notes, part.slow, missingTexts(part.missing)}) {
            notes.insert(notes.end(), texts.begin(), texts.end());
        }
    }
    return notes;
}

bool isOneModel(const Report& report) {
    std::set<std::string> models;
    for (const ReportSection& section : report.sections) {
        for (const ComparedSeries& series : section.comparison.series) {
            models.insert(series.key.configuration.model);
        }
    }
    return models.size() == 1;
}

// "b128 fp32" of "ResNet50 v1.5, fp32, batch size 128": what tells sheets apart stands where Excel cuts
// nothing.
std::string sheetName(const ReportSection& section, bool isOneModel, const Translation& language) {
    if (section.comparison.series.empty()) {
        return language(section.heading);
    }
    constexpr std::string_view batchSize = "batch size ";
    const Configuration& configuration = section.comparison.series.front().key.configuration;
    std::string batch = section.batchSizes ? language("batches") : batchText(configuration);
    if (const std::size_t at = batch.find(batchSize); at != std::string::npos) {
        batch.replace(at, batchSize.size(), "b");
    }
    const std::string name = fmt::format("{} {}", batch, precisionText(configuration));
    return isOneModel ? name : fmt::format("{} {}", name, configuration.model);
}

// A series is named by its section where there are several.
std::string sheetName(const SeriesLosses& losses, const Report& report, bool isOneModel,
                      const Translation& language) {
    for (const ReportSection& section : report.sections) {
        if (losses.title.starts_with(section.heading + ", ")) {
            return fmt::format("{} {}", sheetName(section, isOneModel, language),
                               language(losses.title.substr(section.heading.size() + 2)));
        }
    }
    return language(losses.title);
}

void fill(Workbook& book, const Report& report) {
    const Translation& language = Translation::to(report.language);
    const bool oneModel = isOneModel(report);
    const auto named = [&](const char* what, const std::string& of) {
        return fmt::format("{} {}", language(what), of);
    };
    const auto add = [&](const std::string& name, const Table& table) {
        book.add(name, translated(table, language));
    };
    if (report.pivot && report.shows(ReportPart::Pivot)) {
        add(language("Pivot table"), pivotFigures(*report.pivot));
    }
    if (report.isPivot()) {
        return;
    }
    for (const ReportSection& section : report.sections) {
        if (!section.batchSizes && report.shows(ReportPart::Results)) {
            add(sheetName(section, oneModel, language), resultTable(section.comparison));
        }
    }
    for (const ReportSection& section : report.sections) {
        if (!section.batchSizes && report.shows(ReportPart::Repetitions)) {
            add(named("Repetitions", sheetName(section, oneModel, language)),
                repetitionTable(section.comparison));
        }
    }
    for (const SeriesLosses& series : report.losses) {
        if (report.shows(ReportPart::Loss)) {
            const std::string name = sheetName(series, report, oneModel, language);
            add(named("Loss", name), lossTable(series.losses));
            book.addCharts(named("Loss chart", name), {lossChart(series.losses)}, language);
        }
    }
    if (report.shows(ReportPart::Hardware)) {
        const auto parts = hardwareParts(report.hardware);
        for (const HardwarePart& part : parts) {
            add(language(part.title), part.table);
        }
        if (const auto notes = hardwareNotes(report.hardware.unreadable, parts); !notes.empty()) {
            add(language("Hardware notes"), listTable("Note", notes));
        }
    }
    for (const ReportSection& section : report.sections) {
        if (report.shows(ReportPart::Charts)) {
            book.addCharts(named("Charts", sheetName(section, oneModel, language)), section.charts, language);
        }
    }
    book.add(language("Data"), dataTable(report));  // whose columns are for programs
    if (report.shows(ReportPart::Findings) && !report.findings.empty()) {
        add(language("Findings"), listTable("Finding", report.findings));
    }
    if (report.shows(ReportPart::Findings) && !report.trouble.rows.empty()) {
        add(language("Runs without a figure"), report.trouble);
    }
    if (report.shows(ReportPart::Environment) && !report.versions.rows.empty()) {
        add(language("Versions"), report.versions);
    }
    if (report.shows(ReportPart::Environment) && !report.environment.rows.empty()) {
        add(language("Environment"), report.environment);
    }
    if (report.shows(ReportPart::Method)) {
        add(language("Method"), listTable("Method", report.method));
    }
}

// What a workbook becomes that `fill` has filled. libxlsxwriter writes files only.
template <class Fill>
Result<std::string> written(const Fill& fill) {
    const auto folder = TRY(TemporaryFolder::make("dlperf-spreadsheet"));
    const std::filesystem::path file = folder.path() / "report.xlsx";
    const PlainNumbers plain;
    Workbook book(file);
    fill(book);
    if (const std::string problem = book.close(); !problem.empty()) {
        return fail("the spreadsheet cannot be written: " + problem, file.string(),
                    "Free some space in the folder for temporary files.", ErrorKind::Work);
    }
    return readFile(file);
}

}  // namespace

Result<std::string> renderSpreadsheet(const Report& report) {
    return written([&](Workbook& book) { fill(book, report); });
}

Result<std::string> toSpreadsheet(const Table& table, const std::string& sheet) {
    return written([&](Workbook& book) { book.add(sheet, table); });
}

}  // namespace dlperf::report
