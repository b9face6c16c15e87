internal import Files
internal import Glibc

/// One parser, what it is given at first, and what must hold of whatever it makes of any bytes.
struct FuzzTarget: Sendable, CustomStringConvertible {
    let name: String
    /// The endings of the fixtures that are its first inputs; none where `inputs` are all it needs.
    var endings: [String] = []
    /// First inputs that no fixture holds.
    var inputs: [String] = []
    /// What the fuzzer may put together to get further, beside single bytes.
    var words: [String] = []
    /// The most bytes of an input: parsers are found out with little, and each run should be short.
    var maximumBytes = 4096
    let run: @Sendable ([UInt8]) -> Void

    var description: String { name }

    /// Every target: `make fuzz` and `MutationTests` run one after the other.
    static let all: [FuzzTarget] = [
        .zip, .entryNames, .pageOrder, .rarHeaders, .content, .page, .document, .unpacking, .pictureHeaders, .pictures,
        .tiff, .bmp,
        .fax, .deflateSeam, .jpegCut, .jpegPatch, .jpegRow, .jpegMetadata, .profile, .json, .sidecars, .xml, .comicInfo,
        .metadataFile, .selection, .options, .styles, .calculator, .kindle,
    ]
}

/// Ends the process, which libFuzzer takes for a find, unless something holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError("this must not be: \(message())") }
}

/// Has the compiler believe that a value is used: work whose result nobody sees is left out.
@inline(never)
func use(_ value: some Any) {
    withUnsafePointer(to: value) { _ = getenv(UnsafeRawPointer($0) == nil ? "a" : "b") }
}

/// Calls `body` with a file that holds these bytes.
func withFile(_ bytes: [UInt8], _ body: (ReadableFile) -> Void) {
    var name = Array("/dev/shm/jisui-fuzz-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    defer { close(descriptor) }
    // It goes with the process, however that ends.
    unlink(name)
    guard bytes.withUnsafeBytes({ write(descriptor, $0.baseAddress, bytes.count) }) == bytes.count else { return }
    if let file = try? ReadableFile(path: "/proc/self/fd/\(descriptor)") { body(file) }
}

/// Numbers taken from the end of an input, where they do not disturb what is in front.
struct Choices {
    private(set) var rest: [UInt8]

    init(_ input: [UInt8]) {
        rest = input
    }

    /// A number within a range; its least one when the input is used up.
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        var value = 0
        var span = range.count - 1
        while span > 0 {
            value = value << 8 | Int(rest.popLast() ?? 0)
            span >>= 8
        }
        return range.lowerBound + value % range.count
    }

    mutating func flag() -> Bool { number(0...1) == 1 }
}
