internal import Glibc

/// The target that the variable TARGET names; without one, or for another, the program tells which there are.
private let target: FuzzTarget = {
    let wanted = getenv("TARGET").map { String(cString: $0) }
    if let found = FuzzTarget.all.first(where: { $0.name == wanted }) { return found }
    for target in FuzzTarget.all { print(target.name, target.maximumBytes, target.endings.joined(separator: ",")) }
    exit(wanted == nil ? 0 : 2)
}()

/// What libFuzzer calls before the first input. With OUT, the target's own inputs and words are written there, and the
/// program ends.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer) -> CInt {
    let target = target
    guard let folder = getenv("OUT").map({ String(cString: $0) }) else { return 0 }
    for (index, input) in target.inputs.enumerated() { write(input, to: "\(folder)/own-\(index)") }
    let words = target.words.map { word in
        "\"" + word.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\"\n"
    }
    write(words.joined(), to: "\(folder).words")
    exit(0)
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

private func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
}
