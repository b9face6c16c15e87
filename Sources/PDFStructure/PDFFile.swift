public import AdapterKit
internal import CQPDFShims

/// A PDF opened through qpdf, which decrypts it and repairs what it can.
///
/// A file and all objects that come from it may be used by one thread at a time. Any number of files may be opened
/// from the same bytes.
public final class PDFFile {
    let handle: OpaquePointer
    /// What qpdf reads from for as long as the file is open.
    let reader: RememberingReader
    /// Where streams come from that were added, for as long as the file is open.
    var suppliers: [ObjectIdentifier: RememberingReader] = [:]
    /// The least version of PDF that it states when it is written.
    var neededVersion = PDFVersion(1, 0)
    /// Whether the cross-reference table was missing or wrong, so that qpdf had to search the file for objects.
    public let isRepaired: Bool
    /// The password that opened the file: nil when the one that was given was not needed.
    public let password: String?

    /// Opens a PDF.
    ///
    /// - Throws: `.encrypted`, `.damaged`; `.unreadable` when the bytes cannot be read; `outOfMemory`.
    public init(_ source: any ByteSource, password: String?) throws(AdapterError) {
        let reader = RememberingReader(source)
        var status = jqpdf_ok
        var message = [CChar](repeating: 0, count: 512)
        func open(_ password: String) -> OpaquePointer? {
            jqpdf_open(
                { RememberingReader.read($0, $1, $2, $3) }, Unmanaged.passUnretained(reader).toOpaque(),
                Int64(source.size), source.path, password, &status, &message, message.count)
        }
        var handle = open(password ?? "")
        var working = password
        if handle == nil, status == jqpdf_wrong_password, password != nil {
            // The variable JISUI_PASSWORD may be meant for another file; this one may have only an owner's password.
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
    public init() throws(AdapterError) {
        guard let handle = jqpdf_new() else { throw PDFFile.outOfMemory }
        self.handle = handle
        reader = RememberingReader(NoBytes())
        isRepaired = false
        password = nil
    }

    deinit {
        jqpdf_close(handle)
    }

    // MARK: Errors of reading

    /// The first thing that kept data from being read since the file was opened: an error of the disk, or no memory.
    ///
    /// qpdf takes both for damage, and remembers as null what it could not read. Once there is a fault, nothing that
    /// is read from this file can be relied on: open it again.
    public var fault: AdapterError? {
        if jqpdf_ran_out_of_memory(handle), reader.fault == nil { reader.fault = PDFFile.outOfMemory }
        return reader.fault
    }

    /// Sets `fault`, when memory was lacking for something that was made of the file's data.
    public func noteLackOfMemory() {
        if reader.fault == nil { reader.fault = PDFFile.outOfMemory }
    }

    /// The error when memory was lacking.
    public static let outOfMemory = AdapterError(.tooLarge, "there is not enough memory to read it")

    /// The number of bytes of the file.
    public var size: Int { reader.size }

    /// Bytes as they stand in the file; none when they cannot be read, which `fault` then tells.
    public func bytes(at offset: Int, upTo count: Int) -> [UInt8] {
        reader.bytes(at: offset, upTo: count)
    }

    /// Reads all data that a page refers to, so that `fault` tells whether it can be read.
    ///
    /// What was read so before is not read again.
    public func readThrough(_ page: PageNode) {
        for object in [page.page, page["Resources"]] {
            // Without this, the object could be gone before the call is over.
            withExtendedLifetime(object) { jqpdf_read_through(handle, object.handle) }
        }
    }

    // MARK: Objects

    /// The dictionary at the end of the file, which leads to everything else.
    public var trailer: PDFObject { PDFObject(jqpdf_trailer(handle), of: self) }

    /// The document's root dictionary.
    public var catalog: PDFObject { trailer["Root"] }

    /// The object that a reference names; null when there is none.
    public func object(_ reference: PDFReference) -> PDFObject {
        PDFObject(jqpdf_object_at(handle, reference.number, reference.generation), of: self)
    }

    /// A page's dictionary, with what it inherits.
    ///
    /// - Throws: `.damaged` when there is no page.
    public func page(at path: PageTree.Path) throws(AdapterError) -> PageNode {
        try PageNode(catalog, at: path)
    }

    /// Whether every item of an array refers to an object in the cross-reference table. The objects are not read.
    func lists(_ array: PDFObject) -> Bool {
        jqpdf_refers_to_objects(handle, array.handle)
    }

    // MARK: Streams

    /// The offset of a stream's data in the file; nil when the data does not stand there as it is.
    public func offset(of stream: PDFObject) -> Int? {
        let offset = jqpdf_stream_offset(handle, stream.handle)
        return offset > 0 ? Int(offset) : nil
    }

    /// The bytes of a stream, with all its filters undone but the last `kept`.
    ///
    /// - Throws: `.damaged`; `.tooLarge` when there are more than `limit` bytes; `fault`.
    public func data(
        of stream: PDFObject, keepingFilters kept: Int = 0, limit: Int
    ) throws(AdapterError) -> [UInt8] {
        try take { count, status, message, size in
            jqpdf_stream_data(handle, stream.handle, CInt(kept), limit, count, status, message, size)
        }
    }

    /// The content streams of a page, joined.
    ///
    /// - Throws: `.damaged`; `.tooLarge` when there are more than `limit` bytes; `fault`.
    public func contents(of page: PDFObject, limit: Int) throws(AdapterError) -> [UInt8] {
        try take { count, status, message, size in
            jqpdf_page_contents(page.handle, limit, count, status, message, size)
        }
    }

    private typealias Call = (
        UnsafeMutablePointer<Int>, UnsafeMutablePointer<jqpdf_status>, UnsafeMutablePointer<CChar>, Int
    ) -> UnsafeMutablePointer<UInt8>?

    /// The bytes that a call of the shim allocates.
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
    public func setCropBox(of page: PDFObject, _ box: PDFBox) {
        jqpdf_set_crop_box(page.handle, box.left, box.bottom, box.right, box.top)
    }

    /// Writes the document as it now is in memory, without encryption.
    ///
    /// - Throws: `.unwritable`.
    public func write(to path: String) throws(AdapterError) {
        var message = [CChar](repeating: 0, count: 512)
        guard jqpdf_write(handle, path, &message, message.count) == jqpdf_ok else {
            throw AdapterError(.unwritable, "a temporary copy cannot be written", cause: PDFFile.text(message))
        }
    }

    // MARK: Messages

    static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func error(_ status: jqpdf_status, _ cause: String, password: String?) -> AdapterError {
        switch status {
        case jqpdf_wrong_password where password == nil:
            AdapterError(
                .encrypted, "is encrypted", advice: "give its password with --password-file or in JISUI_PASSWORD")
        case jqpdf_wrong_password:
            AdapterError(.encrypted, "the password is wrong")
        case jqpdf_out_of_memory:
            outOfMemory
        default:
            AdapterError(.damaged, "the PDF is damaged beyond repair", cause: cause)
        }
    }
}
