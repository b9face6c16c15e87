internal import AdapterKit
internal import ZipFile

/// What an entry is for, as far as its name tells.
enum EntryRole: Hashable, Sendable {
    /// Named as a picture: a page, even if its content turns out to be something else.
    case picture
    /// Named as nothing in particular: a page if its content is a picture.
    case unclear
    /// A ComicInfo.xml.
    case comicInfo
    /// Named as something that cannot be a page, or junk.
    case other

    init(_ name: RawName) {
        let path = name.mayHaveBackslashes ? name.approximation.replacingBackslashes : name.approximation
        let ending = FileName.extension(of: path)
        if JunkName.matches(path) {
            self = .other
        } else if EntryRole.pictureExtensions.contains(ending) {
            self = .picture
        } else if FileName.last(of: path).lowercased() == "comicinfo.xml" {
            self = .comicInfo
        } else {
            self = EntryRole.otherExtensions.contains(ending) ? .other : .unclear
        }
    }

    private static let pictureExtensions: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "gif", "webp", "tif", "tiff", "bmp", "avif", "heic", "heif", "jxl",
        "jp2", "j2k", "jpx", "j2c",
    ]

    /// Not worth being read only to learn that they are no pictures.
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
    /// The path with backslashes as separators, where it has no others.
    var replacingBackslashes: String {
        guard !utf8.contains(UInt8(ascii: "/")) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\\" ? "/" : $0 }))
    }
}
