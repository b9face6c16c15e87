public import AdapterKit
internal import Imaging
public import OrderedJSON

/// Everything that can be asked of a conversion except its inputs and its output: values of settings, by name.
///
/// The command makes a recipe of its options, and a recipe file contains one. A recipe contains only given settings:
/// a setting without a value has its default. A flag that is given has the value "true".
public struct Recipe: Hashable, Sendable {
    /// The values by the names of the settings. Only a repeatable setting may have several.
    public private(set) var values: [String: [String]] = [:]

    /// - Parameter values: the values by the names of the settings. A setting without values is left out.
    public init(_ values: [String: [String]] = [:]) {
        self.values = values.filter { !$0.value.isEmpty }
    }

    /// The value of a setting, the last of several; nil if it has none.
    public subscript(_ setting: Setting) -> String? {
        get { values[setting.name]?.last }
        set { values[setting.name] = newValue.map { [$0] } }
    }

    /// Whether a flag is given.
    public func has(_ flag: Setting) -> Bool { self[flag] == "true" }

    /// Returns the value of a setting that is a whole number; nil if it has none.
    public func integer(_ setting: Setting) -> Int? { self[setting].flatMap { Int($0) } }

    /// Returns all values of a repeatable setting, in their order.
    public func list(_ setting: Setting) -> [String] { values[setting.name] ?? [] }

    /// Returns this recipe with the values of another. The other's values replace those of the same setting.
    public func overridden(by other: Recipe) -> Recipe { Recipe(values.merging(other.values) { $1 }) }

    /// Returns this recipe without some settings.
    public func without(_ names: some Sequence<String>) -> Recipe {
        let names = Set(names)
        return Recipe(values.filter { !names.contains($0.key) })
    }

    /// Returns this recipe without the values of secret settings.
    public func withoutSecrets(_ settings: [Setting]) -> Recipe { without(settings.filter(\.isSecret).map(\.name)) }

    /// Returns this recipe with the usual spelling of each value, so that recipes of the same run are equal.
    public func canonical(_ settings: [Setting]) -> Recipe {
        var recipe = self
        for setting in settings { recipe.values[setting.name] = values[setting.name]?.map(setting.canonical) }
        return recipe
    }

    /// Returns the values of some settings by name, for the adapters that have these settings.
    public func settings(of known: [Setting]) -> [String: String] {
        let names = Set(known.map(\.name))
        return values.filter { names.contains($0.key) }.compactMapValues(\.last)
    }
}

extension Recipe {
    /// The recipe as an object with sorted names. A setting with several values has a list.
    public var json: JSON {
        .object(
            values.sorted { $0.key < $1.key }.map { name, values in
                (name, values.count == 1 ? .string(values[0]) : JSON(values.map(JSON.string)))
            })
    }

    /// The SHA-256 of the recipe, as 64 hexadecimal digits: of `json.compactText` in UTF-8.
    public var digest: String { SHA256.hexDigest(of: Array(json.compactText.utf8)) }
}

extension Recipe: Codable {
    /// The name of a setting as a key.
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Decodes the object that `json` describes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        var values: [String: [String]] = [:]
        for name in container.allKeys {
            let text = try? container.decode(String.self, forKey: name)
            values[name.stringValue] = try text.map { [$0] } ?? container.decode([String].self, forKey: name)
        }
        self.init(values)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, values) in values {
            if values.count == 1 {
                try container.encode(values[0], forKey: Name(stringValue: name))
            } else {
                try container.encode(values, forKey: Name(stringValue: name))
            }
        }
    }
}
