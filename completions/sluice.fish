# fish completion for sluice: asks `sluice __complete`, and runs nothing of what is typed.

# Fills in the candidates; fails where fish shall complete files.
function __sluice_complete
    set -g __sluice_candidates
    set -l words (commandline -opc)
    set -l partial (commandline -ct)
    set -l program $words[1]
    # An alias is no program.
    type -q -f -- $program; or set program sluice

    set -l answer (command $program __complete $words[2..-1] "$partial" 2>/dev/null)
    set -l count (count $answer)
    test $count -gt 0; or return 1
    set -l directive (string match -r -- '^:\d+$' $answer[$count] | string sub -s 2)
    test -n "$directive"; or return 1
    # An error; files of some endings; directories.
    for bit in 1 8 16
        test (math "floor($directive / $bit) % 2") -eq 0; or return 1
    end

    # After --flag= a candidate is the whole word.
    set -l flag (string match -r -- '^-[^=]*=' "$partial")
    set -l found
    if test $count -gt 1
        for line in $answer[1..(math $count - 1)]
            test -n "$line"; and set -a found "$flag$line"
        end
    end
    if test (count $found) -eq 0; and test (math "floor($directive / 4) % 2") -eq 0
        return 1
    end
    set -g __sluice_candidates $found
end

complete -c sluice -e
complete -c sluice -n __sluice_complete -f -a '$__sluice_candidates'
