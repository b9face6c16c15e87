internal import AdapterKit
internal import Conversion
internal import OrderedJSON
internal import PageModel

struct Formats: Command {
    static let entry = CommandEntry(
        name: "formats", summary: "List the formats that jisui reads and writes, with their options",
        own: { [.json] }
    ) { Formats(json: $0.has(.json)) }

    let json: Bool

    func run() {
        let (sources, sinks) = (Registry.jisui.sources.map(\.descriptor), Registry.jisui.sinks.map(\.descriptor))
        let transforms = Registry.jisui.transforms.map(\.descriptor)
        if json {
            let list: JSON = [
                "jisui": .string(Jisui.version), "formats": 1, "sources": JSON(sources.map(Formats.json)),
                "transforms": JSON(transforms.map(Formats.json)), "sinks": JSON(sinks.map(Formats.json)),
            ]
            print(list.text)
        } else {
            let changes: Message =
                transforms.isEmpty ? "" : "\n\nChanges between them:\n\(Formats.text(transforms))"
            let list: Message =
                "Reads (--from):\n\(Formats.text(sources))\n\nWrites (--to):\n\(Formats.text(sinks))\(changes)"
            print(list.localized)
        }
    }

    private static func text(_ descriptors: [AdapterDescriptor]) -> String {
        descriptors.flatMap { descriptor in
            let extensions = descriptor.extensions.isEmpty ? "" : " (\(descriptor.extensions.joined(separator: ", ")))"
            return ["  \(descriptor.id)\(extensions)", "      \(Language.translated(descriptor.summary))"]
                + descriptor.settings.map { setting in
                    let value =
                        setting.kind == .flag
                        ? "" : setting.impliedValue == nil ? " <\(setting.valueName)>" : " [<\(setting.valueName)>]"
                    return "      --\(setting.name)\(value)  \(setting.fullHelp.localized)"
                }
        }.joined(separator: "\n")
    }

    private static func json(_ descriptor: AdapterDescriptor) -> JSON {
        [
            "id": .string(descriptor.id), "summary": .string(descriptor.summary),
            "extensions": JSON(descriptor.extensions.map(JSON.string)), "settings": JSON(descriptor.settings.map(json)),
        ]
    }

    private static func json(_ setting: Setting) -> JSON {
        var members: [(key: String, value: JSON)] = [("name", .string(setting.name))]
        switch setting.kind {
        case .flag: members.append(("kind", "flag"))
        case .color: members.append(("kind", "color"))
        case .text, .form: members.append(("kind", "text"))
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
