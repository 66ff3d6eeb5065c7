# bash completion for PROGRAM: asks `PROGRAM __complete`, and runs nothing of what is typed.

__start_PROGRAM()
{
    local line=${COMP_LINE:0:COMP_POINT} piece blanks
    local -a words=()
    # Bash also splits at the characters of COMP_WORDBREAKS; only blanks divide words here.
    for piece in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        blanks=${line%%[![:space:]]*}
        line=${line#"$blanks"}
        if [[ -n $blanks || ${#words[@]} -eq 0 ]]; then
            words+=("")
        fi
        piece=${piece:0:${#line}}
        words[${#words[@]} - 1]+=$piece
        line=${line#"$piece"}
    done

    local index word
    for index in "${!words[@]}"; do
        word=${words[index]}
        case $word in
            \"*\" | \'*\') word=${word:1:${#word}-2} ;;
            \"* | \'*) word=${word:1} ;;
            \~/*) word=$HOME/${word:2} ;;
        esac
        words[index]=$word
    done

    # An alias is no program.
    local program=${words[0]}
    [[ $(type -t -- "$program") == file ]] || program=PROGRAM

    local answer directive
    answer=$("$program" __completeNoDesc "${words[@]:1}" 2>/dev/null)
    directive=${answer##*:}
    answer=${answer%:*}
    [[ $directive =~ ^[0-9]+$ ]] || return
    (( directive & 1 )) && return
    (( directive & 2 )) && compopt -o nospace 2>/dev/null
    (( directive & 4 )) && compopt +o default 2>/dev/null

    local current=${words[${#words[@]} - 1]}
    if [[ $current == -*=* ]]; then
        current=${current#*=}
    fi
    # Bash puts what we answer in the place of what it takes for the word.
    local before=${current%"$2"} entry
    COMPREPLY=()
    if (( directive & 24 )); then
        # Files of some endings, or directories.
        local kind=-f
        (( directive & 16 )) && kind=-d
        while IFS= read -r entry; do
            if [[ $kind == -d || -d $entry || $'\n'$answer == *$'\n'"${entry##*.}"$'\n'* ]]; then
                COMPREPLY+=("$entry")
            fi
        done < <(compgen "$kind" -- "$2")
        compopt -o filenames 2>/dev/null
        return
    fi
    while IFS= read -r entry; do
        if [[ -n $entry && $entry == "$current"* ]]; then
            COMPREPLY+=("${entry#"$before"}")
        fi
    done <<<"$answer"
}

complete -o default -F __start_PROGRAM PROGRAM
