internal import AdapterKit
internal import ArgumentParser
internal import Conversion

/// Whose settings a command takes.
protocol AdapterScope {
    static var settings: [Setting] { get }
}

/// The sources' settings: for commands that only read.
enum ReadingScope: AdapterScope {
    static let settings = Registry.jisui.sourceSettings
}

/// Every adapter's settings.
enum ConvertingScope: AdapterScope {
    static let settings = Registry.jisui.settings
}

/// The options of adapters, made from their cards.
///
/// argument-parser finds a command's options by looking into an instance with a mirror. This type shows it one
/// option for each setting on a card, so that help, completions and parsing know of a new adapter's settings
/// without a line being written here.
struct AdapterOptions<Scope: AdapterScope>: ParsableArguments, CustomReflectable {
    /// The values that were given, by setting.
    private(set) var values: [String: String] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for setting in Scope.settings {
            if setting.kind == .flag {
                if try container.decode(Flag<Bool>.self, forKey: Key(setting)).wrappedValue {
                    values[setting.name] = "true"
                }
            } else {
                values[setting.name] = try container.decode(Option<String?>.self, forKey: Key(setting)).wrappedValue
            }
        }
    }

    func validate() throws {
        for setting in Scope.settings {
            if let objection = values[setting.name].flatMap(setting.objection) { throw ValidationError(objection) }
        }
    }

    /// The files that adapters are to write besides the output, by option.
    var newFiles: [(option: String, path: String)] {
        Scope.settings.filter { $0.kind == .newFile }.compactMap { setting in
            values[setting.name].map { (setting.name, $0) }
        }
    }

    var customMirror: Mirror {
        let options = Scope.settings.map { setting -> (label: String?, value: Any) in
            let help = ArgumentHelp(setting.fullHelp, valueName: setting.valueName)
            let name = NameSpecification.customLong(setting.name)
            if setting.kind == .flag { return (setting.name, Flag(wrappedValue: false, name: name, help: help)) }
            // A number may begin with a minus.
            let isSigned = if case .integer(let range) = setting.kind { range.lowerBound < 0 } else { false }
            return (
                setting.name,
                Option<String?>(
                    name: name, parsing: isSigned ? .unconditional : .next, help: help,
                    completion: Self.completion(setting))
            )
        }
        return Mirror(self, children: options)
    }

    private static func completion(_ setting: Setting) -> CompletionKind? {
        switch setting.kind {
        case .choice(let words): .list(words)
        case .newFile: .file()
        case .flag, .integer, .color, .text: nil
        }
    }

    /// The key under which argument-parser keeps an option's value: any setting's name.
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ setting: Setting) { stringValue = setting.name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
