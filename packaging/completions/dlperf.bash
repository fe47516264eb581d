# SPDX-License-Identifier: Apache-2.0
# What may come next is said by the program itself.
_dlperf() {
  local cur=${COMP_WORDS[COMP_CWORD]} word line words=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do # "--option=value" comes in three words
    [[ $word == "=" ]] || words+=("$word")
  done
  if [[ $cur == "=" ]]; then cur="" words+=(""); fi
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :file) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur") ;;
      :folder) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$cur") ;;
      *) word=${line%%$'\t'*}; [[ $word != "$cur"* ]] || COMPREPLY+=("$word") ;;
    esac
  done < <("${COMP_WORDS[0]}" --complete "${words[@]}" 2>/dev/null)
}
complete -F _dlperf dlperf dlperf-dashboard
