import Files
import Scratch
import Testing

/// Small PDFs that unpack to gigabytes.
@Suite struct UnpackingTests {
    /// Without limits, each of these needs gigabytes, or writes a file that is a thousand times larger.
    @Test(.needs("python3")) func memoryStaysWithinItsLimit() throws {
        let scratch = try ScratchFolder()
        let programs = "\(BuiltJisui.repository)/Tests/Programs/PDF"
        #expect(Program.run("python3 '\(programs)/hostile.py' '\(scratch.path)'") == 0)
        let measured = try Program.outcome(
            "python3 '\(programs)/peaks.py' '\(scratch.path)' '\(BuiltJisui.path)' --max-memory 200")
        #expect(measured.status == 0, "\(measured.errorText)")
        let lines = measured.outputText.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines.count >= 20)
        for line in lines {
            let (name, megabytes, status, output) = (line[0], Int(line[1]) ?? 0, Int(line[2]) ?? -1, Int(line[3]) ?? 0)
            #expect([0, 1, 3].contains(status), "\(name)")
            #expect(output < 1_000_000, "\(name): \(output) bytes")
            // The address sanitizer needs memory of its own.
            #expect(BuiltJisui.isSanitized || (megabytes > 10 && megabytes < 400), "\(name): \(megabytes) MB")
        }
    }
}
