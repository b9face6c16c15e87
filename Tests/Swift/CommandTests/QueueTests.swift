internal import Glibc
internal import Scratch
internal import Testing

/// Runs over many books: how they are found and divided, and the status by which an engine decides what to do next.
@Suite struct QueueTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        mkdir(scratch("temporary"), 0o777)
        for name in ["a/one.png", "a/two.png", "b/book.pdf"] {
            let fixture = name.hasSuffix("pdf") ? "PDFSource/vector.pdf" : "Imaging/gray.png"
            try scratch.write("shelf/\(name)", Files.read("\(BuiltJisui.fixtures)/good/\(fixture)"))
        }
        try scratch.write("shelf/b/notes.txt", [1, 2])
    }

    private func jisui(
        _ arguments: String, before: String = "", environment: [String: String] = [:]
    ) throws -> Program.Outcome {
        try Program.outcome(
            "\(before) '\(BuiltJisui.path)' \(arguments)", in: scratch("."),
            environment: BuiltJisui.environment(temporary: scratch("temporary")).merging(environment) { $1 })
    }

    @Test func foldersAreSearchedAndKept() throws {
        let outcome = try jisui("shelf --recursive -o out/ --to cbz")
        #expect(outcome.status == 0, "\(outcome.errorText)")
        #expect(scratch.names(in: "out") == ["a.cbz", "b"] && scratch.names(in: "out/b") == ["book.cbz"])
        #expect(outcome.errorText.contains("skipped 1 file that is not a book (shelf/b/notes.txt)"))
        let verbose = try jisui("shelf --recursive -o out/ --to cbz --verbose --force")
        #expect(verbose.errorText.contains("not a book: shelf/b/notes.txt\n"))
        // The output folder is no input.
        #expect(try jisui("shelf -o shelf/out/ --to cbz --recursive -q").status == 0)
        #expect(try jisui("shelf -o shelf/out/ --to cbz --recursive -q --skip-existing").status == 0)
        #expect(scratch.names(in: "shelf/out") == ["a.cbz", "b"])
    }

    /// The outputs of the first run are no inputs of the second one.
    @Test func outputsNextToTheInputsAreNoInputs() throws {
        #expect(try jisui("shelf -r --to cbz -q").status == 0)
        #expect(scratch.names(in: "shelf/b") == ["book.cbz", "book.pdf", "notes.txt"])
        #expect(scratch.names(in: "shelf") == ["a", "a.cbz", "b"])
        let again = try jisui("shelf -r --to cbz --skip-existing")
        #expect(again.status == 0 && again.errorText.contains("2 books: 0 done, 2 done before"), "\(again.errorText)")
    }

    @Test func emptyFoldersOfFailedBooksAreRemoved() throws {
        try scratch.write("shelf/c/d/broken.pdf", [1, 2, 3])
        let outcome = try jisui("shelf --recursive -o out/ --to cbz -q")
        #expect(outcome.status == 1)
        #expect(scratch.names(in: "out") == ["a.cbz", "b"])
    }

    @Test(arguments: ["printf 'shelf/a\\nshelf/b/book.pdf\\n'", "printf 'shelf/a\\0shelf/b/book.pdf\\0'"])
    func listNamesTheInputs(_ list: String) throws {
        let null = list.contains("\\0") ? "--null" : ""
        let outcome = try jisui("--from-list - \(null) -o out/ --to cbz -q", before: "\(list) |")
        #expect(outcome.status == 0, "\(outcome.errorText)")
        #expect(scratch.names(in: "out") == ["a.cbz", "book.cbz"])
    }

    @Test func dryRunPrintsATable() throws {
        try scratch.write("shelf/b/book.epub", [1, 2, 3])
        let outcome = try jisui("shelf --recursive -o out/ --to cbz --journal j -n")
        #expect(outcome.status == 1)
        let lines = outcome.outputText.split(separator: "\n")
        #expect(
            lines.count == 3 && lines.first?.hasPrefix("convert  ") == true
                && lines.last?.hasPrefix("refuse   ") == true, "\(lines)")
        #expect(lines.dropFirst().first?.hasSuffix("shelf/b/book.epub -> out/b/book.cbz") == true, "\(lines)")
        #expect(outcome.errorText.contains("would both become out/b/book.cbz"))
        #expect(!scratch.names().contains("out") && !scratch.names().contains("j"))
    }

    @Test(arguments: [
        ("--include '*.pdf' shelf", "--include needs --recursive"), ("--update shelf/a", "--update needs --journal"),
        ("--retry-failed shelf/a", "--retry-failed needs --journal"), ("--null shelf/a", "--null needs --from-list"),
        ("--recursive --combine shelf shelf", "--combine makes one book"), ("--shard 3/2 shelf/a", "--shard takes"),
        ("--journal - shelf/a", "--journal needs a file"), ("--recursive -", "--recursive cannot search"),
        ("--from-list /dev/null", "/dev/null"), ("--shard auto shelf/a", "--shard auto finds no array"),
    ])
    func impossibleRequestsAreRefused(_ arguments: String, _ message: String) throws {
        let outcome = try jisui("-o out/ --to cbz \(arguments)", before: "true |")
        #expect([1, 64].contains(outcome.status))
        #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
        #expect(outcome.errorText.split(separator: "\n").count == 1)
    }

    /// The variables that each engine sets, and nothing else.
    @Test(arguments: [
        (
            "SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_MAX=6 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=3",
            "auto", "2/3, by Slurm"
        ),
        (
            "SLURM_ARRAY_TASK_ID=8 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_STEP=4 SLURM_ARRAY_TASK_COUNT=3",
            "auto", "3/3, by Slurm"
        ),
        // One task of an array that is run again.
        (
            "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_MAX=2 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=1",
            "auto/3", "2/3, by Slurm"
        ),
        ("JOB_COMPLETION_INDEX=1", "auto/3", "2/3, by Kubernetes"),
        ("AWS_BATCH_JOB_ARRAY_INDEX=1 AWS_BATCH_JOB_ARRAY_SIZE=3", "auto", "2/3, by AWS Batch"),
        ("BATCH_TASK_INDEX=0 BATCH_TASK_COUNT=3", "auto", "1/3, by Google Batch"),
        ("LSB_JOBINDEX=2 LSB_JOBINDEX_END=3 LSB_JOBINDEX_STEP=1", "auto", "2/3, by LSF"),
        ("SGE_TASK_ID=2 SGE_TASK_FIRST=1 SGE_TASK_LAST=3 SGE_TASK_STEPSIZE=1", "auto", "2/3, by Grid Engine"),
    ])
    func enginesTellTheShard(_ variables: String, _ shard: String, _ expected: String) throws {
        let outcome = try jisui(
            "shelf --recursive -o out/ --to cbz -n --shard \(shard)", before: "env -i LC_ALL=C.UTF-8 \(variables)")
        #expect(outcome.status == 0, "\(outcome.errorText)")
        #expect(outcome.errorText.hasPrefix("shard \(expected)\n"), "\(outcome.errorText)")
    }

    @Test(arguments: [
        ("JOB_COMPLETION_INDEX=1", "auto", "add the number"),
        ("JOB_COMPLETION_INDEX=3", "auto/3", "is not among 1 to 3"),
        (
            "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=3",
            "auto", "have gaps"
        ),
        (
            "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=0 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=1",
            "auto/3", "is not among 1 to 3"
        ),
        ("SGE_TASK_ID=undefined", "auto", "finds no array"), ("LSB_JOBINDEX=0", "auto", "finds no array"),
        ("JOB_COMPLETION_INDEX=1 BATCH_TASK_INDEX=1 BATCH_TASK_COUNT=2", "auto/3", "finds arrays of Kubernetes and"),
    ])
    func contradictionsOfEnginesAreRefused(_ variables: String, _ shard: String, _ expected: String) throws {
        let outcome = try jisui(
            "shelf --recursive -o out/ --to cbz -n --shard \(shard)", before: "env -i LC_ALL=C.UTF-8 \(variables)")
        #expect(outcome.status == 64 && outcome.errorText.contains(expected), "\(outcome.errorText)")
    }

    @Test func shardsMakeTheWhole() throws {
        for number in 0..<9 { try scratch.write("shelf/n/\(number).pdf", Files.read(scratch("shelf/b/book.pdf"))) }
        for shard in 1...3 {
            let outcome = try jisui("shelf --recursive -o out/ --to cbz -q --shard \(shard)/3")
            #expect(outcome.status == 0, "\(outcome.errorText)")
        }
        #expect(scratch.names(in: "out/n").count == 9 && scratch.names(in: "out") == ["a.cbz", "b", "n"])
    }

    @Test func partWithoutABookIsDone() throws {
        let outcome = try jisui("shelf -r -o out/ --to cbz --shard 5/5 --journal j")
        #expect(outcome.status == 0 && outcome.errorText.contains("0 books: 0 done"), "\(outcome.errorText)")
    }

    /// A run that is refused leaves the report of the other one.
    @Test func refusedRunKeepsTheReport() throws {
        #expect(try jisui("shelf -r -o out/ --to cbz --report r --journal j -q").status == 0)
        let report = try scratch.read("r")
        #expect(try jisui("shelf -r -o out/ --to cbz --report r --journal j -q", before: "flock j").status == 75)
        #expect(try scratch.read("r") == report && !report.isEmpty)
    }

    @Test func lockedJournalIsTemporary() throws {
        let outcome = try jisui("shelf -o out/ --to cbz --recursive --journal j -q", before: "touch j; flock j")
        #expect(outcome.status == 75)
        #expect(
            outcome.errorText
                == "jisui: error: j: another run of jisui uses the journal; wait until it finishes, or use another file\n"
        )
        #expect(!scratch.names().contains("out"))
    }
}
