/// A piece of memory for data on its way from one place to another; frees itself.
struct Block: ~Copyable {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) {
        bytes = .allocate(byteCount: count, alignment: 16)
    }

    deinit {
        bytes.deallocate()
    }
}
