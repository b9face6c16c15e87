internal import Files
internal import PageModel

/// The files of an archive that may have been split into parts: `x.part1.rar`, `x.rar` with `x.r00`, `x.7z.001`.
struct VolumeSet: Sendable {
    /// The parts in order; for most archives the one file.
    let paths: [String]
    /// The name of the next part; nil for an archive whose name is not that of a part.
    let nextName: String?

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
    /// - Throws: `.unsupported` for a later part, `.damaged` if a middle part is missing.
    init(startingAt path: String) throws(AdapterError) {
        // "Saga.Part2.cbr" may be a separate comic.
        guard let scheme = Scheme(FileName.last(of: path)), !RARVolume.isWhole(path) else {
            paths = [path]
            nextName = nil
            return
        }
        guard scheme.number == scheme.firstNumber else {
            throw AdapterError(
                .unsupported, "is a later part of a split archive",
                hint: "give its first part: \(scheme.name(of: scheme.firstNumber))")
        }
        let folder = FileName.parent(of: path)
        let listed = (try? FolderListing.names(in: folder)) ?? []
        let names = Dictionary(listed.map { ($0.lowercased(), $0) }, uniquingKeysWith: min)
        var paths = [path]
        var number = scheme.firstNumber + 1
        while let name = names[scheme.name(of: number).lowercased()] {
            paths.append("\(folder)/\(name)")
            number += 1
        }
        let missing = scheme.name(of: number)
        let isGap = (number + 1...number + 100).contains { names[scheme.name(of: $0).lowercased()] != nil }
        if isGap { throw .missingPart(missing) }
        self.paths = paths
        nextName = missing
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

        /// - Returns: nil for a name that is not that of a part.
        init?(_ name: String) {
            if let match = name.wholeMatch(of: /(?i)(.*\.part)([0-9]{1,5})(\.[a-z0-9]+)/), let number = Int(match.2) {
                (prefix, digits, suffix, isOld) = (match.1, match.2.count, match.3, false)
                self.number = number
            } else if let match = name.wholeMatch(of: /(?i)(.*\.)([0-9]{3})/), let number = Int(match.2) {
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
    static func missingPart(_ name: String) -> AdapterError {
        AdapterError(.damaged, "its part \(name) is missing", hint: "put all parts into one folder")
    }
}
