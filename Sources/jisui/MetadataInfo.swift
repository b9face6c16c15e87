internal import Directions
internal import Metadata
internal import PageModel

extension BookMetadata {
    /// The metadata with their names, for `jisui info`. Missing values are nil.
    var namedFacts: [(name: Message, value: Message?)] {
        func list(_ names: [String]) -> Message? {
            names.isEmpty ? nil : names.commaSeparated
        }
        return MetadataField.all.flatMap { field -> [(Message, Message?)] in
            let text: String?
            switch field.kind {
            case .credits:
                let others = CreatorRole.allCases.filter { !$0.isAuthor }
                return [("authors", list(authors))]
                    + others.map { (Message(pattern: $0.rawValue), list(credits.names([$0]))) }
            case .text where field.key == "series": return [("series", placeInSeries)]
            case .text where ["volume", "number"].contains(field.key): return []
            case .direction: return [("direction", directionAndReason)]
            case .words(let path): return [(Message(pattern: field.key), list(self[keyPath: path]))]
            case .text(let path), .statement(let path), .language(let path): text = self[keyPath: path]
            case .paragraphs(let path):
                text = self[keyPath: path].map {
                    $0.count > 200 ? XMLText.clean("\($0.prefix(200))") + "…" : XMLText.clean($0)
                }
            case .date(let path): text = self[keyPath: path]?.description
            case .isbn(let path): text = self[keyPath: path]?.description
            }
            return [(Message(pattern: field.key), text.map(Message.init(verbatim:)))]
        }
    }

    /// The series with volume and number.
    private var placeInSeries: Message? {
        let place = ([volume.map { "volume \($0)" }, number.map(Message.init(verbatim:))] as [Message?])
            .compactMap(\.self).joined(separator: ", ")
        return series.map { place.isEmpty ? "\($0)" : "\($0) \(place)" } ?? (place.isEmpty ? nil : place)
    }

    private var directionAndReason: Message? {
        ReadingDirection(of: self).map { reading in
            reading.isStated
                ? "\(reading.direction.rawValue), because \(reading.reason)"
                : "not stated; \(reading.direction.rawValue) is likely, because \(reading.reason)"
        }
    }
}
