/**
 * For bash from 3.2 on, with or without the package bash-completion. Nothing typed and no candidate is ever evaluated:
 * candidates are quoted by `printf %q`, and within quotation marks only those are offered that need no quoting.
 */
export const bashScript = `# herm-tools completion for bash.
_herm_tools() {
  COMPREPLY=()
  local rest=\${COMP_LINE:0:COMP_POINT} word after at=-1 i
  local -a words=()
  # bash breaks words at = and : too; what stands together is one word to herm-tools.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    after=\${rest#"\${rest%%[![:space:]]*}"}
    if ((at < 0)) || [[ $after != "$rest" || -z $rest ]]; then
      at=$((at + 1))
      words[at]=
    fi
    if ((i == COMP_CWORD)); then word=$after; fi
    words[at]+=$word
    rest=\${after#"$word"}
  done

  # Quotation marks are for the shell, not for herm-tools. Within them, bash completes what follows the first one.
  local current=\${words[at]} open= kept
  case $current in
    [\\"\\']*) open=\${current:0:1} ;;
  esac
  case $word in
    *[!=:]*) kept=\${current%"$word"} ;;
    *) kept=$current ;;
  esac
  local -a plain=()
  for word in "\${words[@]}"; do
    plain[\${#plain[@]}]=\${word//[\\"\\'\\\\]/}
  done

  local kind value _meaning quoted tab=$'\\t'
  {
    IFS= read -r kind
    if [[ $kind == files ]]; then return; fi
    # No candidates means none: bash would offer files.
    compopt +o default 2>/dev/null
    while IFS=$tab read -r value _meaning; do
      [[ $value == "\${plain[at]}"* ]] || continue
      if [[ -n $open ]]; then
        [[ $value == *[!A-Za-z0-9_.:,@%+=/-]* ]] && continue
        COMPREPLY[\${#COMPREPLY[@]}]=$value
      else
        printf -v quoted %q "$value"
        [[ $quoted == "$kept"* ]] && COMPREPLY[\${#COMPREPLY[@]}]=\${quoted#"$kept"}
      fi
    done
    if [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
  } < <(herm-tools __complete -- "$at" "\${plain[@]}" 2>/dev/null)
}
complete -o default -F _herm_tools herm-tools
`
