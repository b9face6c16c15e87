internal import ArgumentParser
internal import PageModel

/// The command that prints the completions of a shell; `make install` puts them in the folder where the shell looks for them.
///
/// The scripts of argument-parser do not support a default subcommand: after `jisui vol` or `jisui book.pdf --d` they complete
/// nothing. The additions make them continue as after `jisui convert`.
struct Completions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print the completions of a shell: bash, zsh or fish.", shouldDisplay: false)

    @Argument var shell: String

    func validate() throws {
        if Completions.shell(shell) == nil {
            throw ValidationError(message: "completions are made for bash, zsh and fish")
        }
    }

    func run() throws {
        guard let shell = Completions.shell(shell) else { return }
        var script = Jisui.completionScript(for: shell)
        for (place, addition) in Completions.additions(for: shell, to: script) {
            guard let range = script.firstRange(of: place) else {
                throw ValidationError(message: "argument-parser's script has changed: it has no '\(place)'")
            }
            script.replaceSubrange(range, with: addition)
        }
        print(shell == .fish ? Completions.fishScript(script) : script)
    }

    private static func shell(_ name: String) -> CompletionShell? {
        switch name {
        case "bash": .bash
        case "zsh": .zsh
        case "fish": .fish
        default: nil
        }
    }

    private static let subcommands = Jisui.listedCommands

    /// What `jisui help` takes, with descriptions.
    private static var topics: [(name: String, title: String)] {
        HelpTopic.all.map { ($0.id, $0.title) } + [("all", "List every option"), ("topics", "List the topics")]
    }

    /// Returns lines of a shell's script, and their replacements.
    private static func additions(for shell: CompletionShell, to script: String) -> [(String, String)] {
        switch shell {
        case .bash: [bash]
        case .zsh: [zsh(script)]
        default: [fish]
        }
    }

    private static var bash: (String, String) {
        let line = #"    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")"#
        let names = subcommands
        return (
            line,
            """
            \(line)

                if [[ "${COMP_CWORD}" -eq 2 && "${COMP_WORDS[1]}" == help ]]; then
                    COMPREPLY=($(compgen -W '\(topics.map(\.name).joined(separator: " "))' -- "${cur}"))
                    return
                fi

                # Without a subcommand it is "convert" that is called.
                if [[ "${COMP_CWORD}" -eq 1 ]]; then
                    [[ "${cur}" = -* ]] || COMPREPLY+=($(compgen -W '\(names.joined(separator: " "))' -- "${cur}"))
                    unparsed_words=(convert "${cur}")
                elif [[ ! "${COMP_WORDS[1]}" =~ ^(\(names.joined(separator: "|")))$ ]]; then
                    unparsed_words=(convert "${unparsed_words[@]}")
                fi
            """
        )
    }

    private static func zsh(_ script: String) -> (String, String) {
        let line = #"    local -r command_name="${words[1]}""#
        // The list of subcommands with their descriptions.
        let list =
            script.firstRange(of: "        local -ar subcommands=(").flatMap { start in
                script[start.lowerBound...].firstRange(of: "\n        )").map {
                    script[start.lowerBound..<$0.upperBound]
                }
            } ?? "        local -ar subcommands=()"
        let topics = topics.map { "'\($0.name):\($0.title)'" }.joined(separator: " ")
        return (
            line,
            """
                if (( CURRENT == 3 )) && [[ "${words[2]}" == help ]]; then
                    local -ar topics=(\(topics))
                    _describe -V topic topics
                    return
                fi

                # Without a subcommand it is "convert" that is called.
                if (( CURRENT == 2 )) && [[ "${PREFIX}" != -* ]]; then
                    local -i found=1
            \(list)
                    _describe -V subcommand subcommands && found=0
                    _files && found=0
                    return "${found}"
                elif (( CURRENT == 2 )) || [[ "${words[2]}" != (\(subcommands.joined(separator: "|"))) ]]; then
                    words=("${words[1]}" convert "${(@)words[2,-1]}")
                    (( CURRENT++ ))
                fi

            \(line)
            """
        )
    }

    private static var fish: (String, String) {
        let line = "    set -l unparsed_tokens (__jisui_tokens -pc)"
        return (
            line,
            """
            \(line)
                # Without a subcommand it is "convert" that is called.
                if set -q unparsed_tokens[2]
                    contains -- $unparsed_tokens[2] \(subcommands.joined(separator: " "))
                    or set unparsed_tokens $unparsed_tokens[1] convert $unparsed_tokens[2..]
                else if test "$expected_commands" = 'jisui convert'
                    set -a unparsed_tokens convert
                end
            """
        )
    }

    /// Returns a script for fish with brief descriptions and the topics of the help.
    ///
    /// Next to each value of an option, fish repeats the description of the option.
    private static func fishScript(_ script: String) -> String {
        let brief = script.replacing(/\ -d '((?:[^'\\]|\\.)*?\.) (?:[^'\\]|\\.)*'/) { " -d '\($0.1)'" }
        let condition = "test (count (commandline -opc)) -eq 2; and contains -- help (commandline -opc)"
        return brief
            + topics.map { "\ncomplete -c 'jisui' -n '\(condition)' -fa '\($0.name)' -d '\($0.title)'" }.joined()
    }
}
