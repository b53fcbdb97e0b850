/** For zsh: as a file `_herm-tools` on fpath, or sourced after `compinit`. compadd quotes each candidate as it is inserted. */
export const zshScript = `#compdef herm-tools
# herm-tools completion for zsh.
_herm-tools() {
  local -a typed answer values shown
  local line
  integer width
  typed=("\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}")
  answer=("\${(@f)$(command herm-tools __complete -- $((CURRENT - 1)) "\${typed[@]}" 2>/dev/null)}")
  if [[ $answer[1] == files ]]; then
    compset -P '--*='
    _files
    return
  fi
  shift answer
  values=("\${(@)answer%%$'\\t'*}")
  for line in "\${values[@]}"; do
    (( \${#line} > width )) && width=\${#line}
  done
  for line in "\${answer[@]}"; do
    shown+=("\${(r:width:)line%%$'\\t'*}  \${line#*$'\\t'}")
  done
  # Behind what ends in =, the value follows at once.
  if [[ \${#\${(M)values:#$PREFIX*}} == 1 && \${(M)values:#$PREFIX*} == *= ]]; then
    compadd -S '' -a values
  else
    compadd -l -V herm-tools -d shown -a values
  fi
}
if [[ $funcstack[1] == _herm-tools ]]; then
  _herm-tools "$@"
else
  compdef _herm-tools herm-tools
fi
`
