/// A statement about the treatment of a page and its reason: a code and its values.
///
/// Notes contain no sentences. Programs can therefore distinguish them, and they can be translated. Only `Conversion`
/// makes messages of them.
public struct Note: Hashable, Codable, Sendable {
    /// The kind of statement. The raw values are stable: reports print them.
    public enum Code: String, Hashable, Codable, Sendable, CaseIterable {
        // The origin of the page.
        case ownFile = "own-file"
        case repairedFile = "repaired-file"
        case originalJPEG = "original-jpeg"
        case coefficients
        case pixels
        case samples
        case drawing = "rendered"
        case combinedLayers = "combined-layers"
        case documentPage = "document-page"
        case combinedPages = "combined-pages"
        case patchedFile = "patched-file"
        case patchedSamples = "patched-samples"
        case mergedPart = "merged-part"
        case joinedCoefficients = "joined-coefficients"
        case joinedPixels = "joined-pixels"

        // The changes to its pixels.
        case kept
        case cropped
        case turned = "rotated"
        case mirrored
        case deskewed
        case flattened
        case scaled
        case gray
        case leveled
        case dithered
        /// Another operation, which `name` names and the text describes.
        case operation

        // Its encoding.
        /// Without loss; an output that keeps samples rather than files has no format.
        case stored
        case encodedAtQuality = "encoded-at-quality"
        case sixteenLevels = "sixteen-levels"
        case encodedLikeImage = "encoded-like-image"
        case encodedWithOwnTables = "encoded-with-own-tables"
        case encodedAtSimilarQuality = "encoded-at-similar-quality"
        case keptInJPEGXL = "kept-in-jpeg-xl"
        case recompressed
        case keptCMYK = "kept-cmyk"

        // The features that the output itself expresses.
        case shownInPart = "shown-in-part"
        case shownRotated = "shown-rotated"
        case shownMirrored = "shown-mirrored"
        case shownInSpread = "shown-in-spread"

        // The additions to the page.
        case textRecognized = "text-recognized"
        case ownText = "own-text"

        // The share of it that is regenerated.
        case patchedShare = "patched-share"
        case overlayInvisible = "overlay-invisible"
        case marginsDropped = "margins-dropped"
        case overlayDropped = "overlay-dropped"
        case slantDropped = "slant-dropped"
        case slantRendered = "slant-rendered"

        // The differences between the result and the request.
        case moreKept = "more-kept"
        case wider
        case narrower
        case cutWherePagesEnd = "cut-where-pages-end"
        case movedVertically = "moved-vertically"
        case rarelyShown = "rarely-shown"
        case ifVisible = "if-visible"
        case ifSmaller = "if-smaller"
        case loss

        // The reason why a less lossy method is not possible.
        case fewAppsShow = "few-apps-show"
        case cannotBeStored = "cannot-be-stored"
        case rareJPEG = "rare-jpeg"
        case mustBeDecoded = "must-be-decoded"
        case sizeUnknown = "size-unknown"
        case damagedData = "damaged-data"
        case notKeptInJPEGXL = "not-kept-in-jpeg-xl"
        case notWithoutLoss = "not-without-loss"
        case tooLittleToCut = "too-little-to-cut"
        case severalImages = "several-images"
        case noBetter = "no-better"
        case storedInLayers = "stored-in-layers"
        case doesNotFit = "does-not-fit"
        case encodedDifferently = "encoded-differently"
        case profilesDiffer = "profiles-differ"
        case offGrid = "off-grid"
        case someAreScaled = "some-are-scaled"
        case noColorForGaps = "no-color-for-gaps"
        case nothingLeft = "nothing-left"
        case partIsChanged = "part-is-changed"
        case partNotCuttable = "part-not-cuttable"
        case partNotJPEG = "part-not-jpeg"
        case partIsSampled = "part-is-sampled"
        case partIsRendered = "part-is-rendered"
        /// A reason in the words of a source.
        case text

        // The use of pages in a composed output.
        case laidIntoStrip = "laid-into-strip"
        case cutIntoTiles = "cut-into-tiles"
        case joinedIntoStrip = "joined-into-strip"
        case joinedIntoSlices = "joined-into-slices"
        case losslessIfJoinable = "lossless-if-joinable"
        case slicedIfJoinable = "sliced-if-joinable"
        case notJoinable = "not-joinable"
        case scaledWhereNarrower = "scaled-where-narrower"
        case scaledToWidest = "scaled-to-widest"
        case reducedToEightBits = "reduced-to-eight-bits"
        case transparencyFlattened = "transparency-flattened"
        case colorsConverted = "colors-converted"
    }

    public var code: Code
    /// The values by name, as text; numbers in decimal, formats as `ImageEncoding`'s raw values, lists separated by
    /// commas.
    public var values: [String: String]
    /// A reason, or a description, in the words of a source.
    public var text: Message?

    public init(_ code: Code, _ values: [String: String] = [:], text: Message? = nil) {
        self.code = code
        self.values = values
        self.text = text
    }

    /// Makes a statement about an image format.
    public init(_ code: Code, format: ImageEncoding) {
        self.init(code, ["format": format.rawValue])
    }

    /// Makes a statement with a number in it.
    public init(_ code: Code, _ name: String, _ number: Int) {
        self.init(code, [name: String(number)])
    }

    /// Makes a reason in the words of a source.
    public init(text: Message) {
        self.init(.text, text: text)
    }

    /// The options in its values that would change the result: "--align start --gap 16 or 24".
    public var remedy: String? {
        let options = ["align", "gap"].compactMap { name in
            values[name].map { "--\(name) \($0.replacing(",", with: " or "))" }
        }
        return options.isEmpty ? nil : options.joined(separator: " ")
    }

    /// The note without the page that it names, for counting the pages with one reason.
    public var ofAnyPage: Note {
        var copy = self
        copy.values["page"] = nil
        return copy
    }
}

extension Note {
    /// Returns the reason why JPEGs with these keys cannot be joined; nil if they can.
    public static func difference(between keys: [JoinKey?]) -> Note? {
        guard let first = keys.first, keys.contains(where: { $0 == nil || $0 != first }) else { return nil }
        let isProfile = keys.allSatisfy { key in
            guard let key, let first else { return false }
            return key == first || key.differsOnlyInProfile(from: first)
        }
        return Note(isProfile ? .profilesDiffer : .encodedDifferently)
    }
}
