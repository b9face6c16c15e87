internal import Glibc

/// Strings for a C function that takes a list of them, ended by a null pointer.
struct CStrings: ~Copyable {
    private let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) {
        pointers = strings.map { strdup($0) } + [nil]
    }

    deinit {
        for pointer in pointers { free(pointer) }
    }

    func withPointers<Result>(_ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
        var list = pointers.map { $0.map { UnsafePointer($0) } }
        return list.withUnsafeMutableBufferPointer { body($0.baseAddress) }
    }
}
