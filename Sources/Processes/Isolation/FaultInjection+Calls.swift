internal import CLinux
internal import Glibc

#if DEBUG || JISUI_FAULTS
extension FaultInjection {
    private static let maximumArguments = 6

    /// Attempts system calls, each given by its number and its arguments: "90 /file 511; 62 parent 0".
    ///
    /// Text that is not a number represents its address. "parent" represents the process that started this one.
    ///
    /// - Returns: the number of each call and the number of its error. A successful call has error 0: "90=1 62=1".
    static func attempted(_ calls: String) -> String {
        calls.split(separator: ";").map { call in
            let words = call.split(separator: " ").map { String($0) }
            var texts: [UnsafeMutablePointer<CChar>?] = []
            defer { for text in texts { free(text) } }
            var values = words.map { word in
                if let number = Int(word) { return number }
                if word == "parent" { return Int(getppid()) }
                texts.append(strdup(word))
                return Int(bitPattern: texts.last ?? nil)
            }
            values += Array(repeating: 0, count: max(0, maximumArguments + 1 - values.count))
            errno = 0
            let answer = linux_call(values[0], Array(values[1...]))
            return "\(values[0])=\(answer == -1 ? errno : 0)"
        }.joined(separator: " ")
    }
}
#endif
