internal import Audit
internal import Conversion
internal import OrderedJSON
internal import PageModel
internal import Work

/// The JSON of `jisui diff` and `jisui verify`.
enum ComparisonJSON {
    /// Returns the result of comparing two books.
    static func json(_ result: BookComparison, of names: [String]) -> JSON {
        .object(diff(names) + [("sign", .string(result.sign.rawValue))] + members(of: result))
    }

    /// Returns the line about books that cannot be compared.
    static func failure(of names: [String], _ error: AdapterError) -> JSON {
        .object(diff(names) + [("sign", .string(ComparisonSign.unreadable.rawValue)), ("error", error.json)])
    }

    private static func diff(_ names: [String]) -> [(key: String, value: JSON)] {
        [("jisui", .string(Jisui.version)), ("diff", 1), ("books", JSON(names.map(JSON.string)))]
    }

    /// Returns the result of verifying an output.
    static func json(_ result: BookVerification) -> JSON {
        let pair = result.pair
        var members: [(key: String, value: JSON)] = [
            ("jisui", .string(Jisui.version)), ("verify", 1), ("output", .string(pair.path)),
            ("sign", .string(result.sign.rawValue)),
            ("inputs", JSON((pair.missing.map { [$0] } ?? pair.inputs).map(JSON.string))),
        ]
        if let error = result.error { members.append(("error", error.json)) }
        if let record = pair.known?.record {
            members.append(
                ("digest", ["record": .string(record), "isSame": result.hasKnownDigest.map(JSON.boolean) ?? .null]))
        }
        guard pair.missing == nil, result.error == nil else { return .object(members) }
        members += [
            ("pageCount", .integer(result.pageCount)), ("checkedPages", .integer(result.findings.count)),
            (
                "damagedPages",
                JSON(
                    result.damages.map { damage in
                        [
                            "number": .integer(damage.place.number), "name": .string(damage.place.name),
                            "defects": JSON(damage.finding.defects.map { JSON.string($0.english) }),
                            "unchecked": JSON(damage.finding.unchecked),
                        ]
                    })
            ),
            ("warnings", JSON(result.warnings.map(\.json))),
        ]
        if let comparison = result.comparison { members += ComparisonJSON.members(of: comparison) }
        return .object(members)
    }

    private static func members(of result: BookComparison) -> [(key: String, value: JSON)] {
        [
            ("isSample", .boolean(result.isSample)), ("pages", JSON(result.pages.map(json))),
            (
                "metadata",
                JSON(
                    result.metadata.map {
                        ["field": .string($0.field), "book": JSON($0.one), "other": JSON($0.other)]
                    })
            ),
        ]
    }

    private static func json(_ page: PageComparison) -> JSON {
        var members: [(key: String, value: JSON)] = [
            ("sign", .string(page.sign.rawValue)), ("result", .string(page.word)), ("isMoved", .boolean(page.isMoved)),
            ("book", page.one.map(json) ?? .null), ("other", page.other.map(json) ?? .null),
        ]
        switch page.result {
        case .differentPixels(let difference):
            members += [
                ("maximum", .number(difference.maximum)), ("mean", .number(difference.mean)),
                ("psnr", difference.psnr.map(JSON.number) ?? .null),
            ]
        case .unreadable(let reason, _): members.append(("reason", JSON(reason)))
        default: break
        }
        return .object(members)
    }

    private static func json(_ place: PageComparison.Place) -> JSON {
        [
            "number": .integer(place.number), "name": .string(place.name), "width": JSON(place.size?.width),
            "height": JSON(place.size?.height),
        ]
    }
}
