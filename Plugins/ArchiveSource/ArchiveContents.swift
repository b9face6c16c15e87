internal import AdapterKit
internal import Files
internal import Imaging
internal import Metadata
internal import PageModel
internal import PageNames
internal import ZipFile

/// The contents of an archive, before pages are selected.
struct ArchiveContents: Sendable {
    /// The files, in the archive's order.
    var entries: [Entry] = []
    /// The names of links, devices and similar entries.
    var oddities: [RawName] = []
    var warnings: [Warning] = []
    /// The archive's comment, if its format has one.
    var comment: [UInt8] = []
    /// Whether an entry is encrypted.
    var isEncrypted = false

    /// Adds a warning that the archive could not be read to its end.
    ///
    /// - Throws: `readError` if not a single page was unpacked completely.
    mutating func note(_ readError: AdapterError) throws(AdapterError) {
        guard entries.contains(where: { $0.role != .document && $0.content is SpooledMember }) else {
            throw readError.orCopyAgain
        }
        if readError.code == .unreadable {
            warnings.append(
                Warning(
                    code: "unreadable-archive",
                    message: "\(readError.message): pages after the unreadable part may be missing",
                    hint: "copy it again if you can"))
            return
        }
        let message: Message =
            readError.cause.map { "the archive is damaged: pages after the damage may be missing (\($0))" }
            ?? "the archive is damaged: pages after the damage may be missing"
        warnings.append(.damagedArchive(message, readError.hint))
    }

    /// - Throws: the fault of the first page if every page already has a known one.
    func requireAnyPage() throws(AdapterError) {
        let pages = entries.filter { $0.role == .picture || $0.role == .unclear && $0.content != nil }
        let faults = pages.compactMap { $0.content as? FaultyMember }
        guard faults.count == pages.count else { return }
        // A wrong password shows as damage if, by chance, it opens an entry.
        if let fault = faults.first(where: { $0.error.code == .encrypted }) ?? faults.first {
            throw fault.error.orCopyAgain
        }
    }
}

/// One file of an archive of any format.
struct Entry: Sendable {
    var name: RawName
    var role: EntryRole
    /// Its content; nil if its role does not require reading it.
    var content: (any MemberContent)?

    /// Whether it is a page; the content decides if the name does not.
    var isPage: Bool {
        switch role {
        case .picture: return true
        case .unclear:
            do throws(AdapterError) {
                guard let head = try content?.head() else { return false }
                return PictureHeader(head) != nil
            } catch {
                // An unreadable file may be one: its page reports the reason.
                return error.code == .unreadable
            }
        case .document, .other: return false
        }
    }
}

/// The purpose of an entry, determined by its name alone.
enum EntryRole: Hashable, Sendable {
    /// An entry named as an image: a page, even if its content is something else.
    case picture
    /// An entry with an unspecific name: a page if its content is an image.
    case unclear
    /// A document about the book: a ComicInfo.xml.
    case document
    /// An entry named as something that cannot be a page, or junk.
    case other

    init(_ name: RawName) {
        let path = name.approximation
        let separated = path.replacingCertainBackslashes
        let ending = FileName.extension(of: path)
        if JunkName.matches(name.mayHaveBackslashes ? separated : path) {
            self = .other
        } else if PictureName.extensions.contains(ending) {
            self = .picture
        } else if BookDocument.matches(separated) {
            self = .document
        } else {
            self = EntryRole.otherExtensions.contains(ending) ? .other : .unclear
        }
    }

    /// The extensions of files that need not be read to exclude them as images.
    private static let otherExtensions = archiveExtensions.union([
        "xml", "txt", "html", "htm", "nfo", "url", "json", "css", "js", "db", "md", "ini", "sfv", "md5", "opf", "ncx",
        "xhtml", "svg", "csv", "yml", "yaml", "log", "doc", "docx", "rtf", "ttf", "otf", "woff", "woff2", "exe", "dll",
        "mp3", "m4a", "ogg", "wav", "flac", "mp4", "mkv", "avi", "mov", "webm", "psd", "epub", "mobi", "pdf", "djvu",
    ])

    static let archiveExtensions: Set<String> = [
        "zip", "cbz", "rar", "cbr", "7z", "cb7", "tar", "cbt", "gz", "tgz", "bz2", "tbz", "tbz2", "xz", "txz", "zst",
        "tzst",
    ]
}

extension String {
    /// The path with backslashes as separators, if it has no others.
    var replacingBackslashes: String { replacingBackslashes { _ in true } }

    /// The same for a name that may have another encoding than UTF-8. A backslash after a letter outside of ASCII may be
    /// the second byte of that letter, as in "表.jpg", which would become a hidden file.
    var replacingCertainBackslashes: String {
        let isUTF8 = !unicodeScalars.contains("\u{FFFD}")
        return replacingBackslashes { $0.isASCII || isUTF8 }
    }

    private func replacingBackslashes(after mayPrecede: (Unicode.Scalar) -> Bool) -> String {
        guard !utf8.contains(UInt8(ascii: "/")) else { return self }
        var before: Unicode.Scalar = "/"
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            scalars.append(scalar == "\\" && mayPrecede(before) ? "/" : scalar)
            before = scalar
        }
        return String(scalars)
    }
}

extension Warning {
    static func damagedArchive(_ message: Message, _ hint: Message? = nil) -> Warning {
        Warning(code: "damaged-archive", message: message, hint: hint ?? .copyAgain)
    }
}

extension Message {
    static let copyAgain: Message = "copy or download it again if you can"
}

extension AdapterError {
    /// The error about an archive without a readable page. Damage gets a hint if it has none.
    fileprivate var orCopyAgain: AdapterError {
        var error = self
        if code == .damaged { error.hint = hint ?? .copyAgain }
        return error
    }
}

/// The bytes of one member of an archive, which any number of tasks may read at once.
protocol MemberContent: Sendable {
    /// The number of bytes, as far as it is known without reading them.
    var byteCount: Int { get }

    /// Returns the first `PictureHeader.headCount` bytes or more, or all of them if there are fewer.
    func head() throws(AdapterError) -> [UInt8]

    /// Returns the bytes from an offset, up to `count`; nil if the member has to be unpacked for that.
    func part(at offset: Int, upTo count: Int) throws(AdapterError) -> [UInt8]?

    /// Returns all bytes, or as many as there are.
    func bytes() throws(AdapterError) -> [UInt8]

    /// The defect of bytes that are present: a wrong checksum, or a premature end. For some members it is known only after
    /// reading.
    var defect: Message? { get }

    /// Returns the defect of a member that is read in parts, after it has been.
    func findDefect() throws(AdapterError) -> Message?
}

extension MemberContent {
    func findDefect() throws(AdapterError) -> Message? { defect }

    /// Returns all bytes, if they are intact.
    func soundBytes() throws(AdapterError) -> [UInt8] {
        let bytes = try bytes()
        if let defect { throw AdapterError(.damaged, defect) }
        return bytes
    }
}

/// A member that cannot be read; reading it throws the reason.
struct FaultyMember: MemberContent {
    let error: AdapterError

    var byteCount: Int { 0 }
    var defect: Message? { error.explanation }

    func head() throws(AdapterError) -> [UInt8] { throw error }

    func part(at offset: Int, upTo count: Int) throws(AdapterError) -> [UInt8]? { throw error }

    func bytes() throws(AdapterError) -> [UInt8] { throw error }
}
