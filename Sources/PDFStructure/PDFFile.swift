internal import CQPDFShims
package import PageModel

/// A PDF opened through qpdf, which decrypts it and repairs it as far as possible.
///
/// A file and all its objects may be used by one thread at a time. Any number of files may be opened from the same
/// bytes.
package final class PDFFile {
    let handle: OpaquePointer
    /// The reader of the bytes, which qpdf uses for as long as the file is open.
    let reader: ErrorRecordingReader
    /// The readers of added streams, for as long as the file is open.
    var suppliers: [ObjectIdentifier: ErrorRecordingReader] = [:]
    /// The minimum version of PDF that the written file states.
    var neededVersion = PDFVersion(1, 0)
    /// Whether the cross-reference table was missing or wrong, so that qpdf had to search the file for objects.
    package let isRepaired: Bool
    /// The password that opened the file; nil when the given password was not needed.
    package let password: String?

    /// The version of qpdf.
    package static var libraryVersion: String { String(cString: jqpdf_library_version()) }

    /// Opens a PDF.
    ///
    /// - Parameter memory: the memory for this and other open files; nil for the usual amount.
    /// - Throws: `.encrypted`, `.damaged`; `.unreadable` when the bytes cannot be read; `outOfMemory`, `exceededMemory`.
    package init(_ source: any ByteSource, password: String?, memory: PDFMemory? = nil) throws(AdapterError) {
        let memory = if let memory { memory } else { try PDFMemory() }
        let reader = ErrorRecordingReader(source)
        var status = jqpdf_ok
        var message = [CChar](repeating: 0, count: 512)
        func open(_ password: String) -> OpaquePointer? {
            jqpdf_open(
                memory.handle, { ErrorRecordingReader.read($0, $1, $2, $3) },
                Unmanaged.passUnretained(reader).toOpaque(),
                Int64(source.size), source.path, password, &status, &message, message.count)
        }
        var handle = open(password ?? "")
        var working = password
        if handle == nil, status == jqpdf_wrong_password, password != nil {
            // The variable JISUI_PASSWORD may be for another file; this one may have only an owner's password.
            handle = open("")
            working = nil
        }
        guard let handle else {
            throw reader.fault ?? PDFFile.error(status, PDFFile.text(message), password: password)
        }
        self.handle = handle
        self.reader = reader
        self.password = working
        isRepaired = jqpdf_is_repaired(handle)
        if let fault { throw fault }
    }

    /// Makes a document without pages.
    ///
    /// - Throws: `outOfMemory`.
    package init() throws(AdapterError) {
        guard let handle = jqpdf_new() else { throw PDFFile.outOfMemory }
        self.handle = handle
        reader = ErrorRecordingReader(NoBytes())
        isRepaired = false
        password = nil
    }

    deinit {
        jqpdf_close(handle)
    }

    // MARK: Errors of reading

    /// The first error that prevented reading since the file was opened: a disk error, or a lack of memory.
    ///
    /// The library qpdf treats both as damage, and stores null for unread data. After a fault, no data from this file
    /// are reliable: open it again.
    package var fault: AdapterError? {
        // The library notices both in the same way.
        let isShort = jqpdf_ran_out_of_memory(handle)
        let isOver = jqpdf_exceeded_memory(handle)
        if isShort || isOver, reader.fault == nil {
            reader.fault = isOver ? PDFFile.exceededMemory : PDFFile.outOfMemory
        }
        return reader.fault
    }

    /// Sets `fault` after a lack of memory for objects made from the file's data.
    package func noteLackOfMemory() {
        if reader.fault == nil { reader.fault = PDFFile.outOfMemory }
    }

    /// The error for a lack of memory.
    package static let outOfMemory = AdapterError(.tooLarge, "there is not enough memory to read it")

    /// The error for a file whose objects need more memory than it may take.
    package static let exceededMemory = AdapterError(
        .tooLarge, "its structure needs more memory than allowed", hint: "use --max-memory to allow more")

    /// The number of bytes of the file.
    package var size: Int { reader.size }

    /// Returns bytes from the file; empty when they cannot be read, which sets `fault`.
    package func bytes(at offset: Int, upTo count: Int) -> [UInt8] {
        reader.bytes(at: offset, upTo: count)
    }

    /// Reads all data to which a page refers, so that `fault` shows whether they are readable.
    ///
    /// Data that were read this way before are not read again.
    package func readThrough(_ page: PageNode) {
        for object in [page.page, page["Resources"]] {
            // Without this, the object could be released before the call returns.
            withExtendedLifetime(object) { jqpdf_read_through(handle, object.handle) }
        }
    }

    // MARK: Objects

    /// The dictionary at the end of the file, from which everything else is reachable.
    package var trailer: PDFObject { PDFObject(jqpdf_trailer(handle), of: self) }

    /// The document's root dictionary.
    package var catalog: PDFObject { trailer["Root"] }

    /// Returns the object that a reference names; null for a missing object.
    package func object(_ reference: PDFReference) -> PDFObject {
        PDFObject(jqpdf_object_at(handle, reference.number, reference.generation), of: self)
    }

    /// Returns a page's dictionary, with its inherited values.
    ///
    /// - Throws: `.damaged` when the page does not exist.
    package func page(at path: PageTree.Path) throws(AdapterError) -> PageNode {
        try PageNode(catalog, at: path)
    }

    /// Whether every item of an array refers to an object in the cross-reference table. The objects are not read.
    func lists(_ array: PDFObject) -> Bool {
        jqpdf_refers_to_objects(handle, array.handle)
    }

    // MARK: Streams

    /// Returns the offset of a stream's data in the file; nil when the data are not stored there unchanged.
    package func offset(of stream: PDFObject) -> Int? {
        let offset = jqpdf_stream_offset(handle, stream.handle)
        return offset > 0 ? Int(offset) : nil
    }

    /// Returns the bytes of a stream. All its filters except the last `kept` are undone.
    ///
    /// - Throws: `.damaged`; `.tooLarge` for more than `limit` bytes; `fault`.
    package func data(
        of stream: PDFObject, keepingFilters kept: Int = 0, limit: Int
    ) throws(AdapterError) -> [UInt8] {
        try take { count, status, message, size in
            jqpdf_stream_data(handle, stream.handle, CInt(kept), limit, count, status, message, size)
        }
    }

    /// Returns the content streams of a page, joined.
    ///
    /// - Throws: `.damaged`; `.tooLarge` for more than `limit` bytes; `fault`.
    package func contents(of page: PDFObject, limit: Int) throws(AdapterError) -> [UInt8] {
        try take { count, status, message, size in
            jqpdf_page_contents(page.handle, limit, count, status, message, size)
        }
    }

    private typealias Call = (
        UnsafeMutablePointer<Int>, UnsafeMutablePointer<jqpdf_status>, UnsafeMutablePointer<CChar>, Int
    ) -> UnsafeMutablePointer<UInt8>?

    /// Returns the bytes that a call of the shim allocates.
    private func take(_ call: Call) throws(AdapterError) -> [UInt8] {
        var count = 0
        var status = jqpdf_ok
        var message = [CChar](repeating: 0, count: 512)
        guard let data = call(&count, &status, &message, message.count) else {
            if let fault { throw fault }
            throw AdapterError(
                status == jqpdf_too_large ? .tooLarge : .damaged,
                status == jqpdf_too_large ? "an object holds more data than allowed" : "an object's data is damaged",
                cause: PDFFile.text(message))
        }
        defer { data.deallocate() }
        return Array(UnsafeBufferPointer(start: data, count: count))
    }

    // MARK: Changing and writing

    /// Sets a page's crop box, in memory.
    package func setCropBox(of page: PDFObject, _ box: PDFBox) {
        jqpdf_set_crop_box(page.handle, box.left, box.bottom, box.right, box.top)
    }

    /// Writes the document in its current state, without encryption.
    ///
    /// - Throws: `.unwritable`.
    package func write(to path: String) throws(AdapterError) {
        var message = [CChar](repeating: 0, count: 512)
        guard jqpdf_write(handle, path, &message, message.count) == jqpdf_ok else {
            throw AdapterError(.unwritable, "a temporary copy cannot be written", cause: PDFFile.text(message))
        }
    }

    // MARK: Messages

    static func text(_ message: [CChar]) -> Message {
        Message(verbatim: String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    private static func error(_ status: jqpdf_status, _ cause: Message, password: String?) -> AdapterError {
        switch status {
        case jqpdf_wrong_password where password == nil:
            AdapterError(
                .encrypted, "is encrypted", hint: "use --password-file or JISUI_PASSWORD to give its password")
        case jqpdf_wrong_password:
            AdapterError(.encrypted, "the password is wrong")
        case jqpdf_out_of_memory:
            outOfMemory
        case jqpdf_too_large:
            exceededMemory
        default:
            AdapterError(.damaged, "the PDF is damaged beyond repair", cause: cause)
        }
    }
}
