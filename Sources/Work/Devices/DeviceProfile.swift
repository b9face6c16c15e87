internal import AdapterKit
package import Conversion
package import OrderedJSON
package import PageModel

/// The facts about a device that shows books, each with its source. Unknown facts are absent.
package struct DeviceProfile: Sendable {
    /// A format that the device opens.
    package struct Format: Sendable {
        /// The id of the sink that writes it. jisui may have no such sink.
        package let id: String
        /// The options that the device needs with it.
        package let options: [String: String]
        /// The firmware that opens it; nil for any.
        package let firmware: String?
        /// The service that takes it; nil if it is copied to the device.
        package let service: String?
        /// The maximum size of a file, in bytes.
        package let maximumBytes: Int?
    }

    /// The usual name: "Kobo Sage".
    package let name: String
    /// Other names of devices with the same facts.
    package let aliases: [String]
    /// The facts by key, in the order of `DeviceFacts.keys`.
    package let facts: [(key: String, value: JSON)]
    /// The sources of the facts, by key.
    package let sources: [String: [String]]

    /// The name as it is typed: "kobo-sage".
    package let id: String

    /// The first word of the name: "Kobo".
    var brand: String { String(name.prefix { $0 != " " }) }

    subscript(key: String) -> JSON? { facts.first { $0.key == key }?.value }

    /// The pixels that a page can fill: the usable ones, or else those of the panel.
    package var screen: PixelSize? { (self["usable"] ?? self["panel"])?.asString.flatMap(PixelSize.init(typed:)) }

    /// The year of the model, if a name states it: "Kindle Paperwhite 2024".
    var year: Int? {
        ([name] + aliases).compactMap { $0.firstMatch(of: /\b20[0-9][0-9]$/).flatMap { Int($0.output) } }.max()
    }

    /// The number of gray levels.
    package var levels: Int? { self["levels"]?.asInteger }

    /// Whether the screen shows only grays.
    package var isGray: Bool { self["color"]?.asString == "none" }

    /// Whether a filter of color cells lies over the screen.
    package var hasColorFilter: Bool {
        self["color"]?.asString.map { $0.hasPrefix("kaleido") || $0 == "triton" } ?? false
    }

    /// Whether the device dithers pages itself; nil if unknown.
    package var dithers: Bool? { self["dithers"]?.asBoolean }

    /// The formats that it opens, the best first.
    package var formats: [Format] {
        (self["formats"]?.elements ?? []).compactMap { entry in
            guard let id = entry["format"]?.asString else { return nil }
            let options = (entry["options"]?.members ?? []).compactMap { key, value in value.asString.map { (key, $0) }
            }
            return Format(
                id: id, options: Dictionary(options) { first, _ in first }, firmware: entry["firmware"]?.asString,
                service: entry["via"]?.asString,
                maximumBytes: entry["fileMB"]?.asInteger.map {
                    $0.multipliedReportingOverflow(by: 1_000_000).partialValue
                })
        }
    }

    /// Makes the profile of a screen: "1264x1680", or "1264x1680@16" with the number of its gray levels.
    ///
    /// Its user wants this number of levels, so that it counts as a device that does not dither.
    init?(screen text: String) {
        let parts = text.lowercased().split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count), PixelSize(typed: parts[0]) != nil else { return nil }
        var facts: [(String, JSON)] = [("panel", .string(parts[0]))]
        if parts.count == 2 {
            guard let levels = Int(parts[1]), DeviceProfile.ditheredLevels.contains(levels) else { return nil }
            facts += [("levels", .integer(levels)), ("color", "none"), ("dithers", false)]
        }
        self.init(name: text.lowercased(), aliases: [], facts: facts, sources: [:])
    }

    init(name: String, aliases: [String], facts: [(String, JSON)], sources: [String: [String]]) {
        self.name = name
        id = name.lowercased().map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "-" }.reduce(into: "") {
            id, character in
            if character != "-" || id.last != "-" { id.append(character) }
        }
        self.aliases = aliases
        self.facts = facts.map { (key: $0.0, value: $0.1) }
        self.sources = sources
    }

    /// The numbers of levels for which pages can be dithered.
    static let ditheredLevels = [2, 4, 8, 16]
}

extension DeviceProfile {
    /// Returns the first format that the device opens and these adapters write; nil for none.
    package func bestFormat(_ registry: Registry) -> Format? {
        formats.first { format in registry.sinks.contains { $0.descriptor.id == format.id } }
    }

    /// Returns the settings for the device.
    ///
    /// - Parameters:
    ///   - registry: the adapters.
    ///   - id: the format of the output; nil if the device decides it.
    package func recipe(_ registry: Registry, format id: String?) -> Recipe {
        let format = id == nil ? bestFormat(registry) : formats.first { $0.id == id }
        var values = format?.options.mapValues { [$0] } ?? [:]
        if id == nil, let format { values[Setting.to.name] = [format.id] }
        if let screen { values["fit"] = ["\(screen.width)x\(screen.height)"] }
        // Dithered pages would show false color.
        if hasColorFilter {
            values["color-filter"] = ["true"]
            return Recipe(values)
        }
        // A device that does not dither shows bands in pale tones; with a few levels, any does. A format may have fewer.
        if values["shades"] != nil { return Recipe(values) }
        if let levels, DeviceProfile.ditheredLevels.contains(levels), dithers == false || dithers == nil && levels < 16
        {
            values["shades"] = [String(levels)]
        } else if isGray {
            values["gray"] = ["true"]
        }
        return Recipe(values)
    }
}

extension PixelSize {
    /// Parses a typed size: "1264x1680".
    init?(typed text: String) {
        guard let box = FitBox(text, enlarges: false), let width = box.width, let height = box.height else {
            return nil
        }
        self.init(width: width, height: height)
    }
}
