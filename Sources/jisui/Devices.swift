internal import Audit
internal import Conversion
internal import Files
internal import Imaging
internal import OrderedJSON
internal import PageModel
internal import Work

/// The command that lists devices, or shows the facts about one.
struct Devices: Command {
    static let entry = CommandEntry(
        name: "devices", summary: "List the devices of --device, or show the facts about one",
        operands: [.device], own: { [.json, .testChart] }
    ) { try Devices($0) }

    private let name: String?
    private let json: Bool
    let chart: String?

    private init(_ given: GivenOptions) throws(UsageError) {
        (name, json, chart) = (given.operands.first, given.has(.json), given[.testChart])
        if chart != nil, name == nil {
            throw UsageError(
                "--test-chart needs a device: jisui devices kobo-libra-2 --test-chart chart.png", hint: nil)
        }
    }

    func run() throws {
        let catalog = try DeviceCatalog.all(Run.userFiles)
        let profiles =
            try name.map { name throws(AdapterError) in [try catalog.profile(named: name)] } ?? catalog.profiles
        if let chart { return try write(TestChart(profiles[0]), to: chart) }
        if json {
            let list: JSON = [
                "jisui": .string(Jisui.version), "devices": 1, "profiles": JSON(profiles.map(Devices.json)),
            ]
            return print(list.text)
        }
        if name != nil { return show(profiles[0]) }
        let width = profiles.map(\.id.count).max() ?? 0
        for profile in profiles {
            let size = profile.screen.map { "\($0.width)x\($0.height)" } ?? ""
            let gap = { (text: String, width: Int) in String(repeating: " ", count: max(1, width - text.count + 2)) }
            let formats = profile.formats.map(\.id).joined(separator: ", ")
            Messages.answer(
                Message(verbatim: "\(profile.id)\(gap(profile.id, width))\(size)\(gap(size, 9))\(formats)"))
        }
    }

    /// Prints the facts about a device, each with its source.
    private func show(_ profile: DeviceProfile) {
        let names = ([profile.name] + profile.aliases).joined(separator: ", ")
        Messages.answer("\(profile.id): \(Message(verbatim: names))")
        for (key, value) in profile.facts {
            let texts = key == "formats" ? profile.formats.map(Devices.text) : [value.asString ?? value.text]
            for text in texts { Messages.answer(Message(verbatim: "  \(key): \(text)")) }
            for source in profile.sources[key] ?? [] { Messages.answer(Message(verbatim: "      \(source)")) }
        }
        let recipe = profile.recipe(.jisui, format: nil)
        let options = recipe.values.sorted { $0.key < $1.key }.map(GivenOptions.option).joined(separator: " ")
        Messages.answer("--device \(profile.id) stands for \(Message(verbatim: options))")
    }

    private static func text(_ format: DeviceProfile.Format) -> String {
        let options = format.options.sorted { $0.key < $1.key }.map { GivenOptions.option($0.key, [$0.value]) }
        let facts = [
            format.firmware.map { "firmware \($0)" }, format.service,
            format.maximumBytes.map { "≤ \($0 / 1_000_000) MB" },
        ]
        return ([format.id] + options + facts.compactMap { $0 }).joined(separator: ", ")
    }

    private static func json(_ profile: DeviceProfile) -> JSON {
        let sources = profile.facts.map { key, _ in
            (key: key, value: JSON((profile.sources[key] ?? []).map(JSON.string)))
        }
        return [
            "id": .string(profile.id), "name": .string(profile.name),
            "aliases": JSON(profile.aliases.map(JSON.string)), "facts": .object(profile.facts),
            "sources": .object(sources), "settings": profile.recipe(.jisui, format: nil).json,
        ]
    }

    private func write(_ chart: TestChart?, to path: String) throws(AdapterError) {
        guard let chart else {
            throw AdapterError(.usage, "the size of this screen is unknown, so that it has no test chart")
        }
        let file = try OutputFile(at: Destination(path: path, temporaryFiles: Run.temporaryFiles))
        let png: [UInt8]
        do throws(PictureFault) {
            png = try PictureEncoder.encode(chart.raster, as: .png, .lossless)
        } catch {
            throw AdapterError(.unwritable, error.message, file: path)
        }
        try file.write(png)
        try file.publish()
    }
}

extension DeviceCatalog {
    /// The names of all devices, for completion.
    static var names: [String] { (try? DeviceCatalog.all(Run.userFiles))?.profiles.map(\.id) ?? [] }
}

/// The largest file that a device takes.
struct DeviceLimit: Sendable {
    let device: String
    let bytes: Int

    /// Returns a line about a book that is larger; nil for one that fits.
    func warning(_ report: Report) -> Message? {
        if report.isDryRun { return nil }
        let sizes =
            report.volumes.isEmpty
            ? [(report.output, report.outputBytes)] : report.volumes.map { ($0.output, $0.bytes) }
        guard case (let output, let size?)? = sizes.first(where: { $0.1.map { $0 > bytes } ?? false }) else {
            return nil
        }
        return
            "\(output): \(ByteCount(size).text) is more than \(device) takes (\(ByteCount(bytes).text)); use --split-volumes \(ByteSize(bytes: bytes).text)"
    }
}

extension GivenDevice {
    /// Returns the limit of a format; nil if none is known.
    func limit(_ format: String) -> DeviceLimit? {
        profile.formats.first { $0.id == format }?.maximumBytes.map { DeviceLimit(device: profile.name, bytes: $0) }
    }
}
