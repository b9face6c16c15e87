/// An observer of the processes of a program, for a check of the program.
package protocol ProcessObserver: Sendable {
    /// Receives the error of a request. A run may replace the process and try again.
    func failed(_ error: any Error)

    /// Receives a harmless violation of the protocol, as a sentence fragment: "answers twice".
    func remarked(_ what: String)

    /// Receives the end of a process without an error.
    ///
    /// - Parameters:
    ///   - status: the exit status; nil if it had to be killed.
    ///   - printed: the number of printed bytes.
    func ended(_ status: CInt?, printed: Int)
}
