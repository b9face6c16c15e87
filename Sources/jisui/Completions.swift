internal import AdapterKit
internal import PageModel
internal import Work

/// The command that prints the completions of a shell; `make install` puts them in the folder where the shell looks for them.
///
/// The script of a shell asks this command at each Tab. So it knows the options of plug-ins that were installed later. The shell
/// itself completes the names of files. The program is the installed one: Tab starts no other file that happens to be called jisui.
struct Completions: Command {
    static let entry = CommandEntry(
        name: "completions", summary: "Print the completions of a shell: bash, zsh or fish",
        operands: [.shell, .completedWords]
    ) { given in
        guard let shell = Shell(rawValue: given.operands[0]) else {
            throw UsageError("completions are made for bash, zsh and fish")
        }
        return Completions(shell: shell, words: Array(given.operands.dropFirst()))
    }

    enum Shell: String, CaseIterable {
        case bash
        case zsh
        case fish
    }

    let shell: Shell
    let words: [String]

    func run() { print(words.isEmpty ? script : Completion(of: words).lines(for: shell)) }
}

/// The words and file names that complete the last word of a command line.
struct Completion {
    /// Which names the shell is to complete.
    private(set) var names = "none"
    private(set) var words: [(word: String, text: String)] = []

    /// - Parameter typed: the words after the name of the program. The last one is incomplete, and may be empty.
    init(of typed: [String]) {
        let (last, before) = (typed.last ?? "", Array(typed.dropLast()))
        let (entry, rest) = CommandEntry.called(by: before)
        let options = rest.prefix { $0 != "--" }
        if options.count < rest.count {
            add(entry.operands, at: rest.count)
        } else if let sign = last.firstIndex(of: "="), let option = entry.option(String(last[..<sign])) {
            add(option)
        } else if let option = rest.last.flatMap(entry.option), option.kind != .flag {
            add(option)
            // If the value can be omitted, an operand may follow.
            if option.impliedValue != nil { add(entry.operands, at: 0) }
        } else if last.hasPrefix("-") {
            words = entry.options.map { ("--\($0.name)", $0.help) }
            words += entry.options.compactMap { option in option.letter.map { ("-\($0)", option.help) } }
        } else {
            let commands = before.isEmpty ? CommandEntry.all : entry.subcommands
            words = commands.map { (String($0.name.split(separator: " ").last ?? ""), $0.summary) }
            add(entry.operands, at: rest.count { !$0.hasPrefix("-") })
        }
    }

    private mutating func add(_ option: Setting) {
        // These words are in files, which other runs need not read.
        switch option {
        case .device: words = DeviceCatalog.names.map { ($0, option.help) }
        case .preset: words = Run.userFiles.presets.map { ($0.name, option.help) }
        default: addValues(option)
        }
    }

    private mutating func addValues(_ option: Setting) {
        switch option.kind {
        case .choice(let choices), .choices(let choices): words = choices.map { ($0, option.help) }
        case .form(let form): words = form.words.map { ($0, option.help) }
        case .file, .newFile, .keptFile: names = "files"
        case .flag, .integer, .color, .text: break
        }
    }

    /// Adds the values of the operand at a place.
    private mutating func add(_ operands: [Operand], at place: Int) {
        guard let operand = place < operands.count ? operands[place] : operands.last else { return }
        switch operand.kind {
        case .file: names = "files"
        case .folder: names = "folders"
        case .words(let values): words += values().map { ($0, operand.help) }
        case .any: break
        }
    }

    /// Returns the lines that the script of a shell reads: the names to complete, then each word with its text.
    func lines(for shell: Completions.Shell) -> String {
        let words = words.map { word, text in
            switch shell {
            case .bash: word
            case .zsh: "\(word.replacing(":", with: "\\:")):\(text)"
            case .fish: "\(word)\t\(text)"
            }
        }
        return ([names] + words).joined(separator: "\n")
    }
}

extension CommandEntry {
    /// Returns the option with a name or a letter, as it is typed.
    fileprivate func option(_ word: String) -> Setting? {
        options.first { "--\($0.name)" == word || $0.letter.map { "-\($0)" } == word }
    }
}

extension Completions {
    private var script: String {
        switch shell {
        case .bash:
            #"""
            _jisui() {
                local cur="${COMP_WORDS[COMP_CWORD]}" words=("${COMP_WORDS[@]:1:COMP_CWORD}") lines line
                # In "--option=value", bash takes the sign for a word.
                if [[ "$cur" == = ]]; then cur= words[-1]=
                elif [[ "${COMP_WORDS[COMP_CWORD-1]}" == = ]]; then unset 'words[-2]'; fi
                mapfile -t lines < <(command jisui completions bash -- "${words[@]}" 2>/dev/null)
                # "compgen -W" would run commands that are in the words of a plug-in.
                COMPREPLY=()
                for line in "${lines[@]:1}"; do if [[ "$line" == "$cur"* ]]; then COMPREPLY+=("$line"); fi; done
                case "${lines[0]}" in files) words=-f;; folders) words=-d;; *) return;; esac
                compopt -o filenames
                mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen $words -- "$cur")
            }
            complete -F _jisui jisui
            """#
        case .zsh:
            #"""
            #compdef jisui
            _jisui() {
                local -i found=1
                local -a lines
                lines=("${(@f)$(command jisui completions zsh -- "${(Q@)words[2,CURRENT]}" 2>/dev/null)}")
                local -a list=("${(@)lines[2,-1]}")
                compset -P '--*='
                (( $#list )) && _describe -V jisui list && found=0
                case "$lines[1]" in
                    files) _files && found=0;;
                    folders) _files -/ && found=0;;
                esac
                return $found
            }
            # The file is a function where the shell finds it by itself, and a script otherwise.
            if [[ "$funcstack[1]" == _jisui ]]; then _jisui "$@"; else compdef _jisui jisui; fi
            """#
        case .fish:
            #"""
            function __jisui_complete
                set -l typed (commandline -opc) "$(commandline -ct)"
                set -l option (string match -r -- '^--[^=]*=' $typed[-1])
                set -l value (string replace -r -- '^--[^=]*=' '' $typed[-1])
                set -l lines (command jisui completions fish -- $typed[2..] 2>/dev/null)
                switch "$lines[1]"
                    case files
                        set -a lines (__fish_complete_path $value)
                    case folders
                        set -a lines (__fish_complete_directories $value)
                end
                for line in $lines[2..]
                    printf '%s%s\n' "$option" $line
                end
            end
            complete -c jisui -f -a '(__jisui_complete)'
            """#
        }
    }
}
