/** For fish from 3.0 on. fish takes each line as one candidate, with its meaning behind a tab, and quotes it when it is inserted. */
export const fishScript = `# herm-tools completion for fish.
function __herm_tools_candidates
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l answer (command herm-tools __complete -- (count $typed) $typed "$current" 2>/dev/null)
    if test "$answer[1]" = files
        set -l prefix (string match -r -- '^--[a-z-]+=' "$current")
        for line in (__fish_complete_path (string replace -- "$prefix" '' "$current"))
            printf '%s\\n' "$prefix$line"
        end
    else
        string join -- \\n $answer[2..-1]
    end
end
complete -c herm-tools -f -k -a '(__herm_tools_candidates)'
`
