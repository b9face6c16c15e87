internal import Files

/// The rule by which a book becomes several volumes.
public enum VolumeSplit: Hashable, Sendable {
    /// Volumes of at most so many bytes.
    case bytes(Int)
    /// Volumes of at most so many pages.
    case pages(Int)
    /// A volume for each chapter: each entry at the top of the table of contents.
    case chapters

    private static let pagesUnit = "pages"
    private static let chaptersWord = "chapters"

    /// - Returns: nil for another text than those of `--split-volumes`.
    public init?(_ text: String) {
        let text = text.lowercased()
        if text == VolumeSplit.chaptersWord {
            self = .chapters
        } else if text.hasSuffix(VolumeSplit.pagesUnit), let count = Int(text.dropLast(VolumeSplit.pagesUnit.count)),
            (1...1_000_000).contains(count)
        {
            self = .pages(count)
        } else if let size = ByteSize(text) {
            self = .bytes(size.bytes)
        } else {
            return nil
        }
    }

    /// The usual spelling.
    public var text: String {
        switch self {
        case .bytes(let bytes): ByteSize(bytes: bytes).text
        case .pages(let count): "\(count)\(VolumeSplit.pagesUnit)"
        case .chapters: VolumeSplit.chaptersWord
        }
    }
}

/// The paths of the volumes of a book: "book 1.cbz", or "book 01.cbz" if there are ten or more.
public struct VolumePaths: Sendable {
    private let stem: String
    /// The extension with its dot; a slash for folders.
    private let end: String

    /// - Parameters:
    ///   - path: the path of the book as one output.
    ///   - fileExtension: the extension of such outputs, which may have several parts; nil for folders.
    public init(_ path: String, fileExtension: String?) {
        guard let fileExtension else {
            (stem, end) = (FileName.withoutSlashAtEnd(path), "/")
            return
        }
        let known = path.hasSuffix(".\(fileExtension)") ? fileExtension : FileName.extension(of: path)
        // The extension is in lower case, and the path may not be.
        let length = known.isEmpty ? 0 : known.count + 1
        (stem, end) = (String(path.dropLast(length)), String(path.suffix(length)))
    }

    /// Returns the path of a volume.
    ///
    /// - Parameter number: its number, from 1.
    public func path(_ number: Int, of count: Int) -> String { "\(stem) \(VolumePaths.text(number, of: count))\(end)" }

    /// Returns the number of a volume, with leading zeros so that names sort in the order of the numbers.
    static func text(_ number: Int, of count: Int) -> String {
        let (digits, width) = (String(number), String(count).count)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// The most digits of the number of volumes that are looked for.
    private static let maximumDigits = 3

    /// The paths of the volumes that exist; empty if the first one does not. The first one is published last.
    public var existing: [String] {
        for digits in 1...VolumePaths.maximumDigits {
            let count = (0..<digits).reduce(1) { count, _ in count * 10 } - 1
            var paths: [String] = []
            while paths.count < count {
                let path = path(paths.count + 1, of: count)
                if FileStatus.isMissing(path) { break }
                paths.append(path)
            }
            if !paths.isEmpty { return paths }
        }
        return []
    }

    /// Returns the paths of volumes that exist, without those of a book with so many volumes. With each number of digits, the
    /// first that is missing ends the search.
    func others(than count: Int) -> [String] {
        var (paths, most): ([String], Int) = ([], 9)
        for digits in 1...VolumePaths.maximumDigits {
            var number = count > 1 && String(count).count == digits ? count + 1 : 1
            while number <= most, !FileStatus.isMissing(path(number, of: most)) {
                paths.append(path(number, of: most))
                number += 1
            }
            most = most * 10 + 9
        }
        return paths
    }

    /// Returns the path of the book whose volume a path may be: "book.cbz" of "book 2.cbz"; nil for other paths.
    public static func whole(ofVolume path: String) -> String? {
        guard let space = path.lastIndex(of: " ") else { return nil }
        let rest = path[path.index(after: space)...]
        let end = rest.drop { ("0"..."9").contains($0) }
        guard end.startIndex > rest.startIndex, end.isEmpty || end.hasPrefix(".") || end == "/" else { return nil }
        return String(path[..<space] + end)
    }
}
