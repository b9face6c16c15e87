internal import AdapterKit
internal import PageModel
internal import Scratch

extension SinkCheck {
    /// Every page comes back, untouched and in order.
    func roundTrip(_ read: Reader) async {
        await writeAndRead(pages, "writing and reading it back", read)
    }

    /// Damaged pages stay away, and the others close up.
    func pagesLeftOut(_ read: Reader) async {
        var some = pages.filter { !$0.number.isMultiple(of: 5) }
        for index in some.indices { some[index].number = index + 1 }
        await writeAndRead(some, "writing it with pages left out and reading it back", read)
    }

    private func writeAndRead(_ pages: [FinishedPage], _ what: String, _ read: Reader) async {
        let result = await findings.attempt(what) {
            let scratch = try ScratchFolder()
            let names = try await write(pages, to: scratch(name))
            return (names: names, there: scratch.names(), bytes: try await read(scratch(name)))
        }
        guard let (names, there, bytes) = result else { return }
        findings.expect(there == [name], "\(what) left other files beside the output: \(there)")
        if composes {
            findings.expect(!bytes.isEmpty, "nothing came back of \(pages.count) pages")
            return
        }
        findings.expect(
            names.count == Set(names).count && names.allSatisfy { !$0.isEmpty }, "pages got the same names: \(names)")
        findings.expect(bytes.count == pages.count, "\(bytes.count) of \(pages.count) pages came back")
        let wrong = zip(pages, bytes).first { SinkCheck.bytes($0) != $1 }
        if let (page, bytes) = wrong {
            let other = pages.first { SinkCheck.bytes($0) == bytes }
            findings.fail(
                "in place \(page.number) there came back "
                    + (other.map { "page \($0.number)" } ?? "\(bytes.count) bytes that are no page's"))
        }
    }

    /// The same book is written as the same bytes, whenever and under whatever name.
    func sameBytes() async {
        await findings.attempt("writing it twice") {
            let scratch = try ScratchFolder()
            try await write(pages, to: scratch(name))
            try await write(pages, to: scratch("other" + name))
            return try contents(of: name, in: scratch) == contents(of: "other" + name, in: scratch)
        }.map { findings.expect($0, "written twice it becomes two different outputs") }
    }

    /// All bytes of an output: one file's, or those of every file in a folder.
    private func contents(of name: String, in scratch: ScratchFolder) throws -> [String: [UInt8]] {
        guard sink.form(settings) == .folder else { return ["": try scratch.read(name)] }
        return try scratch.names(in: name).reduce(into: [:]) { $0[$1] = try scratch.read("\(name)/\($1)") }
    }
}
