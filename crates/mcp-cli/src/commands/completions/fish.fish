# Completions of NAME for fish. Load them with: NAME completions fish | source
function __FUNCTION_complete
    set -l words (commandline -opc)
    $words[1] __complete $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c NAME -f -a '(__FUNCTION_complete)'
