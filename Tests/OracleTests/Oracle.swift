internal import Glibc
internal import Scratch
internal import Testing

extension Trait where Self == ConditionTrait {
    /// Leaves a test out where one of the programs that other people wrote to judge jisui by is missing. With CI=true
    /// all of them are supposed to be there, and the test fails instead.
    static func needs(_ programs: String...) -> ConditionTrait {
        let missing = programs.filter { !Program.exists($0) }
        let mustRun = getenv("CI").map { String(cString: $0) } == "true"
        return .enabled(if: missing.isEmpty || mustRun, "not installed: \(missing.joined(separator: ", "))")
    }
}
