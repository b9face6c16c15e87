/// The time that a process has for an answer, in seconds.
package enum AnswerTime {
    /// For the next line of a list.
    package static let list = 60
    /// For everything else, unless `--page-timeout` is longer.
    package static let page = 15
}
