/// What the command tells its caller; thrown by a subcommand that has said all there is to say.
enum ExitStatus: CInt, Error {
    case done = 0
    case failed = 1
    /// The output is there, but something about it was warned of.
    case warnings = 3
    /// sysexits' EX_USAGE, which argument-parser uses too.
    case usage = 64
    /// As shells report a program that SIGINT ended.
    case interrupted = 130
}
