public import AdapterKit
internal import CArchive
internal import Files
public import PageModel
internal import ZipFile

/// The source for comics and scans in archives: zip, RAR, 7z and tar, with any extension.
///
/// A zip is read at random, as its pages are requested. The other formats can only be read in sequence, and often only from the
/// beginning. Their pages are unpacked once into an unnamed temporary file.
public struct ArchiveSource: SourceAdapter {
    public init() {}

    /// The version of libarchive, without its name.
    public static var libraryVersion: String {
        archive_version_string().flatMap { String(cString: $0).split(separator: " ").last.map(String.init) } ?? ""
    }

    static let encodingSetting = "filename-encoding"

    public let descriptor = AdapterDescriptor(
        id: "archive", summary: "comics and scans in zip, RAR, 7z and tar archives",
        extensions: [
            "cbz", "zip", "cbr", "rar", "cb7", "7z", "cbt", "tar", "tgz", "tbz", "tbz2", "txz", "tzst",
        ],
        settings: [
            Setting(
                ArchiveSource.encodingSetting,
                .choice([EntryNameDecoder.automatic] + NameEncoding.all.map(\.word)),
                default: EntryNameDecoder.automatic, valueName: "encoding",
                topic: "archive", help: "Set the encoding of file names in archives",
                effect: EffectRule(unless: "all names read the same without it"))
        ])

    public func recognize(_ probe: Probe) -> Recognition {
        let kind: ArchiveKind
        do {
            guard let found = try ArchiveKind(probe) else { return .no }
            kind = found
            // Opening a part states the one to give.
            if kind == .piece { return .maybe(1) }
        } catch {
            // Opening it reports the defect, unless another source recognizes the file better.
            return .maybe(1)
        }
        switch kind {
        case .rar, .sevenZip, .tar, .compressedTar: return .certain
        // Programs and zips after other data may be more relevant to another source.
        case .selfExtracting: return .maybe(50)
        case .zip, .zipBehindJunk, .piece: break
        }
        // A zip without its central directory is still handled here: opening it shows the remaining entries.
        guard let zip = try? ZipReader(ZipArchive.volumes(of: probe.path).joined(), limits: Limits()) else {
            return kind == .zip ? .plausible : .no
        }
        if let foreign = ForeignZip.name(of: zip) { return .declined(foreign) }
        guard zip.entries.contains(where: { EntryRole($0.name) == .picture }) else { return .plausible }
        return kind == .zip ? .certain : .maybe(60)
    }

    public func openingPart(of path: String) -> String? { VolumeSet.openingPart(of: path) }

    public func otherParts(of path: String) -> [String] { VolumeSet.otherParts(of: path) }

    public func open(_ input: Input, settings: Settings, limits: Limits) async throws(AdapterError) -> OpenedBook {
        do {
            let contents = try contents(of: input, limits: limits)
            return try ArchiveBook(contents, encoding: settings[ArchiveSource.encodingSetting], limits: limits).opened
        } catch {
            throw error.about(input)
        }
    }

    private func contents(of input: Input, limits: Limits) throws(AdapterError) -> ArchiveContents {
        let kind = try ArchiveKind(Probe(path: input.path))
        switch kind {
        case nil:
            throw AdapterError(.unsupported, "unrecognized archive format")
        case .piece:
            if let last = VolumeSet.lastPart(of: input.path) { throw .earlierPart(FileName.last(of: last)) }
            let first = VolumeSet.firstPiece(of: input.path) ?? input.path
            throw FileStatus.isMissing(first)
                ? .missingPart(FileName.last(of: first)) : .laterPart(FileName.last(of: first))
        case .zip, .zipBehindJunk:
            let volumes = ZipArchive.volumes(of: input.path)
            do {
                return try ZipArchive.contents(of: volumes, password: input.password, limits: limits)
            } catch {
                guard error.code == .damaged else { throw error }
                return try ZipArchive.remains(
                    of: volumes.untilGap, because: volumes.missingPart ?? error, hint: volumes.missingPart?.hint,
                    password: input.password, limits: limits)
            }
        case .rar, .sevenZip, .selfExtracting:
            return try SequentialArchive.contents(
                of: VolumeSet(startingAt: input.path, beginsArchive: kind == .sevenZip), password: input.password,
                limits: limits)
        case .tar, .compressedTar:
            let volumes = VolumeSet(piecesOf: input.path, unless: ArchiveKind.isWholeTar)
            var contents = try SequentialArchive.contents(
                of: volumes.untilGap, password: input.password, limits: limits)
            let damage =
                try contents.warnings.isEmpty ? TarDamage.undetectedDamage(in: volumes.untilGap, limits: limits) : nil
            if let damage { contents.warnings.append(.damagedArchive(damage)) }
            if !contents.warnings.isEmpty, let missing = volumes.missingPart {
                contents.warnings = [.damagedArchive("\(missing.message): pages may be missing", missing.hint)]
            }
            return contents
        }
    }
}
