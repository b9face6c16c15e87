internal import AdapterKit
internal import ArgumentParser
internal import Conversion

struct Formats: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the formats that jisui reads and writes, with their options.")

    @Flag(help: "Print JSON.")
    var json = false

    func run() {
        let (sources, sinks) = (Registry.jisui.sources.map(\.card), Registry.jisui.sinks.map(\.card))
        let transforms = Registry.jisui.transformCards
        if json {
            let list: JSON = [
                "jisui": .string(Jisui.version), "formats": 1, "sources": JSON(sources.map(Formats.json)),
                "transforms": JSON(transforms.map(Formats.json)), "sinks": JSON(sinks.map(Formats.json)),
            ]
            print(list.text)
        } else {
            let changes = transforms.isEmpty ? "" : "\n\nChanges between them:\n\(Formats.text(transforms))"
            print("Reads (--from):\n\(Formats.text(sources))\n\nWrites (--to):\n\(Formats.text(sinks))\(changes)")
        }
    }

    private static func text(_ cards: [AdapterCard]) -> String {
        cards.flatMap { card in
            let extensions = card.extensions.isEmpty ? "" : " (\(card.extensions.joined(separator: ", ")))"
            return ["  \(card.id)\(extensions)", "      \(card.summary)"]
                + card.settings.map { setting in
                    let value =
                        setting.kind == .flag
                        ? "" : setting.impliedValue == nil ? " <\(setting.valueName)>" : " [<\(setting.valueName)>]"
                    return "      --\(setting.name)\(value)  \(setting.fullHelp)"
                }
        }.joined(separator: "\n")
    }

    private static func json(_ card: AdapterCard) -> JSON {
        [
            "id": .string(card.id), "summary": .string(card.summary),
            "extensions": JSON(card.extensions.map(JSON.string)), "settings": JSON(card.settings.map(json)),
        ]
    }

    private static func json(_ setting: Setting) -> JSON {
        var members: [(key: String, value: JSON)] = [("name", .string(setting.name))]
        switch setting.kind {
        case .flag: members.append(("kind", "flag"))
        case .color: members.append(("kind", "color"))
        case .text: members.append(("kind", "text"))
        case .file, .newFile, .keptFile: members.append(("kind", "file"))
        case .integer(let range):
            members += [
                ("kind", "integer"), ("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound)),
            ]
        case .choice(let words):
            members += [
                ("kind", "choice"), ("choices", JSON(words.map(JSON.string))),
                ("implied", JSON(setting.impliedValue)),
            ]
        case .choices(let words):
            members += [("kind", "choices"), ("choices", JSON(words.map(JSON.string)))]
        }
        members += [
            ("default", JSON(setting.defaultValue)), ("help", .string(setting.help)),
            ("details", JSON(setting.details)),
        ]
        return .object(members)
    }
}
