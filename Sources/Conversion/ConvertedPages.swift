internal import AdapterKit
internal import PageModel
internal import Planning

// The pages that become pages of an output: a merged page, or its parts.

extension Page {
    /// Returns whether the output shows the parts of this page as a spread, so that they need not be merged.
    ///
    /// The edits of the merged page must mean the same for each of its parts. A box to fit the spread into does not.
    func isShownAsSpread(in capabilities: SinkCapabilities) -> Bool {
        capabilities.showsSpreads && !parts.isEmpty && edits.withoutOmissions.allSatisfy(\.isSameForParts)
    }

    /// The parts of a merged page, each with the edits of the whole.
    var separateParts: [Page] {
        parts.map { part in
            var part = part
            part.edits += edits.withoutOmissions
            return part
        }
    }

    /// Returns the pages that the output gets if no image fails: the parts of a spread, or the page itself.
    func convertedPages(in capabilities: SinkCapabilities) -> [Page] {
        isShownAsSpread(in: capabilities) ? separateParts : [self]
    }
}
