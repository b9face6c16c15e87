public import AdapterKit
public import PageModel

/// What became of one book: version 1 of the format that GUIDE.md describes.
public struct Report: Sendable {
    public static let version = 1

    public var inputs: [String]
    public var output: String
    /// The ids of the source and of the sink.
    public var from: String
    public var to: String
    public var direction: Direction?
    public var pages: [PageReport] = []
    public var warnings: [Warning] = []
    /// Files and entries of the input that are no pages.
    public var skipped: [String] = []

    public func count(_ treatment: Treatment) -> Int {
        pages.count { $0.treatment == treatment }
    }

    /// - Parameter version: the version of jisui.
    public func json(version: String) -> JSON {
        var members: [(key: String, value: JSON)] = [
            ("jisui", .string(version)), ("report", .integer(Report.version)), ("input", JSON(inputs.first)),
        ]
        if inputs.count > 1 { members.append(("inputs", JSON(inputs.map(JSON.string)))) }
        members += [
            ("output", .string(output)), ("from", .string(from)), ("to", .string(to)),
            ("direction", JSON(direction?.rawValue)), ("pages", JSON(pages.map(\.json))),
            ("warnings", JSON(warnings.map(\.json))),
            ("counts", .object(Treatment.allCases.map { ($0.rawValue, .integer(count($0))) })),
            ("skipped", JSON(skipped.map(JSON.string))),
        ]
        return .object(members)
    }
}

extension Warning {
    public var json: JSON {
        ["code": .string(code), "page": JSON(page), "message": .string(message), "advice": JSON(advice)]
    }
}
