internal import ZipFile

/// Recognises the many kinds of files that are zips underneath, and are no archives of pictures.
enum ForeignZip {
    /// What a zip is, in words that finish the sentence "it is …"; nil for an ordinary archive.
    static func name(of zip: ZipReader) -> String? {
        func has(_ name: String) -> Bool { zip.entry(named: name) != nil }
        if let type = mediaType(zip) {
            if type.hasPrefix("application/epub") { return "an EPUB book" }
            if type.hasPrefix("application/vnd.oasis.opendocument") { return "an OpenDocument file" }
            if type.hasPrefix("image/openraster") || type.hasPrefix("application/x-krita") {
                return "a layered painting"
            }
        }
        if has("META-INF/container.xml") { return "an EPUB book" }
        if has("[Content_Types].xml") {
            return has("FixedDocSeq.fdseq") || has("FixedDocumentSequence.fdseq")
                ? "an XPS document" : "an Office document"
        }
        if has("AndroidManifest.xml") { return "an Android program" }
        return has("META-INF/MANIFEST.MF") ? "a Java program" : nil
    }

    /// The content of an entry `mimetype`, which EPUB and OpenDocument put first.
    private static func mediaType(_ zip: ZipReader) -> String? {
        guard let entry = zip.entry(named: "mimetype"), entry.isPlain, entry.size < 1024,
            let bytes = try? zip.bytes(of: entry)
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
