internal import AdapterKit
internal import ZipFile

/// An archive being written to a file that appears whole or not at all.
protocol ComicArchive: AnyObject {
    /// Adds a file at the archive's root, in the order of the calls.
    ///
    /// - Parameters:
    ///   - name: an ASCII name.
    ///   - isText: whether the bytes are worth compressing; pictures are compressed already.
    func add(_ name: String, _ bytes: [UInt8], isText: Bool) throws(AdapterError)

    /// Ends the archive and makes it appear at its destination.
    func finish() throws(AdapterError)
}

extension ZipWriter: ComicArchive {
    func add(_ name: String, _ bytes: [UInt8], isText: Bool) throws(AdapterError) {
        try add(name, bytes, compresses: isText)
    }
}
