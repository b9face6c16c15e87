/// What a file's name promises of its contents. Only a shortcut: the contents decide.
public enum PictureName {
    /// Whether the name ends like that of a picture jisui reads.
    public static func matches(_ path: String) -> Bool {
        pictures.contains(FileName.extension(of: path))
    }

    /// Whether the name ends like that of something that is no picture, so that nobody need look inside.
    public static func isKnownOther(_ path: String) -> Bool {
        others.contains(FileName.extension(of: path))
    }

    private static let pictures: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "gif", "webp", "tif", "tiff", "bmp", "avif", "heic", "heif", "jxl", "jp2",
        "j2k", "jpx", "j2c",
    ]

    private static let others: Set<String> = [
        // Texts and what describes a book.
        "txt", "md", "nfo", "log", "xml", "json", "yaml", "yml", "toml", "csv", "ini", "cfg", "opf", "ncx", "html",
        "htm",
        "xhtml", "css", "js", "url", "webloc", "lnk", "rtf", "doc", "docx", "odt", "xls", "xlsx",
        // Checksums and databases.
        "sfv", "md5", "sha1", "sha256", "par2", "torrent", "db", "sqlite",
        // Books and archives, which are inputs of their own.
        "pdf", "epub", "zip", "cbz", "rar", "cbr", "7z", "cb7", "tar", "cbt", "gz", "xz", "zst", "lzh",
        // Sound, video, programs.
        "mp3", "m4a", "flac", "wav", "ogg", "mp4", "m4v", "mkv", "avi", "mov", "webm", "exe", "dll", "sh", "py", "bat",
    ]
}
