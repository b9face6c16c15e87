internal import AdapterKit
internal import CQPDFShims
internal import Glibc

/// A PDF opened through qpdf, which repairs what it can. Belongs to one lane.
final class PDFFile {
    private let handle: OpaquePointer
    /// What qpdf reads from as it goes.
    private let reading: FaultyReading
    /// Whether the file's table of objects was missing or wrong, and qpdf searched the file for objects.
    let isRepaired: Bool
    /// The password that opened it: none when the one given was not needed.
    let password: String?

    /// - Throws: `.encrypted`, `.damaged`; `.unreadable` when the bytes cannot be read.
    init(_ source: any ByteSource, password: String?) throws(AdapterError) {
        let reading = FaultyReading(source)
        var status = jqpdf_ok
        var message = [CChar](repeating: 0, count: 512)
        func open(_ password: String) -> OpaquePointer? {
            jqpdf_open(
                { FaultyReading.read($0, $1, $2, $3) }, Unmanaged.passUnretained(reading).toOpaque(),
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
            throw reading.fault ?? PDFFile.error(status, PDFFile.text(message), password: password)
        }
        self.handle = handle
        self.reading = reading
        self.password = working
        isRepaired = jqpdf_is_repaired(handle)
        if let fault { throw fault }
    }

    deinit {
        jqpdf_close(handle)
    }

    /// The first thing that kept data from being read since the file was opened: an error of the disk, or no memory.
    ///
    /// qpdf takes both for damage, and remembers as null what it could not read: once there is a fault, nothing that
    /// comes of this file can be relied on.
    var fault: AdapterError? {
        if jqpdf_ran_out_of_memory(handle), reading.fault == nil { reading.fault = .outOfMemory }
        return reading.fault
    }

    /// The number of bytes of the file.
    var size: Int { reading.size }

    /// Bytes of the file as they stand; none when they cannot be read, which `fault` then tells.
    func bytes(at offset: Int, upTo count: Int) -> [UInt8] {
        reading.bytes(at: offset, upTo: count)
    }

    /// Reads everything that a page refers to, so that `fault` tells whether it can be read.
    func readThrough(_ page: PageNode) {
        for object in [page.page, page["Resources"]] {
            // Without this, the object could be gone before the call is over.
            withExtendedLifetime(object) { jqpdf_read_through(handle, object.handle) }
        }
    }

    var trailer: PDFObject { PDFObject(jqpdf_trailer(handle)) }

    /// The document's root dictionary.
    var catalog: PDFObject { trailer["Root"] }

    /// A page's dictionary, with what it inherits.
    ///
    /// - Throws: `.damaged` when it is not there.
    func page(at path: PageTree.Path) throws(AdapterError) -> PageNode {
        try PageNode(catalog, at: path)
    }

    /// Whether every item of an array refers to an object that the file lists; none of them is read for it.
    func lists(_ array: PDFObject) -> Bool {
        jqpdf_refers_to_objects(handle, array.handle)
    }

    func object(_ reference: PDFReference) -> PDFObject {
        PDFObject(jqpdf_object_at(handle, reference.number, reference.generation))
    }

    /// Where a stream's data begins in the file, if it stands there as it is.
    func offset(of stream: PDFObject) -> Int? {
        let offset = jqpdf_stream_offset(handle, stream.handle)
        return offset > 0 ? Int(offset) : nil
    }

    /// The bytes of a stream, with all its filters undone but the last `kept`.
    ///
    /// - Throws: `.damaged`; `.tooLarge` when there are more than `limit` bytes.
    func data(of stream: PDFObject, keepingFilters kept: Int = 0, limit: Int) throws(AdapterError) -> [UInt8] {
        try take { count, status, message, size in
            jqpdf_stream_data(handle, stream.handle, CInt(kept), limit, count, status, message, size)
        }
    }

    /// The content of a page: its streams, joined.
    ///
    /// - Throws: `.damaged`; `.tooLarge` when there are more than `limit` bytes.
    func contents(of page: PDFObject, limit: Int) throws(AdapterError) -> [UInt8] {
        try take { count, status, message, size in
            jqpdf_page_contents(page.handle, limit, count, status, message, size)
        }
    }

    private typealias Reader = (
        UnsafeMutablePointer<Int>, UnsafeMutablePointer<jqpdf_status>, UnsafeMutablePointer<CChar>, Int
    ) -> UnsafeMutablePointer<UInt8>?

    private func take(_ read: Reader) throws(AdapterError) -> [UInt8] {
        var count = 0
        var status = jqpdf_ok
        var message = [CChar](repeating: 0, count: 512)
        guard let data = read(&count, &status, &message, message.count) else {
            if let fault { throw fault }
            throw AdapterError(
                status == jqpdf_too_large ? .tooLarge : .damaged,
                status == jqpdf_too_large ? "an object holds more data than allowed" : "an object's data is damaged",
                cause: PDFFile.text(message))
        }
        defer { data.deallocate() }
        return Array(UnsafeBufferPointer(start: data, count: count))
    }

    /// Writes the document, as it is now in memory, to a file that exists.
    func write(to path: String) throws(AdapterError) {
        var message = [CChar](repeating: 0, count: 512)
        guard jqpdf_write(handle, path, &message, message.count) == jqpdf_ok else {
            throw AdapterError(.unwritable, "a temporary copy cannot be written", cause: PDFFile.text(message))
        }
    }

    func setCropBox(of page: PDFObject, _ box: PDFBox) {
        jqpdf_set_crop_box(page.handle, box.left, box.bottom, box.right, box.top)
    }

    private static func text(_ message: [CChar]) -> String {
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
            .outOfMemory
        default:
            AdapterError(.damaged, "the PDF is damaged beyond repair", cause: cause)
        }
    }
}

/// Reading on behalf of qpdf, which remembers what went wrong: qpdf does not.
private final class FaultyReading {
    private let source: any ByteSource
    /// The first error.
    var fault: AdapterError?

    init(_ source: any ByteSource) {
        self.source = source
    }

    var size: Int { source.size }

    func bytes(at offset: Int, upTo count: Int) -> [UInt8] {
        do throws(AdapterError) {
            return try source.read(at: offset, upTo: count)
        } catch {
            fault = fault ?? error
            return []
        }
    }

    /// `jqpdf_reader`, whose context is a reading.
    static func read(
        _ context: UnsafeMutableRawPointer?, _ offset: Int64, _ target: UnsafeMutablePointer<CChar>?, _ count: Int
    ) -> Int64 {
        guard let context, let target else { return -Int64(EINVAL) }
        let reading = Unmanaged<FaultyReading>.fromOpaque(context).takeUnretainedValue()
        do throws(AdapterError) {
            let buffer = UnsafeMutableRawBufferPointer(start: target, count: count)
            return Int64(try reading.source.read(at: Int(offset), into: buffer))
        } catch {
            // qpdf reports lack of memory by itself, as it does its own.
            if error == .outOfMemory { return -Int64(ENOMEM) }
            reading.fault = reading.fault ?? error
            return -Int64(EIO)
        }
    }
}

extension AdapterError {
    static let outOfMemory = AdapterError(.tooLarge, "there is not enough memory to read it")
}
