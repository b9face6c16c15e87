package import AdapterKit
internal import OrderedJSON
package import PageModel

/// The manifest of an external plug-in: all that jisui knows of it without running it. See docs/dev/plugin-protocol.md.
package struct PluginManifest: Hashable, Sendable {
    package enum Role: String, Hashable, Sendable, CaseIterable {
        case source
        case sink
        case transform
    }

    /// A permission that a plug-in needs; everything else is forbidden where the system can enforce it.
    package enum Need: String, Hashable, Sendable, CaseIterable {
        /// Reading files next to its input.
        case siblings
        /// Starting other programs.
        case exec
        /// Writing temporary files.
        case scratch
    }

    /// The version of the protocol that this program supports.
    package static let version = 1

    package let role: Role
    /// The descriptor for help, validation and `jisui formats`.
    package let descriptor: AdapterDescriptor
    /// The tests that recognize a source's inputs. In one of the lists, all tests must succeed.
    package let magic: [[MagicTest]]
    /// The form of a sink's output in the file system.
    package let form: OutputForm
    /// The image formats that reading apps show in a sink's output; nil for any.
    package let displays: Set<ImageEncoding>?
    /// The features of a sink's output, or the features that a transform adds if it does nothing else.
    package let features: Set<SinkCapabilities.Feature>
    /// The stage at which a transform runs.
    package let stage: Stage
    /// Whether a transform may change the pixels of pages.
    package let changesImages: Bool
    /// The maximum number of processes that work on one book; nil for any number.
    package let workerCount: Int?
    package let needs: Set<Need>

    /// The name "source-djvu", which follows "jisui-" in the name of the program.
    package var name: String { "\(role.rawValue)-\(descriptor.id)" }

    /// The maximum size of a manifest.
    static let maximumBytes = 65_536
    private static let maximumSettings = 32
    /// The stages that a transform can name. Before them, pages are not upright; after them, they are merged.
    package static let stages = Stage.arrange...Stage.join
    private static let features: Set<SinkCapabilities.Feature> = [.direction, .labels, .outline, .text]
    private static let forms: [String: OutputForm] = ["stream": .stream, "file": .file, "folder": .folder]

    /// - Throws: `.damaged`, with the missing or invalid part; `.unsupported` for other versions of the protocol.
    package init(parsing bytes: [UInt8]) throws(AdapterError) {
        guard bytes.count <= PluginManifest.maximumBytes, let json = JSON(parsing: bytes), json.members != nil else {
            throw PluginManifest.fault("is not a JSON object of at most \(PluginManifest.maximumBytes) bytes")
        }
        guard let versions = json["jisui"]?.elements else {
            throw PluginManifest.fault("lacks 'jisui', the list of its protocol versions")
        }
        guard versions.contains(where: { $0.asInteger == PluginManifest.version }) else {
            throw AdapterError(
                .unsupported, "does not support version \(PluginManifest.version) of the protocol",
                hint: "update the plug-in or jisui")
        }
        guard let role = json["role"]?.asString.flatMap(Role.init) else {
            throw PluginManifest.fault("has an invalid 'role'; valid: source, sink, transform")
        }
        guard let id = json["id"]?.asString, PluginManifest.isID(id) else {
            throw PluginManifest.fault(
                "has an id that is not 1 to 32 of a-z, 0-9 and -, or does not begin with a letter")
        }
        self.role = role
        let summary = try PluginManifest.line("summary", of: json)
        let extensions = try PluginManifest.words("extensions", of: json)
        guard extensions.allSatisfy({ $0 == $0.lowercased() && !$0.contains(".") && !$0.contains("/") }) else {
            throw PluginManifest.fault("has extensions that are not in lower case, or that contain dots or slashes")
        }
        let settings = try PluginManifest.settings(of: json, id: id)
        if role == .transform, !settings.contains(where: { $0.name == id }) {
            throw PluginManifest.fault("lacks the option '\(id)', which enables it")
        }
        descriptor = AdapterDescriptor(id: id, summary: summary, extensions: extensions, settings: settings)
        magic = try MagicTest.lists(json["magic"])
        guard let form = PluginManifest.forms[json["form"]?.asString ?? "stream"] else {
            throw PluginManifest.fault("has an invalid 'form'; valid: stream, file, folder")
        }
        self.form = form
        displays =
            json["displays"] == nil ? nil : Set(try PluginManifest.words("displays", of: json).map(ImageEncoding.init))
        features = Set(
            try PluginManifest.words("features", of: json).map { word throws(AdapterError) in
                guard let feature = SinkCapabilities.Feature(rawValue: word), PluginManifest.features.contains(feature)
                else { throw PluginManifest.fault("has an unknown feature '\(word)'") }
                return feature
            })
        stage = try PluginManifest.stage(of: json)
        let images = json["images"] ?? false
        guard let changesImages = images.asBoolean else {
            throw PluginManifest.fault("has an 'images' that is neither true nor false")
        }
        guard !changesImages || role == .transform && features.isEmpty else {
            throw PluginManifest.fault("has 'images', which only a transform without 'features' can have")
        }
        self.changesImages = changesImages
        workerCount = json["processes"]?.asInteger.map { max(1, $0) }
        needs = Set(
            try PluginManifest.words("needs", of: json).map { word throws(AdapterError) in
                guard let need = Need(rawValue: word) else {
                    throw PluginManifest.fault("has an unknown need '\(word)'")
                }
                return need
            })
    }

    private static func stage(of json: JSON) throws(AdapterError) -> Stage {
        guard let value = json["stage"] else { return .arrange }
        guard let stage = value.asString.flatMap(Stage.init(name:)), stages.contains(stage) else {
            let names = Stage.allCases.filter(stages.contains).map(\.name).commaSeparated
            throw fault("has an invalid 'stage'; valid: \(names)")
        }
        return stage
    }

    /// Rejects an option of the plug-in with the name of one of jisui's own options.
    func checkOptions(against own: Set<String>) throws(AdapterError) {
        if let option = descriptor.settings.map(\.name).first(where: own.contains) {
            throw PluginManifest.fault("has an option '\(option)', which jisui itself has")
        }
    }

    static func fault(_ message: Message) -> AdapterError {
        AdapterError(.damaged, "the manifest \(message)")
    }

    private static func isID(_ text: String) -> Bool {
        text.wholeMatch(of: /[a-z][a-z0-9-]{0,31}/) != nil
    }

    /// Returns a text for people: one line without terminal control characters.
    static func line(_ key: String, of json: JSON) throws(AdapterError) -> String {
        guard let text = json[key]?.asString, isLine(text) else {
            throw fault("lacks '\(key)', or it is more than one line of plain text")
        }
        return text
    }

    static func isLine(_ text: String) -> Bool {
        (1...240).contains(text.unicodeScalars.count)
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
                default: true
                }
            }
    }

    /// Returns a list of words; empty if it is missing.
    static func words(_ key: String, of json: JSON) throws(AdapterError) -> [String] {
        guard let value = json[key] else { return [] }
        let words = value.elements?.compactMap(\.asString) ?? []
        guard words.count == value.elements?.count, words.count <= 64,
            words.allSatisfy({ isLine($0) && $0.count <= 40 && !$0.hasPrefix("-") && !$0.contains(" ") })
        else { throw fault("has a '\(key)' that is not a list of words") }
        return words
    }

    // MARK: Options

    private static func settings(of json: JSON, id: String) throws(AdapterError) -> [Setting] {
        guard let list = json["settings"] else { return [] }
        guard let elements = list.elements, elements.count <= maximumSettings else {
            throw fault("has 'settings' that are not a list of at most \(maximumSettings)")
        }
        var settings: [Setting] = []
        for element in elements {
            var setting = try setting(element, id: id)
            if setting.name == id, json["role"]?.asString == Role.transform.rawValue {
                setting.effect = EffectRule(
                    unless: try words("features", of: json).contains(SinkCapabilities.Feature.text.rawValue)
                        ? "no text was found on the pages" : "it changed no page")
            }
            guard !settings.contains(where: { $0.name == setting.name }) else {
                throw fault("has two options '\(setting.name)'")
            }
            settings.append(setting)
        }
        return settings
    }

    private static func setting(_ json: JSON, id: String) throws(AdapterError) -> Setting {
        let name = try line("name", of: json)
        guard name == id || name.hasPrefix("\(id)-") && name.wholeMatch(of: /[a-z0-9-]{1,64}/) != nil else {
            throw fault("has an option '\(name)', which is neither '\(id)' nor begins with '\(id)-'")
        }
        let kind: Setting.Kind
        switch json["kind"]?.asString {
        case "flag": kind = .flag
        case "text": kind = .text
        case "integer":
            let (minimum, maximum) = (json["minimum"]?.asInteger ?? 0, json["maximum"]?.asInteger ?? Int.max)
            guard minimum <= maximum else { throw fault("has an option '\(name)' with a minimum above its maximum") }
            kind = .integer(minimum...maximum)
        case "choice":
            let words = try words("choices", of: json)
            guard !words.isEmpty else { throw fault("has an option '\(name)' without choices") }
            kind = .choice(words)
        default: throw fault("has an option '\(name)' of an unknown kind; valid: flag, integer, choice, text")
        }
        var setting = Setting(
            name, kind, default: kind == .flag ? nil : json["default"]?.asString,
            valueName: json["valueName"] == nil ? "value" : try line("valueName", of: json),
            help: try line("help", of: json))
        if let value = setting.defaultValue, !isLine(value) || setting.objection(to: value) != nil {
            throw fault("has an option '\(name)' with an invalid default")
        }
        let secret = json["secret"] ?? false
        guard let isSecret = secret.asBoolean, !isSecret || kind == .text && setting.defaultValue == nil else {
            throw fault("has an option '\(name)' with 'secret', which only a text without a default can have")
        }
        setting.isSecret = isSecret
        return setting
    }
}

/// A test of a file's first bytes.
package struct MagicTest: Hashable, Sendable {
    /// The expected bytes.
    let bytes: [UInt8]
    /// The range of offsets at which they may begin.
    let places: Range<Int>

    func holds(_ head: [UInt8]) -> Bool {
        for place in places {
            guard place <= head.count - bytes.count else { return false }
            if head[place...].starts(with: bytes) { return true }
        }
        return false
    }

    fileprivate static func lists(_ json: JSON?) throws(AdapterError) -> [[MagicTest]] {
        guard let json else { return [] }
        guard let lists = json.elements, lists.count <= 16 else {
            throw PluginManifest.fault("has a 'magic' that is not a list of at most 16")
        }
        return try lists.map { list throws(AdapterError) in
            let tests = list.elements ?? [list]
            guard (1...16).contains(tests.count) else {
                throw PluginManifest.fault("has a list of 'magic' without tests")
            }
            return try tests.map { test throws(AdapterError) in try MagicTest(test) }
        }
    }

    private init(_ json: JSON) throws(AdapterError) {
        if let text = json["text"]?.asString {
            bytes = Array(text.utf8)
        } else {
            let digits = Array((json["hex"]?.asString ?? "").utf8)
            bytes = stride(from: 0, to: digits.count - digits.count % 2, by: 2).compactMap { place in
                UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
            }
            guard bytes.count * 2 == digits.count else {
                throw PluginManifest.fault("has a 'magic' with an invalid 'hex'")
            }
        }
        let head = 0...Probe.headCount
        if let place = json["at"]?.asInteger, head.contains(place) {
            places = place..<place + 1
        } else if let maximum = json["within"]?.asInteger, head.contains(maximum) {
            places = 0..<max(0, maximum - bytes.count + 1)
        } else {
            throw PluginManifest.fault("has a 'magic' test with neither 'at' nor 'within' from 0 to \(Probe.headCount)")
        }
        guard (1...256).contains(bytes.count) else {
            throw PluginManifest.fault("has a 'magic' test with no bytes, or too many")
        }
    }
}
