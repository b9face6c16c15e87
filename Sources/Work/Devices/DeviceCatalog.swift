internal import CProfiles
internal import Conversion
internal import Files
internal import OrderedJSON
package import PageModel

/// The devices that jisui knows, and those of the user.
package struct DeviceCatalog: Sendable {
    package private(set) var profiles: [DeviceProfile] = []
    /// The facts that several devices share, by the name of the family.
    private var families: [String: DeviceFacts] = [:]
    /// The sources by the words that stand for them.
    private var sources: [String: String] = [:]

    /// The largest file: a thousand devices have 200 kB.
    private static let maximumBytes = 4 << 20

    /// Returns the devices of jisui, and those in the folder of the user, which replace others of the same name.
    ///
    /// - Throws: `.usage` for a file of the user that cannot be understood; `.unreadable`.
    package static func all(_ files: UserFiles) throws(AdapterError) -> DeviceCatalog {
        var catalog = DeviceCatalog()
        try catalog.add(devices_json().bytes, file: "devices.json")
        for path in files.devices {
            let file = try ReadableFile(path: path)
            guard file.size <= maximumBytes else {
                throw AdapterError(.tooLarge, "is too large for a file of devices", file: path)
            }
            try catalog.add(try file.read(at: 0, upTo: maximumBytes), file: path)
        }
        return catalog
    }

    /// Adds the devices of a file.
    ///
    /// - Throws: `.usage`, with the line.
    mutating func add(_ bytes: [UInt8], file path: String) throws(AdapterError) {
        let place = JSONPlaces(of: bytes)
        guard let json = JSON(parsing: bytes), let members = json.members else {
            throw AdapterError(
                .usage, "not a file of devices: not JSON, or a name occurs twice", file: place.file(path))
        }
        for (key, value) in members {
            switch key {
            case "sources":
                for (word, text) in value.members ?? [] { sources[word] = text.asString }
            case "families":
                for (name, entry) in value.members ?? [] {
                    families[name] = try facts(entry, [key, name], place, path)
                }
            case "devices":
                for (number, entry) in (value.elements ?? []).enumerated() {
                    try addDevices(entry, [key, String(number)], place, path)
                }
            default:
                throw DeviceCatalog.unknown(key, among: ["sources", "families", "devices"], place.file(path, [key]))
            }
        }
    }

    private mutating func addDevices(
        _ entry: JSON, _ keys: [String], _ place: JSONPlaces, _ path: String
    ) throws(AdapterError) {
        let facts = try facts(entry, keys, place, path)
        let names = (entry["names"]?.elements ?? []).map { ($0.elements ?? [$0]).compactMap(\.asString) }
        guard !names.isEmpty, names.allSatisfy({ !$0.isEmpty && !$0.contains("") }) else {
            throw AdapterError(
                .usage, "a device has no 'names'", hint: #"add a list: "names": ["My Reader"]"#,
                file: place.file(path, keys))
        }
        for list in names {
            let profile = DeviceProfile(
                name: list[0], aliases: Array(list.dropFirst()),
                facts: DeviceFacts.keys.compactMap { key in facts.values[key.name].map { (key.name, $0) } },
                sources: facts.sources)
            profiles.removeAll { $0.id == profile.id }
            profiles.append(profile)
        }
    }

    /// Returns the facts of an entry, with those of the family that it is like.
    private func facts(
        _ entry: JSON, _ keys: [String], _ place: JSONPlaces, _ path: String
    ) throws(AdapterError) -> DeviceFacts {
        var facts = DeviceFacts()
        if let name = entry["like"]?.asString {
            guard let family = families[name] ?? find(name).first.map(DeviceFacts.init) else {
                throw AdapterError(
                    .usage, "no family or device is called '\(name)'",
                    hint: "use one of \(families.keys.sorted().listed(.or))", file: place.file(path, keys + ["like"]))
            }
            facts = family
        }
        for (key, value) in entry.members ?? [] where !["names", "like", "source"].contains(key) {
            let file = place.file(path, keys + [key])
            guard let kind = DeviceFacts.keys.first(where: { $0.name == key }) else {
                throw DeviceCatalog.unknown(
                    key, among: ["names", "like", "source"] + DeviceFacts.keys.map(\.name), file)
            }
            guard kind.isValid(value) else {
                throw AdapterError(.usage, "'\(key)' takes \(kind.takes)", file: file)
            }
            facts.values[key] = value
            facts.sources[key] = texts(entry["source"]?.asString)
        }
        for (key, words) in entry["source"]?.members ?? [] {
            for name in key == "*" ? entry.members?.map(\.key) ?? [] : [key]
            where entry["source"]?[name] == nil || key == name {
                facts.sources[name] = texts(words.asString)
            }
        }
        return facts
    }

    /// Returns the sources for words. A word that stands for none is a source itself.
    private func texts(_ words: String?) -> [String] {
        guard let words else { return [] }
        let known = words.split(separator: " ").map { sources[String($0)] }
        return known.contains { $0 == nil } ? [words] : known.compactMap { $0 }
    }

    private static func unknown(_ key: String, among known: [String], _ file: String) -> AdapterError {
        let nearest = Spelling.nearest(to: key, among: known).map { "did you mean '\($0)'?" as Message }
        return AdapterError(.usage, "unknown key '\(key)'", hint: nearest ?? "use \(known.listed(.or))", file: file)
    }
}

extension DeviceCatalog {
    /// Returns the device with a name, or that of a screen such as "1264x1680@16".
    ///
    /// - Throws: `.usage`, with similar names.
    package func profile(named name: String) throws(AdapterError) -> DeviceProfile {
        let found = find(name)
        if found.count == 1 { return found[0] }
        if found.isEmpty, let screen = DeviceProfile(screen: name) { return screen }
        let similar = found.isEmpty ? similar(to: name) : found
        if name.first?.isNumber == true, name.contains("x"), similar.isEmpty {
            throw AdapterError(
                .usage,
                "--device takes a screen like 1264x1680, or 1264x1680@16 with 2, 4, 8 or 16 gray levels, not '\(name)'")
        }
        throw AdapterError(
            .usage,
            similar.count > 1 && similar.allSatisfy { $0.begins(with: DeviceCatalog.key(name)) }
                ? "several devices are called '\(name)'" : "unknown device '\(name)'",
            hint: DeviceCatalog.hint(similar))
    }

    /// Returns the hint at similar devices: the newest first, with their years.
    private static func hint(_ similar: [DeviceProfile]) -> Message {
        let years = Set(similar.compactMap(\.year)).sorted(by: >)
        let sorted = years.flatMap { year in similar.filter { $0.year == year } } + similar.filter { $0.year == nil }
        let names = sorted.map { profile in profile.year.map { "\(profile.id) (\($0))" } ?? profile.id }
        if names.isEmpty { return "run 'jisui devices' to list the devices" }
        let list = names.prefix(maximumSuggestions).listed(.or)
        return names.count > maximumSuggestions
            ? "did you mean \(list)? 'jisui devices' lists all" : "did you mean \(list)?"
    }

    /// A longer list would not be read.
    private static let maximumSuggestions = 8

    /// Returns the devices with a name. The brand may be missing, or stand before another name: "Kindle PW5".
    private func find(_ name: String) -> [DeviceProfile] {
        let typed = DeviceCatalog.key(name)
        let exact = profiles.filter { ([$0.name] + $0.aliases).contains { DeviceCatalog.key($0) == typed } }
        if !exact.isEmpty || typed.allSatisfy(\.isNumber) { return exact }
        return profiles.filter { profile in
            let brand = profile.brand
            let models = ([profile.name] + profile.aliases).map { name in
                name.hasPrefix(brand) ? String(name.dropFirst(brand.count)) : name
            }
            return models.contains { [$0, brand + $0].map(DeviceCatalog.key).contains(typed) }
        }
    }

    /// Returns the devices whose names contain a text, or else the one whose name differs by a typing error.
    private func similar(to name: String) -> [DeviceProfile] {
        let typed = DeviceCatalog.key(name)
        let containing = profiles.filter { ([$0.name] + $0.aliases).contains { DeviceCatalog.key($0).contains(typed) } }
        if !typed.isEmpty, !containing.isEmpty { return containing }
        let nearest = Spelling.nearest(to: typed, among: profiles.map { DeviceCatalog.key($0.name) })
        return profiles.filter { DeviceCatalog.key($0.name) == nearest }
    }

    /// Returns a name without what people type differently: case, spaces, punctuation, British spelling.
    fileprivate static func key(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }.replacing("colour", with: "color")
    }
}

extension DeviceProfile {
    /// Whether its name begins with a text, with or without the brand.
    fileprivate func begins(with key: String) -> Bool {
        guard !key.isEmpty else { return false }
        let model = String(name.drop { $0 != " " })
        return [name, model].contains { DeviceCatalog.key($0).hasPrefix(key) }
    }
}
