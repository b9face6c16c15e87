package import PageModel

/// The codes of notes that the conversion itself reports.
extension Note.Code {
    // The origin of the page.
    package static let ownFile = Note.Code("own-file") { "the source's own \($0.format)" }
    package static let repairedFile = Note.Code("repaired-file") { $0.words }
    package static let originalJPEG = Note.Code("original-jpeg", "the JPEG that the JPEG XL was made of")
    package static let coefficients = Note.Code("coefficients", "the JPEG's own coefficients")
    package static let pixels = Note.Code("pixels") { "the \($0.format)'s pixels" }
    package static let samples = Note.Code("samples") { note in
        note.compression.map { "\($0) samples" } ?? "samples"
    }
    package static let drawing = Note.Code("rendered") { "at \($0.value("resolution")) pixels per inch" }
    package static let combinedLayers = Note.Code("combined-layers") { note in
        "\(note.value("layers")) layers of the scan put together at \(note.value("resolution")) pixels per inch"
    }
    package static let documentPage = Note.Code("document-page") { note in
        "the \(note.value("format").uppercased())'s page copied whole"
    }
    package static let combinedPages = Note.Code("combined-pages") { note in
        note.values["document"].map { "\(note.value("pages")) pages of the \($0.uppercased()) copied whole onto one" }
            ?? "\(note.value("pages")) pages laid side by side on one"
    }
    package static let patchedFile = Note.Code("patched-file") { "\($0.words) laid over the source's own \($0.format)" }
    package static let patchedSamples = Note.Code("patched-samples") { note in
        note.compression.map { "\(note.words) laid over \($0) samples" } ?? "\(note.words) laid over samples"
    }
    package static let mergedPart = Note.Code("merged-part") { note in
        let treatment = Treatment(rawValue: note.value("treatment"))?.word ?? "?"
        return "\(note.page) \(treatment) (\(note.words))"
    }
    package static let joinedCoefficients = Note.Code("joined-coefficients") { note in
        note.value("pages") == "1"
            ? "the page's own coefficients" : "the \(note.value("pages")) pages' own coefficients"
    }
    package static let joinedPixels = Note.Code("joined-pixels") { note in
        note.value("pages") == "1" ? "the page's pixels" : "the \(note.value("pages")) pages' pixels"
    }

    // The changes to its pixels.
    package static let cropped = Note.Code("cropped", "cropped")
    package static let mirrored = Note.Code("mirrored", "mirrored")

    // Its encoding.
    package static let stored = Note.Code("stored") { note in
        note.values["format"] == nil ? "stored without loss" : "stored as \(note.format)"
    }
    package static let layered = Note.Code("layered") { note in
        "stored as print over images of 100 to 150 pixels per inch at quality \(note.value("quality"))"
    }
    package static let encodedAtQuality = Note.Code("encoded-at-quality") { note in
        "encoded as \(note.format) at quality \(note.value("quality"))"
    }
    package static let sixteenLevels = Note.Code(
        "sixteen-levels", "in 16 levels of gray, because its largest image is black and white")
    package static let fewColors = Note.Code("few-colors") { note in
        note.values["moved"].map { moved in
            "in 16 colors or fewer, because nearly all pixels have them; others moved by up to \(moved) of 255"
        } ?? "in 16 colors or fewer, because all pixels have them"
    }
    package static let encodedLikeImage = Note.Code("encoded-like-image") { note in
        "encoded as \(note.format) with the quantization tables of its largest image"
    }
    package static let encodedWithOwnTables = Note.Code("encoded-with-own-tables") { note in
        "encoded as \(note.format) with its original quantization tables"
    }
    package static let encodedAtSimilarQuality = Note.Code("encoded-at-similar-quality") { note in
        "encoded as \(note.format) at similar quality"
    }
    package static let keptInJPEGXL = Note.Code("kept-in-jpeg-xl", "kept in a JPEG XL")

    // The features that the output itself expresses.
    package static let shownInPart = Note.Code("shown-in-part", "shown in part")
    package static let shownRotated = Note.Code("shown-rotated") { "shown rotated by \($0.value("degrees"))°" }
    package static let shownMirrored = Note.Code("shown-mirrored", "shown mirrored")
    package static let shownInSpread = Note.Code("shown-in-spread") { note in
        "shown on the \(Side(rawValue: note.value("side"))?.word ?? "?") of a spread"
    }

    // The share of it that is regenerated.
    package static let patchedShare = Note.Code("patched-share") { note in
        note.text.map { "\(note.share) % of it changed by '\($0)'" }
            ?? "\(note.share) % of it changed"
    }
    package static let madeProgressive = Note.Code("made-progressive", "as a progressive JPEG")
    package static let overlayInvisible = Note.Code("overlay-invisible", "its overlay is not visible")
    package static let marginsDropped = Note.Code("margins-dropped", "without the blank paper around it")
    package static let overlayDropped = Note.Code("overlay-dropped") { "without \($0.words) over it" }
    package static let overlayKept = Note.Code("overlay-kept") { "with \($0.words) that hides a part of it" }
    package static let slantDropped = Note.Code("slant-dropped") { note in
        "without the slant of \(note.value("degrees"))° that the page shows"
    }
    package static let slantRendered = Note.Code("slant-rendered") { note in
        "with the slant of \(note.value("degrees"))° that the page shows"
    }

    // The differences between the result and the request.
    package static let moreKept = Note.Code("more-kept") { note in
        switch (note.values["left"], note.values["top"]) {
        case (let left?, let top?): "with \(left) px more on the left and \(top) px more on the top"
        case (let left?, nil): "with \(left) px more on the left"
        case (_, let top): "with \(top ?? "?") px more on the top"
        }
    }
    package static let wider = Note.Code("wider") { "\($0.value("pixels")) px wider than they are" }
    package static let narrower = Note.Code("narrower") { "\($0.value("pixels")) px narrower than they are" }
    package static let cutWherePagesEnd = Note.Code("cut-where-pages-end") { note in
        "cut by up to \(note.value("pixels")) px where they end"
    }
    package static let movedVertically = Note.Code("moved-vertically") {
        "moved by \($0.value("pixels")) px vertically"
    }
    package static let rarelyShown = Note.Code("rarely-shown") { "not every reader shows \($0.format)" }
    package static let inksRarelyShown = Note.Code(
        "inks-rarely-shown", "not every e-reader shows CMYK; use --image-format to convert it")
    package static let ifVisible = Note.Code("if-visible", "if it is visible")
    package static let ifSmaller = Note.Code("if-smaller", "if that makes it smaller")

    // The reason why a less lossy method is not possible.
    package static let orientationApplied = Note.Code(
        "orientation-applied", "not every reader rotates it as its metadata state")
    package static let fewAppsShow = Note.Code("few-apps-show") { "few readers show \($0.format)" }
    package static let cannotBeStored = Note.Code("cannot-be-stored") { note in
        note.values["format"] == ImageEncoding.jpeg2000Codestream.rawValue
            ? "the output cannot hold a bare codestream of JPEG 2000" : "the output cannot hold \(note.format)"
    }
    package static let rareJPEG = Note.Code("rare-jpeg", "few programs read a JPEG of its kind")
    package static let mustBeDecoded = Note.Code("must-be-decoded") { "the \($0.format) would have to be decoded" }
    package static let sizeUnknown = Note.Code("size-unknown") { note in
        "the \(note.format) does not tell its size before it is decoded"
    }
    package static let damagedData = Note.Code("damaged-data", "its data is damaged")
    package static let notKeptInJPEGXL = Note.Code("not-kept-in-jpeg-xl", "JPEG XL cannot hold a JPEG of its kind")
    package static let notWithoutLoss = Note.Code("not-without-loss") { note in
        "the \(note.format) cannot be \(note.notes.message) without loss"
    }
    package static let tooLittleToCut = Note.Code(
        "too-little-to-cut", "the few px outside stay, because cutting them off would re-encode")
    package static let severalImages = Note.Code("several-images", "it holds several images")
    package static let noBetter = Note.Code("no-better") { "as \($0.format) it would be no better" }
    package static let storedInLayers = Note.Code("stored-in-layers", "the scan is stored in layers")
    package static let doesNotFit = Note.Code("does-not-fit") { note in
        "a \(note.format) holds no more than \(note.value("maximum")) pixels across"
    }
    package static let nothingLeft = Note.Code("nothing-left") { "nothing would be left of \($0.page)" }
    package static let partNotCuttable = Note.Code("part-not-cuttable") { note in
        "\(note.page) cannot be cut without decoding it"
    }
    package static let partIsSampled = Note.Code("part-is-sampled") { note in
        note.compression.map { "\(note.page) is stored as \($0), not as JPEG" }
            ?? "\(note.page) is stored as samples, not as JPEG"
    }
    package static let partIsRendered = Note.Code("part-is-rendered") { note in
        note.text.map { "\(note.page) is rendered at \(note.value("resolution")) pixels per inch, because \($0)" }
            ?? "\(note.page) is rendered at \(note.value("resolution")) pixels per inch"
    }
}

extension Note {
    /// The message about an overlay that may turn out to be invisible; nil for other notes.
    var planned: Message? {
        switch code {
        case .patchedFile: "would place \(words) over the \(format)"
        case .patchedSamples:
            compression.map { "would place \(words) over \($0) samples" } ?? "would place \(words) over samples"
        default: nil
        }
    }
    /// The changed share of an image in percent: a number, or "under 0.1".
    fileprivate var share: Message { Message(pattern: value("percent")) }

    /// The compression of samples; nil if they have none, or a plug-in does not name it.
    fileprivate var compression: Message? {
        values["compression"].flatMap { ["none", "samples"].contains($0) ? nil : CompressionName.message($0) }
    }
}
