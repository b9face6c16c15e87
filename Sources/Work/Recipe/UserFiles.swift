public import AdapterKit
internal import CProfiles
internal import Conversion
public import Files
internal import OrderedJSON
public import PageModel

/// The folder with the user's own defaults, presets and devices.
public struct UserFiles: Sendable {
    /// The folder, which may not exist; nil for a user without a home folder.
    private let folder: String?

    public init(folder: String?) {
        self.folder = folder
    }

    /// The folder of this user, by the XDG Base Directory Specification.
    public static var standard: UserFiles {
        let base = Environment.path("XDG_CONFIG_HOME") ?? ""
        if base.hasPrefix("/") { return UserFiles(folder: "\(base)/jisui") }
        let home = Environment.path("HOME") ?? ""
        return UserFiles(folder: home.hasPrefix("/") ? "\(home)/.config/jisui" : nil)
    }

    /// The name of the file with defaults for the books in its folder.
    public static let nameInFolder = ".jisui.json"

    /// The file of defaults; nil without one.
    public var configuration: String? { existing("config.json") }

    /// The files of devices, in the order of their names.
    var devices: [String] { files(in: "devices") }

    /// The paths that a process needs to read the devices.
    public var reachable: [String] { [folder].compactMap { $0 } }

    private func existing(_ name: String) -> String? {
        folder.map { "\($0)/\(name)" }.flatMap { FileStatus(of: $0) == nil ? nil : $0 }
    }

    private func files(in name: String) -> [String] {
        guard let path = folder.map({ "\($0)/\(name)" }), let names = try? FolderListing.names(in: path) else {
            return []
        }
        return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted().map { "\(path)/\($0)" }
    }
}

/// A recipe with a name.
public struct Preset: Sendable {
    public let name: String
    /// One line about a preset of jisui; nil for one of the user.
    public let summary: String?
    /// The file of a preset of the user; nil for one of jisui.
    public let file: String?
    private let contents: [UInt8]

    /// The name in messages.
    public var place: String { file ?? "preset \(name)" }

    /// Reads and checks its settings.
    ///
    /// - Throws: `.usage` with the line of a fault.
    public func recipe(
        _ settings: [Setting], except isUnchecked: (String) -> Bool = { _ in false },
        hint: (String) -> Message? = { _ in nil }
    ) throws(AdapterError) -> Recipe {
        if let file { return try Recipe.checked(file: file, settings, except: isUnchecked, hint: hint) }
        return try Recipe.checked(contents, file: place, settings, except: isUnchecked, hint: hint)
    }

    /// The presets of jisui.
    public static let shipped: [Preset] = (JSON(parsing: presets_json().bytes)?.members ?? []).map { name, value in
        Preset(
            name: name, summary: value["summary"]?.asString, file: nil,
            contents: Array((value["settings"] ?? .null).text.utf8))
    }

    fileprivate init(name: String, file: String) {
        self.init(name: name, summary: nil, file: file, contents: [])
    }

    private init(name: String, summary: String?, file: String?, contents: [UInt8]) {
        (self.name, self.summary, self.file, self.contents) = (name, summary, file, contents)
    }
}

/// The presets of the user.
extension UserFiles {
    /// All presets: those of jisui, then those of the user.
    public var presets: [Preset] {
        Preset.shipped
            + files(in: "presets").map { Preset(name: String(FileName.last(of: $0).dropLast(".json".count)), file: $0) }
    }

    /// Returns the preset with a name.
    ///
    /// - Throws: `.usage`.
    public func preset(named name: String) throws(AdapterError) -> Preset {
        let presets = presets
        // A file with the name of a preset of jisui was written by hand.
        if let found = presets.last(where: { $0.name == name }) { return found }
        let nearest = Spelling.nearest(to: name, among: presets.map(\.name)).map { "did you mean '\($0)'?" as Message }
        throw AdapterError(
            .usage, "unknown preset '\(name)'",
            hint: nearest ?? "use \(presets.map(\.name).listed(.or)), or save your own with --save-preset")
    }

    /// Saves a recipe.
    ///
    /// - Parameter mayReplace: whether it may replace a preset of the user.
    /// - Returns: the path of the new file.
    /// - Throws: `.usage` for an invalid name; `.exists`; `.unwritable`.
    public func save(
        _ recipe: Recipe, asPreset name: String, mayReplace: Bool = false, _ temporaryFiles: TemporaryFiles
    ) throws(AdapterError) -> String {
        guard let folder else { throw AdapterError(.usage, "HOME is not set", hint: "set HOME") }
        let isPlain = { (character: Character) in
            character.isLetter || character.isNumber || "-_.".contains(character)
        }
        guard !name.isEmpty, !name.hasPrefix("."), name.allSatisfy(isPlain) else {
            throw AdapterError(.usage, "a preset's name has letters, digits, '-', '_' and '.', not '\(name)'")
        }
        if Preset.shipped.contains(where: { $0.name == name }) {
            throw AdapterError(.usage, "'\(name)' is a preset of jisui", hint: "choose another name")
        }
        var path = ""
        for part in FileName.components(of: "\(folder)/presets") {
            path += "/\(part)"
            if !FileStatus.isFolder(path) { try Folder.make(path) }
        }
        path += "/\(name).json"
        guard mayReplace || FileStatus(of: path) == nil else {
            throw AdapterError(.exists, "this preset exists already", hint: "use --force to replace it", file: path)
        }
        let file = try OutputFile(
            at: Destination(path: path, mayReplace: mayReplace, temporaryFiles: temporaryFiles))
        try file.write(Array(recipe.lines.utf8))
        try file.publish()
        return path
    }

    /// Removes a preset of the user.
    ///
    /// - Throws: `.usage` without one; `.unwritable`.
    public func removePreset(_ name: String) throws(AdapterError) {
        guard let path = try preset(named: name).file else {
            throw AdapterError(.usage, "'\(name)' is a preset of jisui, which cannot be removed")
        }
        try Folder.removeFile(path)
    }
}

extension Recipe {
    /// The recipe as a file that a person may edit: a line for each setting.
    public var lines: String {
        let lines = (json.members ?? []).map { name, value in "  \(JSON.string(name).text): \(value.text)" }
        return lines.isEmpty ? "{}\n" : "{\n\(lines.joined(separator: ",\n"))\n}\n"
    }
}
