public import AdapterKit
internal import PageModel
internal import ZipFile

/// Reads comics and scans from archives: zip, RAR, 7z and tar, by whatever name they go.
///
/// A zip is read at random, as its pages are asked for. The other formats can only be read in sequence, and
/// often only from the beginning: their pages are unpacked once into a temporary file that has no name.
public struct ArchiveSource: SourceAdapter {
    public init() {}

    static let encodingSetting = "filename-encoding"

    public let card = AdapterCard(
        id: "archive", summary: "comics and scans in a zip, RAR, 7z or tar archive",
        extensions: [
            "cbz", "zip", "cbr", "rar", "cb7", "7z", "cbt", "tar", "tgz", "tbz", "tbz2", "txz", "tzst",
        ],
        settings: [
            Setting(
                ArchiveSource.encodingSetting,
                .choice([EntryNameDecoder.automatic] + NameEncoding.all.map(\.word)),
                default: EntryNameDecoder.automatic, valueName: "encoding",
                help: "The encoding of file names in archives that do not state it",
                effect: EffectRule(unless: "all names read the same without it"))
        ])

    public func recognise(_ probe: Probe) -> Recognition {
        let kind: ArchiveKind
        do {
            guard let found = try ArchiveKind(probe) else { return .no }
            kind = found
        } catch {
            // Opening it says what is wrong, unless somebody knows the file better.
            return .maybe(1)
        }
        switch kind {
        case .rar, .sevenZip, .tar, .compressedTar: return .certain
        // Programs and zips behind something else may be of more interest to someone else.
        case .selfExtracting: return .maybe(50)
        case .zip, .zipBehindJunk: break
        }
        // A zip whose table of contents is missing is still mine: opening it tells what is left.
        guard let file = try? ReadableFile(path: probe.path),
            let zip = try? ZipReader(file, limits: Limits())
        else { return kind == .zip ? .plausible : .no }
        if let foreign = ForeignZip.name(of: zip) { return .declined(foreign) }
        guard zip.entries.contains(where: { EntryRole($0.name) == .picture }) else { return .plausible }
        return kind == .zip ? .certain : .maybe(60)
    }

    public func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook {
        do {
            let contents = try contents(of: input, limits: limits)
            return try ArchiveBook(contents, encoding: settings[ArchiveSource.encodingSetting], limits: limits).opened
        } catch {
            throw error.about(input)
        }
    }

    private func contents(of input: Input, limits: Limits) throws(AdapterError) -> ArchiveContents {
        switch try ArchiveKind(Probe(path: input.path)) {
        case nil:
            throw AdapterError(.unsupported, "is no archive jisui knows")
        case .zip, .zipBehindJunk:
            do {
                return try ZipArchive.contents(
                    of: ReadableFile(path: input.path), password: input.password, limits: limits)
            } catch {
                guard error.code == .damaged else { throw error }
                return try ZipArchive.remains(of: input.path, because: error, password: input.password, limits: limits)
            }
        case .rar, .sevenZip, .selfExtracting:
            return try SequentialArchive.contents(
                of: VolumeSet(startingAt: input.path), password: input.password, limits: limits)
        case .tar, .compressedTar:
            var contents = try SequentialArchive.contents(
                of: VolumeSet(single: input.path), password: input.password, limits: limits)
            if contents.warnings.isEmpty, let damage = try TarDamage.unseen(in: input.path, limits: limits) {
                contents.warnings.append(.damagedArchive(damage))
            }
            return contents
        }
    }
}
