#compdef NAME
# Completions of NAME for zsh. Load them with: source <(NAME completions zsh)
_FUNCTION_complete() {
    local -a candidates names
    candidates=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    candidates=("${(@)candidates:#}")
    names=("${(@M)candidates:#*=}")
    candidates=("${(@)candidates:#*=}")
    if (( ${#names} + ${#candidates} == 0 )); then
        _files
        return
    fi
    (( ${#names} )) && compadd -Q -S '' -- "${names[@]}"
    (( ${#candidates} )) && compadd -Q -- "${candidates[@]}"
}
if [[ "${funcstack[1]}" == "_NAME" ]]; then
    _FUNCTION_complete "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -u; }
    compdef _FUNCTION_complete NAME
fi
