internal import AdapterKit
internal import PageModel
internal import Scratch

extension SinkCheck {
    /// The output is there whole or not at all, and what stood in its place is safe until then.
    func atomicity(_ read: Reader) async {
        await nothingBeforeFinish()
        await nothingAfterLettingGo()
        await existingOutput(read)
        await findings.expectError(.unwritable, "writing it into a folder that is not there") {
            let scratch = try ScratchFolder()
            try await write(pages, to: scratch("none/\(name)"))
        }
    }

    private func nothingBeforeFinish() async {
        let seen = await findings.attempt("writing it") {
            let scratch = try ScratchFolder()
            let session = try begin(scratch(name))
            for page in pages { _ = try session.add(page) }
            let before = scratch.names()
            try await session.finish()
            return (before: before, after: scratch.names())
        }
        guard let (before, after) = seen else { return }
        findings.expect(!before.contains(name), "something is at the destination before finish")
        findings.expect(after == [name], "after finish there is \(after) and not just \(name)")
    }

    /// Nothing is left of a session that is let go at any time: fresh, in the middle, and right before its end.
    private func nothingAfterLettingGo() async {
        for count in [0, 1, pages.count] {
            let left = await findings.attempt("letting a session go") {
                let scratch = try ScratchFolder()
                try abandon(after: count, scratch(name))
                return scratch.names()
            }
            findings.expect(left ?? [] == [], "a session let go after \(count) pages leaves \(left ?? [])")
        }
    }

    private func abandon(after count: Int, _ path: String, mayReplace: Bool = false) throws(AdapterError) {
        let session = try begin(path, mayReplace: mayReplace)
        for page in pages.prefix(count) { _ = try session.add(page) }
    }

    private func existingOutput(_ read: Reader) async {
        guard let scratch = await findings.attempt("making a folder", { try ScratchFolder() }) else { return }
        let (old, new) = (Array(pages.prefix(3)), Array(pages.suffix(4)))
        let path = scratch(name)
        await findings.attempt("writing it") { _ = try await write(old, to: path) }
        await findings.expectError(.exists, "writing it over another without leave") { try await write(new, to: path) }
        await expect(old, at: path, "after an attempt without leave to replace it", read)
        await findings.attempt("letting go a session that may replace") {
            try abandon(after: 2, path, mayReplace: true)
        }
        await expect(old, at: path, "after a session that was let go", read)
        await findings.attempt("replacing it") { _ = try await write(new, to: path, mayReplace: true) }
        await expect(new, at: path, "after it was replaced", read)
        findings.expect(scratch.names() == [name], "replacing it left \(scratch.names())")
    }

    private func expect(_ pages: [FinishedPage], at path: String, _ when: String, _ read: Reader) async {
        let bytes = await findings.attempt("reading the output \(when)") { try await read(path) }
        let expected = await findings.attempt("writing it elsewhere") { try await contents(of: pages, read) }
        findings.expect(bytes == expected, "the output is not what it should be \(when)")
    }

    /// What an output of these pages must hold: the pages' own bytes, or what the sink makes of them.
    private func contents(of pages: [FinishedPage], _ read: Reader) async throws -> [[UInt8]] {
        guard composes else { return pages.map(SinkCheck.bytes) }
        let scratch = try ScratchFolder()
        try await write(pages, to: scratch(name))
        return try await read(scratch(name))
    }
}
