# Completions of NAME for bash. Load them with: source <(NAME completions bash)
_FUNCTION_complete() {
    local line="${COMP_LINE:0:COMP_POINT}" word candidates
    local -a words
    read -ra words <<< "$line"
    # After a space a new, empty word begins.
    [[ $line == *[[:space:]] ]] && words+=("")
    word="${words[${#words[@]} - 1]}"
    mapfile -t candidates < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
    # bash splits words at `=` and `:`, so it replaces only what follows the last of them.
    local kept="${word%"${word##*[=:]}"}"
    COMPREPLY=()
    local candidate
    for candidate in "${candidates[@]}"; do
        COMPREPLY+=("${candidate#"$kept"}")
    done
    if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
        compopt -o default
    elif [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace
    fi
}
complete -F _FUNCTION_complete NAME
