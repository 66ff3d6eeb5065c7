# powershell completion for sluice: asks `sluice __complete`, and runs nothing of what is typed.

Register-ArgumentCompleter -Native -CommandName 'sluice' -ScriptBlock {
    param($WordToComplete, $CommandAst, $CursorPosition)

    $Words = @($CommandAst.CommandElements |
        Where-Object { $_.Extent.StartOffset -lt $CursorPosition } |
        ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { "$_" } })
    $Arguments = @($Words | Select-Object -Skip 1)
    if ($WordToComplete -eq '') {
        # Before 7.3 an empty argument is lost on the way, unless it is quoted twice.
        $Empty = if ($PSVersionTable.PSVersion -lt [version]'7.3') { '""' } else { '' }
        $Arguments += $Empty
    }

    $Lines = @(& 'sluice' __complete @Arguments 2>$null)
    if ($Lines.Count -eq 0 -or $Lines[-1] -notmatch '^:(\d+)$') { return }
    $Directive = [int]$Matches[1]
    # An error; files of some endings; directories.
    if ($Directive -band 25) { return }

    # After --flag= a candidate is the whole word.
    $Flag = if ($WordToComplete -match '^-[^=]*=') { $Matches[0] } else { '' }
    $Found = @($Lines | Select-Object -SkipLast 1 | Where-Object { $_ })
    foreach ($Line in $Found) {
        $Name, $Description = $Line.Split("`t", 2)
        if (-not $Description) { $Description = $Name }
        [System.Management.Automation.CompletionResult]::new("$Flag$Name", $Name, 'ParameterValue', $Description)
    }
    # An empty text keeps the shell from completing files.
    if ($Found.Count -eq 0 -and ($Directive -band 4)) { '' }
}
