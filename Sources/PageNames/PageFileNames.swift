internal import Files
package import PageModel

/// The names that jisui gives to page files: "0001.jpg".
package enum PageFileName {
    /// Returns the name of a page in a book of `count` pages. Leading zeros keep the order in programs that sort by
    /// character.
    package static func name(of number: Int, _ encoding: ImageEncoding, of count: Int) -> String {
        "\(FileName.number(number, of: count)).\(encoding.fileExtension)"
    }

    /// Whether jisui could have given this name to a page.
    package static func matches(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count >= 4 else { return false }
        return parts[0].utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && ImageEncoding.known.contains { $0.fileExtension == parts[1] }
    }
}

/// The names of files that operating systems and servers leave in folders and archives, and that are not pages.
package enum JunkName {
    /// Whether a path names junk, by any of its components.
    ///
    /// Files whose names begin with a dot are junk, because programs use such names for unfinished files. Folders with
    /// a dot are junk only if programs make them: ".hack" is a comic.
    ///
    /// - Parameter isFolder: whether the path names a folder.
    package static func matches(_ path: String, isFolder: Bool = false) -> Bool {
        let components = FileName.components(of: path)
        return components.enumerated().contains { place, component in
            // `tar -c .` begins all its names with "./".
            if component == "." || component == ".." { return false }
            let name = component.lowercased()
            if names.contains(name) || component.hasPrefix("~$") { return true }
            guard component.utf8.first == UInt8(ascii: ".") else { return false }
            return !isFolder && place == components.count - 1 || hiddenFolders.contains(name)
                || hiddenBeginnings.contains(where: name.hasPrefix) || name.contains(".jisui-")
        }
    }

    private static let names: Set<String> = [
        "__macosx", "thumbs.db", "ehthumbs.db", "desktop.ini", "@eadir", "#recycle", "@recycle",
        "@recently-snapshot", "$recycle.bin", "lost+found",
    ]

    /// The folders of systems, of version control programs and of thumbnails.
    private static let hiddenFolders: Set<String> = [
        ".appledouble", ".spotlight-v100", ".fseventsd", ".temporaryitems", ".documentrevisions-v100", ".ds_store",
        ".thumbnails", ".thumbs", ".xvpics", ".hidden", ".cache", ".tmp", ".temp", ".git", ".svn", ".hg", ".sync",
        ".stfolder", ".stversions", ".dropbox", ".dropbox.cache", ".snapshot", ".snapshots", ".zfs", ".recycle",
        ".yacreaderlibrary", ".picasaoriginals", ".calnotes", ".caltrash",
    ]
    private static let hiddenBeginnings = ["._", ".@", ".trash", ".syncthing", ".nfs", ".fuse"]
}

/// The format that a file's name promises. It is only a shortcut: the contents decide.
package enum PictureName {
    /// Whether the name has the extension of an image format that jisui reads.
    package static func matches(_ path: String) -> Bool {
        extensions.contains(FileName.extension(of: path))
    }

    /// Whether the name has the extension of something other than an image, so that the contents need not be read.
    package static func isKnownOther(_ path: String) -> Bool {
        others.contains(FileName.extension(of: path))
    }

    /// The extensions of image formats that jisui reads, in lower case.
    package static let extensions = Set(PictureFormat.all.flatMap(\.extensions))

    private static let others: Set<String> = [
        // Texts and book metadata.
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

/// The names of books of any kind.
package enum BookName {
    private static let extensions: Set = [
        "pdf", "epub", "djvu", "cbz", "zip", "cbr", "rar", "cb7", "7z", "cbt", "tar", "tgz",
    ]

    /// Whether a name or path has the extension of a book.
    package static func matches(_ name: String) -> Bool {
        extensions.contains(FileName.extension(of: name)) && !JunkName.matches(name)
    }
}
