internal import CQPDFShims

/// A value in a PDF. A missing or damaged one reads as null, as PDF prescribes.
///
/// Belongs to the lane that made it.
final class PDFObject {
    enum Kind {
        case null, boolean, number, string, name, array, dictionary, stream, other
    }

    let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        jqpdf_release(handle)
    }

    var kind: Kind {
        switch jqpdf_type_of(handle) {
        case jqpdf_null: .null
        case jqpdf_boolean: .boolean
        case jqpdf_numeric: .number
        case jqpdf_string: .string
        case jqpdf_name: .name
        case jqpdf_array: .array
        case jqpdf_dictionary: .dictionary
        case jqpdf_stream: .stream
        default: .other
        }
    }

    var isNull: Bool { kind == .null }

    /// What names the object in its file, if it is an indirect one.
    var reference: PDFReference? {
        let number = jqpdf_number(handle)
        return number > 0 ? PDFReference(number: number, generation: jqpdf_generation(handle)) : nil
    }

    var boolean: Bool? { kind == .boolean ? jqpdf_boolean_value(handle) : nil }

    var number: Double? { kind == .number ? jqpdf_number_value(handle) : nil }

    /// A whole number that fits.
    var integer: Int? {
        number.flatMap { Int(exactly: $0.rounded()) }
    }

    /// A name without its slash.
    var name: String? { kind == .name ? String(decoding: text, as: UTF8.self) : nil }

    /// The bytes of a string.
    var string: [UInt8]? { kind == .string ? text : nil }

    /// The number of items of an array; 0 for anything else.
    var count: Int { Int(jqpdf_array_count(handle)) }

    /// An item of an array.
    func item(_ index: Int) -> PDFObject {
        PDFObject(jqpdf_array_item(handle, CInt(index)))
    }

    /// The items of an array; none for anything else.
    var items: [PDFObject] { (0..<count).map(item) }

    /// The items of an array of numbers, or nil when one is no number.
    var numbers: [Double]? {
        guard kind == .array else { return nil }
        let values = items.map(\.number)
        return values.contains(nil) ? nil : values.compactMap { $0 }
    }

    /// The keys of a dictionary or of a stream's dictionary.
    var keys: [String] {
        var count = 0
        guard let bytes = jqpdf_keys(handle, &count) else { return [] }
        return UnsafeRawBufferPointer(start: bytes, count: count).split(separator: 0)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The value of a key in a dictionary or in a stream's dictionary.
    subscript(key: String) -> PDFObject {
        PDFObject(jqpdf_key(handle, key))
    }

    private var text: [UInt8] {
        var count = 0
        guard let bytes = jqpdf_text(handle, &count) else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}
