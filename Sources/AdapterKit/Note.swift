public import PageModel

/// One statement about what is done with a page and why: a code, and the values that go with it.
///
/// Notes hold no sentences, so that programs can tell them apart and they can be put into any language. Only
/// `Conversion`'s English makes text of them.
public struct Note: Hashable, Codable, Sendable {
    /// The kind of statement. The raw values are stable: reports print them.
    public enum Code: String, Hashable, Codable, Sendable, CaseIterable {
        // What the page is made of.
        case ownFile = "own-file"
        case repairedFile = "repaired-file"
        case originalJPEG = "original-jpeg"
        case coefficients
        case pixels
        case samples
        case drawing
        case layersTogether = "layers-together"
        case documentPage = "document-page"
        case laidTogether = "laid-together"
        case patchedFile = "patched-file"
        case patchedSamples = "patched-samples"
        case partIs = "part-is"
        case joinedCoefficients = "joined-coefficients"
        case joinedPixels = "joined-pixels"

        // What is done to its pixels.
        case kept
        case cropped
        case turned
        case mirrored
        case deskewed
        case flattened
        case scaled
        case gray
        case levelled
        case dithered

        // How it is encoded.
        /// Without loss; in an output that keeps samples rather than files, there is no format.
        case stored
        case encodedAtQuality = "encoded-at-quality"
        case encodedLikePicture = "encoded-like-picture"
        case encodedWithOwnTables = "encoded-with-own-tables"
        case encodedAsFinely = "encoded-as-finely"
        case keptInJPEGXL = "kept-in-jpeg-xl"
        case compressedAnew = "compressed-anew"
        case keptCMYK = "kept-cmyk"

        // What the output expresses by itself.
        case shownInPart = "shown-in-part"
        case shownTurned = "shown-turned"
        case shownMirrored = "shown-mirrored"
        case shownInSpread = "shown-in-spread"

        // What is added to it.
        case textReadOff = "text-read-off"
        case ownText = "own-text"

        // How much of it is made anew.
        case patchedShare = "patched-share"
        case nothingSeen = "nothing-seen"
        case marginsLeftOut = "margins-left-out"
        case overlayLeftOut = "overlay-left-out"

        // How the result differs from what was asked.
        case moreKept = "more-kept"
        case wider
        case narrower
        case cutWherePagesEnd = "cut-where-pages-end"
        case movedVertically = "moved-vertically"
        case rarelyShown = "rarely-shown"
        case ifSeen = "if-seen"
        case ifSmaller = "if-smaller"
        case loss

        // Why nothing less lossy is done.
        case fewReadersShow = "few-readers-show"
        case cannotBeHeld = "cannot-be-held"
        case rareJPEG = "rare-jpeg"
        case mustBeDecoded = "must-be-decoded"
        case sizeUnknown = "size-unknown"
        case damagedData = "damaged-data"
        case notPackedByJPEGXL = "not-packed-by-jpeg-xl"
        case notWithoutLoss = "not-without-loss"
        case tooLittleToCut = "too-little-to-cut"
        case severalPictures = "several-pictures"
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
        case partIsDrawn = "part-is-drawn"
        /// A reason in the words of a source.
        case text

        // What a composed output does with pages.
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

    public init(_ code: Code, _ values: [String: String] = [:]) {
        self.code = code
        self.values = values
    }

    /// A statement about a picture format.
    public init(_ code: Code, format: ImageEncoding) {
        self.init(code, ["format": format.rawValue])
    }

    /// A statement with a number in it.
    public init(_ code: Code, _ name: String, _ number: Int) {
        self.init(code, [name: String(number)])
    }

    /// A reason in the words of a source.
    public init(text: String) {
        self.init(.text, ["text": text])
    }

    /// The options in its values that would have things go another way: "--align start --gap 16 or 24".
    public var remedy: String? {
        let options = ["align", "gap"].compactMap { name in
            values[name].map { "--\(name) \($0.replacing(",", with: " or "))" }
        }
        return options.isEmpty ? nil : options.joined(separator: " ")
    }

    /// The note as a JSON object, its code first.
    public var json: JSON {
        .object(
            [(key: "code", value: .string(code.rawValue))]
                + values.sorted { $0.key < $1.key }.map { (key: $0.key, value: .string($0.value)) })
    }
}

extension Note {
    /// The reason why JPEGs with these keys cannot be joined; nil if they can.
    public static func difference(between keys: [JoinKey?]) -> Note? {
        guard let first = keys.first, keys.contains(where: { $0 == nil || $0 != first }) else { return nil }
        let isProfile = keys.allSatisfy { key in
            guard let key, let first else { return false }
            return key == first || key.differsOnlyInProfile(from: first)
        }
        return Note(isProfile ? .profilesDiffer : .encodedDifferently)
    }
}
