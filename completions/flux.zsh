#compdef flux
# zsh completion for flux: asks `flux __complete`, and runs nothing of what is typed.

_flux()
{
    local program=${(Q)words[1]}
    # An alias is no program.
    if ! (( $+commands[$program] )) && [[ ! -x $program ]]; then
        program=flux
    fi

    local -a request lines
    request=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
    request=("${(@)request/#\~\//$HOME/}")
    lines=("${(@f)$("$program" __complete "${request[@]}" 2>/dev/null)}")
    local directive=${lines[-1]#:}
    [[ $directive == <-> ]] || return 1
    (( directive & 1 )) && return 1
    lines=("${(@)lines[1,-2]}")

    # After --flag= the value alone is completed.
    [[ $PREFIX == -*=* ]] && compset -P 1 '*='

    if (( directive & 16 )); then
        _files -/
        return
    fi
    if (( directive & 8 )); then
        _files -g "*.(${(j:|:)lines})"
        return
    fi

    local -a entries options
    local line name
    for line in "${lines[@]}"; do
        [[ -n $line ]] || continue
        name=${line%%$'\t'*}
        if [[ $line == *$'\t'* ]]; then
            entries+=("${name//:/\\:}:${line#*$'\t'}")
        else
            entries+=("${name//:/\\:}")
        fi
    done
    (( directive & 2 )) && options+=(-S '')
    (( directive & 32 )) && options+=(-V)
    if (( $#entries )); then
        _describe -t completions flux entries "${options[@]}"
        return
    fi
    (( directive & 4 )) || _files
}

# The first call, when zsh has loaded this file as the function itself.
if [[ ${funcstack[1]} == _flux ]]; then
    _flux "$@"
fi
compdef _flux flux
