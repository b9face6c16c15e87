internal import Files
internal import PageModel
internal import Work

/// An engine that runs one command many times, with the number of each in variables.
struct Engine {
    /// A variable that every task has, and only tasks have.
    private let index: String
    /// The variables of the first and the last number and of the step; empty for numbers from 0 to a count.
    private var range: (first: String?, last: String, step: String)?
    /// The variable of the number of tasks.
    private var count: String?
    private let name: Message

    /// The engines, each once.
    private static let all = [
        Engine(
            index: "SLURM_ARRAY_TASK_ID",
            range: ("SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP"),
            count: "SLURM_ARRAY_TASK_COUNT", name: "Slurm"),
        Engine(index: "JOB_COMPLETION_INDEX", name: "Kubernetes"),
        Engine(index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE", name: "AWS Batch"),
        Engine(index: "BATCH_TASK_INDEX", count: "BATCH_TASK_COUNT", name: "Google Batch"),
        Engine(index: "LSB_JOBINDEX", range: (nil, "LSB_JOBINDEX_END", "LSB_JOBINDEX_STEP"), name: "LSF"),
        Engine(
            index: "SGE_TASK_ID", range: ("SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE"), name: "Grid Engine"),
    ]

    /// Returns the shard of this process, and a note on it.
    ///
    /// - Parameters:
    ///   - given: the number of shards; nil to take that of the engine.
    ///   - variable: returns the value of a variable.
    /// - Throws: `UsageError` if the variables do not state a number, or contradict each other.
    static func shard(
        of given: Int?, _ variable: (String) -> String? = Environment.text
    ) throws(UsageError) -> (shard: Shard, note: Message) {
        // LSF sets 0 and Grid Engine "undefined" outside of an array.
        let engines = all.filter { engine in
            variable(engine.index).flatMap { Int($0) }.map {
                $0 > 0 || engine.range?.first != nil || engine.range == nil
            }
                ?? false
        }
        guard let engine = engines.first else {
            throw UsageError(
                "--shard auto finds no array of Slurm, Kubernetes, AWS Batch, Google Batch, LSF or Grid Engine",
                hint: "give the number, as in --shard 1/16")
        }
        if let other = engines.dropFirst().first {
            throw UsageError(
                "--shard auto finds arrays of \(engine.name) and \(other.name)",
                hint: "give the number, as in --shard 1/16")
        }
        let (number, count) = try engine.place(given, variable)
        guard let shard = Shard(number, of: count) else {
            throw UsageError(
                "--shard auto: task \(number) of \(engine.name) is not among 1 to \(count)",
                hint: "give the number, as in --shard 1/16")
        }
        return (shard, "shard \(number)/\(count), by \(engine.name)")
    }

    /// Returns the number of this task from 1, and the number of tasks.
    private func place(_ given: Int?, _ variable: (String) -> String?) throws(UsageError) -> (Int, Int) {
        func number(_ name: String?) -> Int? { name.flatMap(variable).flatMap { Int($0) } }
        let own = number(index) ?? 0
        // A task that is run again alone is an array of its own. Its number still counts from 1.
        if let given { return (range == nil ? own + 1 : own, given) }
        guard let range else {
            guard let count = number(count) else {
                throw UsageError(
                    "\(name) does not tell its tasks how many there are", hint: "add the number, as in --shard auto/16")
            }
            return (own + 1, count)
        }
        let (first, step) = (number(range.first) ?? 1, max(1, number(range.step) ?? 1))
        guard let last = number(range.last), last >= first, own >= first, (own - first) % step == 0 else {
            throw UsageError(
                "\(name) does not tell its tasks how many there are", hint: "add the number, as in --shard auto/16")
        }
        let whole = (last - first) / step + 1
        guard number(count) ?? whole == whole else {
            throw UsageError(
                "the numbers of \(name)'s array have gaps",
                hint: "use one range, as in --array=1-16, or --shard auto/16")
        }
        return ((own - first) / step + 1, whole)
    }
}
