internal import CQPDFShims
package import Files
package import PageModel

/// Creation of objects and writing of documents.
extension PDFFile {
    /// The form in which a document is written.
    package struct Form: Hashable, Sendable {
        /// Whether objects are packed into compressed streams, which makes the file smaller.
        package var packsObjects: Bool
        /// Whether the first page can be shown before the rest is loaded (ISO 32000-1, annex F).
        package var isLinearized: Bool
        /// The unique identifier of the document: 32 hexadecimal digits.
        package var identifier: String

        package init(packsObjects: Bool, isLinearized: Bool, identifier: String) {
            precondition(identifier.utf8.count == 32)
            self.packsObjects = packsObjects
            self.isLinearized = isLinearized
            self.identifier = identifier
        }
    }

    /// Adds an object, which may refer to other objects of the document.
    ///
    /// - Throws: `outOfMemory`.
    @discardableResult
    package func add(_ value: PDFValue) throws(AdapterError) -> PDFReference {
        let text = value.syntax
        return try PDFFile.made(text.withCharacters { jqpdf_add_object(handle, $0, text.count) })
    }

    /// Adds a stream whose data are in a temporary file, encoded as the dictionary's `Filter` states. They are read
    /// each time the document is written.
    ///
    /// - Throws: `outOfMemory`.
    package func addStream(
        _ dictionary: [String: PDFValue], _ spool: SpoolFile, at place: Range<Int>
    ) throws(AdapterError) -> PDFReference {
        let supplier = suppliers[ObjectIdentifier(spool)] ?? ErrorRecordingReader(SpooledBytes(spool: spool))
        suppliers[ObjectIdentifier(spool)] = supplier
        let text = PDFValue.dictionary(dictionary).syntax
        return try PDFFile.made(
            text.withCharacters {
                jqpdf_add_stream(
                    handle, $0, text.count, { ErrorRecordingReader.read($0, $1, $2, $3) },
                    Unmanaged.passUnretained(supplier).toOpaque(), Int64(place.lowerBound), Int64(place.count))
            })
    }

    /// Adds a stream whose dictionary is given in the syntax of a file, without its brackets.
    ///
    /// - Returns: nil if it is not a dictionary.
    /// - Throws: `outOfMemory`.
    package func addStream(
        syntax entries: [UInt8], _ spool: SpoolFile, at place: Range<Int>
    ) throws(AdapterError) -> PDFObject? {
        let supplier = suppliers[ObjectIdentifier(spool)] ?? ErrorRecordingReader(SpooledBytes(spool: spool))
        suppliers[ObjectIdentifier(spool)] = supplier
        let text = Array("<<".utf8) + entries + Array(">>".utf8)
        let number = text.withCharacters {
            jqpdf_add_stream(
                handle, $0, text.count, { ErrorRecordingReader.read($0, $1, $2, $3) },
                Unmanaged.passUnretained(supplier).toOpaque(), Int64(place.lowerBound), Int64(place.count))
        }
        return number > 0 ? object(PDFReference(number: number, generation: 0)) : nil
    }

    /// Sets a key of a dictionary or a stream; `.null` removes it.
    ///
    /// - Throws: `outOfMemory`.
    package func set(_ key: String, of object: PDFObject, to value: PDFValue) throws(AdapterError) {
        let text = value.syntax
        let isSet = withExtendedLifetime(object) {
            text.withCharacters { jqpdf_set_key(handle, object.handle, key, $0, text.count) }
        }
        if !isSet { throw PDFFile.outOfMemory }
    }

    private static func made(_ number: CInt) throws(AdapterError) -> PDFReference {
        guard number > 0 else { throw outOfMemory }
        return PDFReference(number: number, generation: 0)
    }

    /// Writes the document in its current state, sequentially and without encryption. Equal documents yield equal
    /// bytes.
    ///
    /// - Parameter take: receives the bytes piece by piece. Its errors end the writing.
    /// - Throws: the errors of `take`. Data that cannot be read cause `.unreadable`, data that qpdf cannot parse
    ///   `.damaged`.
    package func write(_ form: Form, to take: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
        var message = [CChar](repeating: 0, count: 512)
        let outlet = ByteReceiver(take)
        // PDF 1.5 introduced objects in streams.
        if form.packsObjects { require(PDFVersion(1, 5)) }
        let status = form.withForm(neededVersion) { form in
            jqpdf_write_out(
                handle,
                { context, data, count in
                    guard let context else { return false }
                    return Unmanaged<ByteReceiver>.fromOpaque(context).takeUnretainedValue()
                        .take(UnsafeRawBufferPointer(start: data, count: count))
                }, Unmanaged.passUnretained(outlet).toOpaque(),
                form, &message, message.count)
        }
        if let error = outlet.error { throw error }
        if let fault { throw fault }
        for supplier in suppliers.values { if let fault = supplier.fault { throw fault } }
        guard status == jqpdf_ok else {
            throw AdapterError(.damaged, "the PDF cannot be written", cause: PDFFile.text(message))
        }
    }

    /// The receiver of the bytes, with the error that stopped it.
    private final class ByteReceiver {
        private let body: (UnsafeRawBufferPointer) throws -> Void
        private(set) var error: (any Error)?

        init(_ body: @escaping (UnsafeRawBufferPointer) throws -> Void) {
            self.body = body
        }

        func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
            do {
                try body(bytes)
                return true
            } catch {
                self.error = error
                return false
            }
        }
    }
}

extension PDFFile.Form {
    /// Calls `body` with the form as a structure of the shim.
    fileprivate func withForm<Result>(_ version: PDFVersion, _ body: (jqpdf_form) -> Result) -> Result {
        version.text.withCString { version in
            identifier.withCString { identifier in
                body(
                    jqpdf_form(
                        packs_objects: packsObjects, is_linearized: isLinearized, version: version,
                        identifier: identifier))
            }
        }
    }
}

extension [UInt8] {
    /// Calls `body` with the bytes as C's characters.
    fileprivate func withCharacters<Result>(_ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        withUnsafeBytes { body($0.assumingMemoryBound(to: CChar.self).baseAddress) }
    }
}

/// The data source of a document without a file.
struct NoBytes: ByteSource {
    var path: String { "made" }
    var size: Int { 0 }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AdapterError) -> Int { 0 }
}

/// The contents of a temporary file.
private struct SpooledBytes: ByteSource {
    let spool: SpoolFile

    var path: String { "temporary file" }
    /// The maximum size: a spool grows while it is used.
    var size: Int { .max }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AdapterError) -> Int {
        buffer.copyBytes(from: try spool.read(at: offset, count: buffer.count))
        return buffer.count
    }
}
