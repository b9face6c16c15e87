internal import AdapterKit
internal import ArgumentParser
internal import Conversion
internal import Files
internal import PageModel
internal import Work

/// The settings that a group of options accepts.
protocol SettingScope {
    static var settings: [Setting] { get }
}

extension SettingScope {
    /// Returns settings of a recipe in their order. `to` and `from` know the formats.
    fileprivate static func ofRecipe(_ settings: [Setting]) -> [Setting] {
        let names = settings.map(\.name)
        return Convert.settings.filter { names.contains($0.name) }
    }
}

/// The built-in settings for the output and the selected pages.
enum OutputScope: SettingScope {
    static let settings = ofRecipe([.to, .nameTemplate, .combine, .order, .pages, .direction, .verify, .strict])
}

/// The built-in setting for the format of the inputs, which commands that only read have too.
enum InputScope: SettingScope {
    static let settings = ofRecipe([.from])
}

/// The built-in settings for the encoding of images, and for their limits.
enum PictureScope: SettingScope {
    static let settings: [Setting] = [.imageFormat, .quality, .maxPixels, .maxMemory, .lossless]
}

/// The settings for metadata, which override the source.
enum BookScope: SettingScope {
    static let settings = Recipe.ofMetadata
}

/// The sources' settings, for commands that only read.
enum ReadingScope: SettingScope {
    static let settings = Registry.jisui.sourceSettings
}

/// The settings of the transforms that change every page's image.
enum ImageScope: SettingScope {
    static let settings = TransformScope.all.filter { $0.topic == "image" }
}

/// The settings of the other transforms between source and sink.
enum TransformScope: SettingScope {
    fileprivate static let all = Registry.jisui.settings.filter { setting in
        Registry.jisui.transforms.contains { $0.descriptor.settings.contains { $0.name == setting.name } }
    }

    static let settings = all.filter { $0.topic != "image" }
}

/// The settings of sources and sinks that no transform has.
enum FormatScope: SettingScope {
    static let settings = Registry.jisui.settings.filter { setting in
        !TransformScope.all.contains { $0.name == setting.name }
    }
}

/// Options that are made from settings, such as those of adapters.
///
/// argument-parser finds a command's options by reflection on an instance. This type's mirror contains one option for each
/// setting. Help, completions and parsing therefore support a new adapter's settings without any code here.
struct SettingOptions<Scope: SettingScope>: ParsableArguments, CustomReflectable {
    /// The values that were given.
    private(set) var recipe = Recipe()

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        var values: [String: [String]] = [:]
        for setting in Scope.settings {
            let key = Key(setting)
            if setting.kind == .flag {
                values[setting.name] = try container.decode(Flag<Bool>.self, forKey: key).wrappedValue ? ["true"] : []
            } else if setting.isRepeatable {
                values[setting.name] = try container.decode(Option<[String]>.self, forKey: key).wrappedValue
            } else {
                values[setting.name] = try container.decode(Option<String?>.self, forKey: key).wrappedValue.map { [$0] }
            }
        }
        recipe = Recipe(values)
    }

    var customMirror: Mirror {
        let options = Scope.settings.map { setting -> (label: String?, value: Any) in
            let help = ArgumentHelp(setting.fullHelp.english, valueName: setting.valueName)
            let name = NameSpecification.customLong(setting.name)
            if setting.kind == .flag { return (setting.name, Flag(wrappedValue: false, name: name, help: help)) }
            let completion = Self.completion(setting)
            if setting.isRepeatable {
                return (
                    setting.name,
                    Option<[String]>(
                        wrappedValue: [], name: name, parsing: .singleValue, help: help, completion: completion)
                )
            }
            return (
                setting.name,
                Option<String?>(
                    name: name, parsing: setting.mayBeginWithMinus ? .unconditional : .next, help: help,
                    completion: completion)
            )
        }
        return Mirror(self, children: options)
    }

    private static func completion(_ setting: Setting) -> CompletionKind? {
        switch setting.kind {
        case .choice(let words), .choices(let words): .list(words)
        case .form(let form): form.words.isEmpty ? nil : .list(form.words)
        case .file, .newFile, .keptFile: .file()
        case .flag, .integer, .color, .text: nil
        }
    }

    /// The key for an option's value in argument-parser: any setting's name.
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ setting: Setting) { stringValue = setting.name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// A preprocessor that adds the values of options that may be given without one, and separates letters from values.
///
/// argument-parser does not support such options.
struct ImpliedValues {
    /// The letters of options with a value.
    private static let letters = ["-o", "-j"]

    private let values: [String: (implied: String, words: [String])]

    init(_ settings: [Setting]) {
        var values: [String: (implied: String, words: [String])] = [:]
        for setting in settings {
            guard let implied = setting.impliedValue, case .choice(let words) = setting.kind else { continue }
            values["--\(setting.name)"] = (implied, words)
        }
        self.values = values
    }

    /// Returns the arguments with a value after every such option, and none joined to a letter.
    ///
    /// The next argument is the option's value if it is one of its words. It is an input if it contains a dot or a slash or
    /// exists. Any other argument counts as the value, so that a typing error is reported as one.
    ///
    /// - Parameter exists: whether a file or folder exists.
    func completing(
        _ arguments: some Sequence<String>, exists: (String) -> Bool = { FileStatus(of: $0) != nil }
    ) -> [String] {
        let arguments = Array(arguments)
        var result: [String] = []
        for (index, argument) in arguments.enumerated() {
            // Only inputs follow.
            if argument == "--" { return result + arguments[index...] }
            // "-j4" is "-j 4".
            if let letter = ImpliedValues.letters.first(where: argument.hasPrefix), argument.count > 2,
                !argument.hasPrefix("\(letter)=")
            {
                result += [letter, String(argument.dropFirst(2))]
                continue
            }
            result.append(argument)
            guard let (implied, words) = values[argument] else { continue }
            let next = index + 1 < arguments.count ? arguments[index + 1] : "-"
            let isInput = next.contains { $0 == "." || $0 == "/" } || exists(next)
            if next.hasPrefix("-") || !words.contains(next) && isInput { result.append(implied) }
        }
        return result
    }
}
