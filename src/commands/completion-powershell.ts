/** For PowerShell 5.1 and later. A candidate with anything but plain characters is inserted in single quotes. */
export const powershellScript = `# herm-tools completion for PowerShell.
Register-ArgumentCompleter -Native -CommandName herm-tools -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $typed = @($commandAst.CommandElements |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text } })
    $current = $wordToComplete.Trim([char[]]@([char]34, [char]39))
    $words = $typed
    if ($current) { $words += $current }
    $answer = @(& herm-tools __complete '--' $typed.Count @words 2>$null)
    if ($answer[0] -ne 'words') { return }
    $answer | Select-Object -Skip 1 | ForEach-Object {
        $value, $meaning = $_ -split [char]9, 2
        if ($value.StartsWith($current, [StringComparison]::Ordinal)) {
            $text = if ($value -match '^[A-Za-z0-9_.:/=+-]+$') { $value } else { "'" + ($value -replace "['\\u2018-\\u201b]", '$0$0') + "'" }
            $tip = if ($meaning) { $meaning } else { $value }
            [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $tip)
        }
    }
}
`
