// SPDX-License-Identifier: Apache-2.0
// The look of a report in a browser and on paper: the interface's tokens, light and dark. Charts keep their
// light paper.
#pragma once

namespace dlperf::report {

inline constexpr const char* htmlStyle = R"(
:root { color-scheme: light dark; --page: #F8F9FA; --panel: #FFFFFF; --text: #1A1E24; --text2: #4E5661;
  --line: #DDE1E6; --warn: #8A5A00; --warnground: #FFF3D6; --code: #F1F3F5; }
@media (prefers-color-scheme: dark) { :root { --page: #1A1D22; --panel: #20242A; --text: #E6E9ED; --text2: #B0B7C1;
  --line: #333942; --warn: #E8B84A; --warnground: #3A2F16; --code: #15181C; } }
body { margin: 0; background: var(--page); color: var(--text);
  font: 14px/1.45 Inter, "Noto Sans CJK SC", system-ui, sans-serif;
  font-feature-settings: "calt" 0; }  /* else Inter shows x86 with a multiplication sign */
main { max-width: 1080px; margin: 0 auto; padding: 24px; background: var(--panel); }
h1 { font-size: 22px; margin: 0 0 4px; } h2 { font-size: 18px; margin: 32px 0 8px; } h3 { font-size: 14px; }
.subtitle, .note, caption { color: var(--text2); }
.warnings { color: var(--warn); background: var(--warnground); padding: 8px 12px; border-radius: 6px; }
.warnings ul { margin: 4px 0 0; padding-left: 20px; }
.charts { display: flex; flex-wrap: wrap; gap: 12px; }
.chart { margin: 0; background: #FFFFFF; border: 1px solid var(--line); border-radius: 6px; max-width: 100%; }
.chart svg { display: block; max-width: 100%; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 8px 0; }
th, td { padding: 4px 10px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--text2); font-weight: 600; font-size: 12px; white-space: nowrap; }
.figure { text-align: right; white-space: nowrap; }
td.figure { font-family: "JetBrains Mono", ui-monospace, monospace; }
pre { background: var(--code); padding: 12px; overflow-x: auto; font: 12px/1.4 "JetBrains Mono", ui-monospace, monospace; }
@media print { :root { --page: #FFFFFF; --panel: #FFFFFF; --text: #1A1E24; --text2: #4E5661; --line: #B9C0CA; }
  main { padding: 0; max-width: none; } h2, h3 { break-after: avoid; } .chart, tr { break-inside: avoid; }
  .wide { overflow: visible; } pre { white-space: pre-wrap; } }
)";

}  // namespace dlperf::report
