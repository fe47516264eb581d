# SPDX-License-Identifier: Apache-2.0
# What may come next is said by the program itself.
function __dlperf_next
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] --complete $words[2..-1] 2>/dev/null)
        switch $line
            case ':file'
                __fish_complete_path (commandline -ct)
            case ':folder'
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end
complete -c dlperf -f -a '(__dlperf_next)'
complete -c dlperf-dashboard -f -a '(__dlperf_next)'
