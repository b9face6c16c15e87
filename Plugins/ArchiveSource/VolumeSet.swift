internal import AdapterKit
internal import Files
internal import PageModel

/// The files of an archive that may have been split into parts: `x.part1.rar`, `x.rar` with `x.r00`, `x.7z.001`.
struct VolumeSet: Sendable {
    /// The parts in order; for most archives the one file.
    let paths: [String]
    /// The name of the next part; nil for an archive whose name is not that of a part.
    let nextName: String?
    /// The paths among the parts that do not exist. Only pieces of a zip are used without them.
    private(set) var missing: Set<String> = []

    /// Creates an archive known to be complete.
    init(single path: String) {
        self.init(paths: [path])
    }

    /// Creates an archive from parts that were found elsewhere.
    init(paths: [String]) {
        self.paths = paths
        nextName = nil
    }

    /// Finds the parts in the same folder as the first.
    ///
    /// - Parameter beginsArchive: whether the file begins an archive of a format whose later pieces do not.
    /// - Throws: `.unsupported` for a later part, `.damaged` if a middle part is missing.
    init(startingAt path: String, beginsArchive: Bool = false) throws(AdapterError) {
        // "Saga.Part2.cbr" may be a separate comic.
        guard let scheme = Scheme(FileName.last(of: path)), !RARVolume.isWhole(path) else {
            self.init(single: path)
            return
        }
        guard scheme.number == scheme.firstNumber else {
            if scheme.isNumberOnly, beginsArchive {
                self.init(single: path)
                return
            }
            throw .laterPart(scheme.name(of: scheme.firstNumber))
        }
        let found = VolumeSet(scheme, path)
        if let gap = found.missing.map(FileName.last).min() { throw .missingPart(gap) }
        self = found
    }

    /// Finds the pieces of a file that was cut without regard to its contents: `x.zip.001`, `x.tar.gz.001`.
    ///
    /// A missing piece is in `missing`. "Saga.001" may be a whole archive next to others: then it is the only part.
    ///
    /// - Parameter isWhole: whether the file at a path is an archive of its own, although another follows by its name.
    init(piecesOf path: String, unless isWhole: (_ path: String, _ next: String) -> Bool) {
        guard let scheme = Scheme(FileName.last(of: path)), scheme.isNumberOnly, scheme.number <= 1 else {
            self.init(single: path)
            return
        }
        let found = VolumeSet(scheme, path)
        self = found.paths.count > 1 && isWhole(path, found.paths[1]) ? VolumeSet(single: path) : found
    }

    /// Finds the parts in the folder of the first, and those that are missing between them.
    private init(_ scheme: Scheme, _ path: String) {
        let folder = FileName.parent(of: path)
        let listed = (try? FolderListing.names(in: folder)) ?? []
        let names = Dictionary(listed.map { ($0.lowercased(), $0) }, uniquingKeysWith: min)
        var paths = [path]
        var gap: [String] = []
        var number = scheme.number + 1
        while gap.count <= VolumeSet.maximumGap {
            let name = scheme.name(of: number)
            if let name = names[name.lowercased()] {
                missing.formUnion(gap)
                paths += gap + ["\(folder)/\(name)"]
                gap = []
            } else {
                gap.append("\(folder)/\(name)")
            }
            number += 1
        }
        self.paths = paths
        nextName = gap.first.map(FileName.last)
    }

    /// Finds the parts before the last one of a split zip: `x.z01`, `x.z02`, … `x.zip`.
    ///
    /// - Parameter count: the number of parts before the last.
    init(before path: String, count: Int) {
        let (folder, name) = (FileName.parent(of: path), FileName.last(of: path))
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
        let listed = (try? FolderListing.names(in: folder)) ?? []
        let names = Dictionary(listed.map { ($0.lowercased(), $0) }, uniquingKeysWith: min)
        var paths: [String] = []
        for number in 1...max(1, count) {
            let part = "\(stem).z\(number < 10 ? "0" : "")\(number)"
            paths.append("\(folder)/\(names[part.lowercased()] ?? part)")
            if names[part.lowercased()] == nil { missing.insert(paths[number - 1]) }
        }
        self.paths = paths + [path]
        nextName = nil
    }

    /// Returns the path of the last part of a split zip, if a file is one of the others and that one exists.
    static func lastPart(of path: String) -> String? {
        guard isPartOfZip(path) else { return nil }
        let stem = path[...(path.lastIndex(of: ".") ?? path.startIndex)]
        return ["zip", "cbz", "ZIP", "CBZ"].map { stem + $0 }
            .first { ZipArchive.partsBefore($0) > 0 }
    }

    /// Whether a name ends as those of the parts of a split zip before the last: `.z01`, `.z001`.
    private static func isPartOfZip(_ name: String) -> Bool {
        let ending = FileName.extension(of: name)
        return (3...4).contains(ending.utf8.count) && ending.first == "z" && ending.dropFirst().allSatisfy(\.isDigit)
    }

    /// The maximum number of parts in sequence that may be missing.
    private static let maximumGap = 100

    /// Returns the path of the first piece, if a file is a later piece.
    ///
    /// - Returns: nil if the first piece does not exist, unless the name is that of an archive.
    static func firstPiece(of path: String) -> String? {
        guard let scheme = Scheme(FileName.last(of: path)), scheme.isNumberOnly, scheme.number > 0 else { return nil }
        let folder = FileName.parent(of: path)
        let others = [0, 1].filter { $0 < scheme.number }.map { "\(folder)/\(scheme.name(of: $0))" }
        if let found = others.first(where: { !FileStatus.isMissing($0) }) { return found }
        let isArchive = EntryRole.archiveExtensions.contains(FileName.extension(of: String(scheme.prefix.dropLast())))
        return scheme.number > 1 && isArchive ? others.last : nil
    }

    /// Returns the path of the part that opens the archive, if a file is another part of it.
    static func openingPart(of path: String) -> String? {
        let name = FileName.last(of: path)
        let scheme = Scheme(name)
        guard scheme.map({ $0.number > 0 }) ?? isPartOfZip(name),
            let probe = try? Probe(path: path)
        else { return nil }
        switch try? ArchiveKind(probe) {
        case .piece: return lastPart(of: path) ?? firstPiece(of: path)
        case .rar:
            guard let scheme, scheme.number > scheme.firstNumber, !RARVolume.isWhole(path) else { return nil }
            return "\(FileName.parent(of: path))/\(scheme.name(of: scheme.firstNumber))"
        default: return nil
        }
    }

    /// Returns the paths of the other parts of the archive that a file opens.
    static func otherParts(of path: String) -> [String] {
        let set: VolumeSet? =
            switch try? ArchiveKind(Probe(path: path)) {
            case .zip, .zipBehindJunk: ZipArchive.volumes(of: path)
            case .sevenZip: try? VolumeSet(startingAt: path, beginsArchive: true)
            case .rar, .selfExtracting: try? VolumeSet(startingAt: path)
            case .tar, .compressedTar: VolumeSet(piecesOf: path, unless: ArchiveKind.isWholeTar)
            case .piece, nil: nil
            }
        return set?.paths.filter { $0 != path && !(set?.missing.contains($0) ?? false) } ?? []
    }

    /// The parts before the first that is missing.
    var untilGap: VolumeSet { VolumeSet(paths: Array(paths.prefix { !missing.contains($0) })) }

    /// The error for the first missing part of an archive that breaks off; nil for one that is not a part.
    var missingPart: AdapterError? {
        (paths.first { missing.contains($0) }.map(FileName.last) ?? nextName).map { .missingPart($0) }
    }

    /// Returns the pieces as one file.
    ///
    /// - Throws: `.unreadable`.
    func joined() throws(AdapterError) -> any RandomAccess {
        if paths.count == 1 { return try ReadableFile(path: paths[0]) }
        return try JoinedFile(paths, missing: missing)
    }

    /// Returns the size of all parts together.
    ///
    /// - Throws: `.unreadable`.
    func byteCount() throws(AdapterError) -> Int {
        var total = 0
        for path in paths { total += try ReadableFile(path: path).size }
        return total
    }
}

extension VolumeSet {
    /// The naming scheme of the parts of one archive.
    private struct Scheme {
        /// The text before and after the number; RAR's old names have no number in the first part.
        let prefix: Substring
        let suffix: Substring
        let digits: Int
        let isOld: Bool
        let number: Int
        /// Whether a number is all that distinguishes the parts: their content is not that of archives.
        var isNumberOnly: Bool { !isOld && suffix.isEmpty }

        /// The extensions of the first part that has no number.
        private static let firstExtensions: Set = ["rar", "cbr", "exe"]

        /// - Returns: nil for a name that is not that of a part.
        init?(_ name: String) {
            // Every name in a shelf is asked. Most are not those of parts, and a regular expression is slow.
            guard
                name.last?.isDigit ?? false || Scheme.firstExtensions.contains(FileName.extension(of: name))
                    || name.lowercased().contains(".part")
            else { return nil }
            if let match = name.wholeMatch(of: /(?i)(.*\.part)([0-9]{1,5})(\.[a-z0-9]+)/), let number = Int(match.2) {
                (prefix, digits, suffix, isOld) = (match.1, match.2.count, match.3, false)
                self.number = number
            } else if let match = name.wholeMatch(of: /(?i)(.*\.)([0-9]{2,3})/), let number = Int(match.2) {
                (prefix, digits, suffix, isOld) = (match.1, match.2.count, "", false)
                self.number = number
            } else if let match = name.wholeMatch(of: /(?i)(.*\.)([r-z])([0-9]{2})/), let value = Int(match.3),
                let letter = match.2.lowercased().utf8.first
            {
                (prefix, digits, suffix, isOld) = (match.1, 2, "rar", true)
                number = Int(letter - UInt8(ascii: "r")) * 100 + value + 1
            } else if let match = name.wholeMatch(of: /(?i)(.*\.)(rar|cbr|exe)/) {
                (prefix, digits, suffix, isOld) = (match.1, 2, match.2, true)
                number = 0
            } else {
                return nil
            }
        }

        var firstNumber: Int { isOld ? 0 : 1 }

        func name(of number: Int) -> String {
            guard isOld else { return "\(prefix)\(padded(number))\(suffix)" }
            guard number > 0 else { return "\(prefix)\(suffix)" }
            let letter = Unicode.Scalar(UInt8(ascii: "r") + UInt8(min((number - 1) / 100, 8)))
            return "\(prefix)\(letter)\(padded((number - 1) % 100))"
        }

        private func padded(_ number: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
    }
}

extension AdapterError {
    static func laterPart(_ first: String) -> AdapterError {
        AdapterError(.unsupported, "is a later part of a split archive", hint: "give its first part: \(first)")
    }

    static func earlierPart(_ last: String) -> AdapterError {
        AdapterError(.unsupported, "is a part of a split archive", hint: "give its last part: \(last)")
    }

    static func missingPart(_ name: String) -> AdapterError {
        AdapterError(.damaged, "its part \(name) is missing", hint: "put all parts into one folder")
    }
}

extension Character {
    fileprivate var isDigit: Bool { isASCII && isWholeNumber }
}
