# SPDX-License-Identifier: Apache-2.0
# Makes dlperf-worker's manual page of what its --help prints.
function roff(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  sub(/^[.']/, "\\\\&&", text)
  return text
}
BEGIN {
  print ".\\\" SPDX-License-Identifier: Apache-2.0"
  print ".TH DLPERF\\-WORKER 1 \"\" \"dlperf-worker\" \"User Commands\""
  print ".SH NAME\ndlperf\\-worker \\- train ResNet50 and log one line an iteration"
  print ".SH SYNOPSIS\n\\fBdlperf\\-worker\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION"
}
/^usage:/ { next }
/^  --/ {
  if (!options++) print ".SH OPTIONS"
  match($0, /^  --[^ ]+( [A-Z]+)?  +/)
  print ".TP\n\\fB" roff(substr($0, 3, RLENGTH - 2)) "\\fR\n" roff(substr($0, RLENGTH + 1))
  next
}
/^$/ { if (options) print ".SH ENVIRONMENT"; next }
/^Exit codes: / { print ".SH EXIT STATUS"; sub(/^Exit codes: /, "") }
{ print roff($0) }
