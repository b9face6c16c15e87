internal import AdapterKit
internal import Conversion
internal import PageModel

/// The text and the links of pages that an output cannot store.
enum LostText {
    /// The features that are reported, in this order.
    private static let features: [SinkCapabilities.Feature] = [.text, .links]

    /// Returns the features of a page that its output cannot store.
    static func lost(_ picture: Picture, in output: SinkCapabilities) -> Set<SinkCapabilities.Feature> {
        picture.features.subtracting(output.features)
    }

    /// Returns one warning for all pages; nil if nothing is lost. It is a note if the requested format never stores this.
    ///
    /// - Parameters:
    ///   - sink: the id of the output's sink.
    ///   - outputs: the ids of sinks, and their features. They are needed only if something is lost.
    static func warning(
        of pages: [PageReport], in sink: String,
        _ outputs: @autoclosure () -> [(id: String, features: Set<SinkCapabilities.Feature>)]
    ) -> Warning? {
        let lost = features.compactMap { feature -> (feature: SinkCapabilities.Feature, pages: PageRanges)? in
            let losing = pages.filter { $0.lost.contains(feature) }
            return losing.isEmpty ? nil : (feature: feature, pages: pages.ranges(of: losing))
        }
        guard let first = lost.first else { return nil }
        let list = lost.map { "\($0.feature.message) of \($0.pages.text)" as Message }.listed()
        let isOne = lost.count == 1 && first.feature == .text
        let keepers = outputs().filter { $0.features.isSuperset(of: lost.map(\.feature)) }.map(\.id)
        let sinks = keepers.map { "--to \($0)" }.listed(.or)
        // No output stores other links, and the pages were not read to know the targets of theirs.
        let hint: Message =
            if isOne {
                "use \(sinks) to keep it"
            } else if first.feature == .text {
                "use \(sinks) to keep the text, and links to pages and web addresses"
            } else {
                "use \(sinks) to keep links to pages and web addresses"
            }
        return Warning(
            code: first.feature == .text ? "text-dropped" : "links-dropped",
            message: "the output cannot store \(list)", hint: keepers.isEmpty ? nil : hint,
            isNote: !keepers.contains(sink)
        ).shared("the output cannot store \(lost.map(\.feature.message).listed())")
    }
}

extension Registry {
    /// Returns the features of each sink without settings. Sinks that require settings are omitted.
    ///
    /// They are not outputs of the run. Only a hint names them.
    func features(of request: SinkRequest) -> [(id: String, features: Set<SinkCapabilities.Feature>)] {
        sinks.compactMap { sink in
            (try? sink.capabilities(request, given: [:])).map { (sink.descriptor.id, $0.features) }
        }
    }
}

extension SinkCapabilities.Feature {
    /// The lost feature. The printed words remain in the images.
    fileprivate var message: Message { self == .text ? "the searchable text" : "the links" }
}

extension Picture {
    /// The features of the page in addition to its image; of a page with several parts, the features of any part.
    fileprivate var features: Set<SinkCapabilities.Feature> {
        var own: Set<SinkCapabilities.Feature> = []
        if hasText { own.insert(.text) }
        if hasLinks { own.insert(.links) }
        for case .joined(let joined) in representations {
            for part in joined.parts { own.formUnion(part.picture.features) }
        }
        return own
    }
}
