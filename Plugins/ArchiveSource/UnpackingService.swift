internal import AdapterKit
internal import Files
package import OrderedJSON
package import PageModel
package import Processes
internal import ZipFile

/// The service that unpacks archives for another process.
package struct UnpackingService: WorkerService {
    package static let id = "archive"

    /// The path of an archive that was passed as a file, after the spool.
    static let onlyPath = "/proc/self/fd/\(WorkerExchange.firstFile + 1)"

    package init() {}

    package func answer(_ json: JSON, _ exchange: WorkerExchange) throws(AdapterError) -> WorkerAnswer {
        guard let request = UnpackingRequest(json) else { throw .unknownRequest }
        var reported = 0
        do throws(AdapterError) {
            let spool = SpoolFile(adopting: WorkerExchange.firstFile)
            var spooler = try Spooler(request, into: spool) { event throws(AdapterError) in
                switch event {
                case .began(let entry): exchange.send(["began": entry.asJSON])
                case .continued(let bytes):
                    try FaultInjection.trigger(namedIn: Array(bytes))
                    // Often enough to show the caller that it makes progress.
                    reported += 1
                    if reported % 64 == 0 { exchange.send([:]) }
                case .finished(let spooled):
                    exchange.send(["entry": spooled.entry.asJSON, "content": SpooledMember.json(spooled.content)])
                }
            }
            try spooler.run()
            return WorkerAnswer(["breakage": spooler.readError?.asAnswer ?? .null])
        } catch {
            return WorkerAnswer(["failure": error.asAnswer])
        }
    }
}

// MARK: As JSON

extension UnpackingRequest {
    /// - Parameter paths: the archive's parts; nil for the one that was passed open.
    func asJSON(paths: [String]?) -> JSON {
        let members: JSON =
            switch wanted {
            case .pages: .null
            case .members(let members):
                JSON(members.map { [.integer($0.key), .integer($0.value.size), .boolean($0.value.mustBePicture)] })
            }
        return [
            "ask": "unpack", "paths": JSON((paths ?? [UnpackingService.onlyPath]).map(JSON.string)),
            "formats": .string(formats.rawValue), "password": JSON(password), "members": members,
            "passedOver": .integer(passedOver), "kept": .integer(kept), "entries": .integer(limits.entries),
            "entryBytes": .integer(limits.entryBytes), "totalBytes": .integer(limits.totalBytes),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let formats = json["formats"]?.asString.flatMap(ArchiveStream.Formats.init),
            let entries = json["entries"]?.asInteger, let entryBytes = json["entryBytes"]?.asInteger,
            let totalBytes = json["totalBytes"]?.asInteger, let passedOver = json["passedOver"]?.asInteger,
            let kept = json["kept"]?.asInteger
        else { return nil }
        let members = json["members"]?.elements.map { list in
            list.reduce(into: [Int: Member]()) { members, member in
                let parts = member.elements ?? []
                guard parts.count == 3, let place = parts[0].asInteger, let size = parts[1].asInteger else { return }
                members[place] = Member(size: size, mustBePicture: parts[2].asBoolean == true)
            }
        }
        self.init(
            volumes: VolumeSet(paths: (json["paths"]?.elements ?? []).compactMap(\.asString)), formats: formats,
            password: json["password"]?.asString, wanted: members.map { .members($0) } ?? .pages,
            limits: Limits(entries: entries, entryBytes: entryBytes, totalBytes: totalBytes))
        self.passedOver = passedOver
        self.kept = kept
    }
}

extension StreamEntry {
    fileprivate var asJSON: JSON {
        func bytes(_ bytes: [UInt8]?) -> JSON { bytes.map { JSON($0.map { .integer(Int($0)) }) } ?? .null }
        return [
            "name": bytes(name?.bytes), "utf8": .boolean(name?.isFlaggedUTF8 == true), "form": .string(form.word),
            "size": JSON(size), "encrypted": .boolean(isEncrypted), "link": bytes(linkTarget),
        ]
    }

    init?(_ json: JSON) {
        func bytes(_ json: JSON?) -> [UInt8]? {
            json?.elements?.compactMap { $0.asInteger.flatMap(UInt8.init(exactly:)) }
        }
        guard let form = json["form"]?.asString.flatMap(EntryForm.init) else { return nil }
        self.init(
            name: bytes(json["name"]).map { RawName(bytes: $0, isFlaggedUTF8: json["utf8"]?.asBoolean == true) },
            form: form, size: json["size"]?.asInteger, isEncrypted: json["encrypted"]?.asBoolean == true,
            linkTarget: bytes(json["link"]))
    }
}

extension EntryForm {
    fileprivate var word: String {
        switch self {
        case .file: "file"
        case .folder: "folder"
        case .other: "other"
        }
    }

    fileprivate init?(_ word: String) {
        switch word {
        case "file": self = .file
        case "folder": self = .folder
        case "other": self = .other
        default: return nil
        }
    }
}

extension SpooledMember {
    fileprivate static func json(_ content: (any MemberContent)?) -> JSON {
        switch content {
        case let member as SpooledMember:
            [
                "offset": .integer(member.offset), "count": .integer(member.byteCount),
                "defect": member.defect?.answer ?? .null,
            ]
        case let faulty as FaultyMember: faulty.error.asAnswer
        default: .null
        }
    }

    /// Returns the content described by an answer; nil for an entry that was not stored.
    static func content(_ json: JSON?, in spool: SpoolFile) -> (any MemberContent)? {
        guard let json, json.members != nil else { return nil }
        if let error = AdapterError(answer: json) { return FaultyMember(error: error) }
        let size = spool.size
        guard let offset = json["offset"]?.asInteger, let count = json["count"]?.asInteger, (0...size).contains(offset),
            (0...size - offset).contains(count)
        else {
            return FaultyMember(
                error: AdapterError(.damaged, "the unpacking process reported missing bytes"))
        }
        return SpooledMember(spool: spool, offset: offset, byteCount: count, defect: Message(answer: json["defect"]))
    }
}
