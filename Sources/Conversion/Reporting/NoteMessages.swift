public import AdapterKit
public import PageModel

// Only this file puts notes into words.

extension Reason {
    /// The reason as a sentence fragment like "the JPEG's pixels, cropped and scaled, stored as PNG".
    public var message: Message {
        var text: Message = ""
        var index = 0
        while index < parts.count {
            let part = parts[index]
            if part.role == .operation {
                let operations = parts[index...].prefix { $0.role == .operation }
                text = "\(text), \(operations.map(\.note.message).listed())"
                index = operations.endIndex
                continue
            }
            text = part.role.joined(text, part.note.message)
            index += 1
        }
        return text
    }
}

extension Reason.Role {
    /// Returns a text with a note in this role after it.
    fileprivate func joined(_ text: Message, _ note: Message) -> Message {
        switch self {
        case .basis: text.isEmpty ? note : "\(text)\(note)"
        case .operation, .detail: "\(text), \(note)"
        case .result: "\(text) \(note)"
        case .addition: "\(text) and \(note)"
        case .aside: "\(text); \(note)"
        case .cause: "\(text): \(note)"
        }
    }
}

extension Composition {
    /// The treatment of the page.
    public var message: Message { notes.map(\.message).joined(separator: ", ") }
}

extension Note {
    /// The note as a sentence fragment.
    public var message: Message {
        func value(_ name: String) -> String { values[name] ?? "?" }
        var page: Message { values["page"].map { "\($0)" } ?? "a page" }
        var format: String { values["format"].map { ImageEncoding(rawValue: $0).name } ?? "?" }
        var isOfOnePage: Bool { value("pages") == "1" }
        var text: Message { self.text ?? "?" }
        return switch code {
        case .ownFile: "the source's own \(format)"
        case .repairedFile, .text, .loss, .operation: text
        case .patchedFile: "\(text) laid over the source's own \(format)"
        case .patchedSamples: "\(text) laid over \(value("compression")) samples"
        case .patchedShare:
            self.text.map { "\(value("percent")) % of it changed by '\($0)'" } ?? "\(value("percent")) % of it changed"
        case .overlayDropped: "without \(text) over it"
        case .marginsDropped: "without the blank paper around it"
        case .slantDropped: "without the slant of \(value("degrees"))° that the page shows"
        case .slantRendered: "with the slant of \(value("degrees"))° that the page shows"
        case .overlayInvisible: "its overlay is not visible"
        case .originalJPEG: "the JPEG that the JPEG XL was made of"
        case .coefficients: "the JPEG's own coefficients"
        case .pixels: "the \(format)'s pixels"
        case .samples: "\(value("compression")) samples"
        case .drawing: "at \(value("resolution")) pixels per inch"
        case .combinedLayers:
            "\(value("layers")) layers of the scan put together at \(value("resolution")) pixels per inch"
        case .documentPage: "the \(value("format").uppercased())'s page copied whole"
        case .combinedPages:
            values["document"].map { "\(value("pages")) pages of the \($0.uppercased()) copied whole onto one" }
                ?? "\(value("pages")) pages laid side by side on one"
        case .mergedPart: "\(page) \(value("treatment")) (\(text))"
        case .joinedCoefficients:
            isOfOnePage ? "the page's own coefficients" : "the \(value("pages")) pages' own coefficients"
        case .joinedPixels: isOfOnePage ? "the page's pixels" : "the \(value("pages")) pages' pixels"

        case .kept: "kept whole"
        case .cropped: "cropped"
        case .turned: "rotated"
        case .mirrored: "mirrored"
        case .deskewed: "deskewed"
        case .flattened: "flattened"
        case .scaled: "scaled"
        case .gray: "made gray"
        case .leveled: "leveled"
        case .dithered: values["shades"].map { "dithered to \($0) gray levels" } ?? "dithered to few shades"

        case .stored: values["format"] == nil ? "stored without loss" : "stored as \(format)"
        case .encodedAtQuality: "encoded as \(format) at quality \(value("quality"))"
        case .sixteenLevels: "in 16 levels of gray, because its largest image is black and white"
        case .encodedLikeImage: "encoded as \(format) with the quantization tables of its largest image"
        case .encodedWithOwnTables: "encoded as \(format) with its original quantization tables"
        case .encodedAtSimilarQuality: "encoded as \(format) at similar quality"
        case .keptInJPEGXL: "kept in a JPEG XL"
        case .recompressed: "recompressed as \(value("compression"))"
        case .keptCMYK: "in its own CMYK"

        case .shownInPart: "shown in part"
        case .shownRotated: "shown rotated by \(value("degrees"))°"
        case .shownMirrored: "shown mirrored"
        case .shownInSpread: "shown on the \(value("side")) of a spread"

        case .textRecognized: "with recognized text"
        case .ownText: "with its own text"

        case .moreKept:
            switch (values["left"], values["top"]) {
            case (let left?, let top?): "with \(left) px more on the left and \(top) px more on the top"
            case (let left?, nil): "with \(left) px more on the left"
            case (_, let top): "with \(top ?? "?") px more on the top"
            }
        case .wider: "\(value("pixels")) px wider than they are"
        case .narrower: "\(value("pixels")) px narrower than they are"
        case .cutWherePagesEnd: "cut by up to \(value("pixels")) px where they end"
        case .movedVertically: "moved by \(value("pixels")) px vertically"
        case .rarelyShown: "not every reader shows \(format)"
        case .ifVisible: "if it is visible"
        case .ifSmaller: "if that makes it smaller"

        case .fewAppsShow: "few readers show \(format)"
        case .cannotBeStored where values["format"] == ImageEncoding.jpeg2000Codestream.rawValue:
            "the output cannot hold a bare codestream of JPEG 2000"
        case .cannotBeStored: "the output cannot hold \(format)"
        case .rareJPEG: "few programs read a JPEG of its kind"
        case .mustBeDecoded: "the \(format) would have to be decoded"
        case .sizeUnknown: "the \(format) does not tell its size before it is decoded"
        case .damagedData: "its data is damaged"
        case .notKeptInJPEGXL: "JPEG XL cannot hold a JPEG of its kind"
        case .notWithoutLoss: "the \(format) cannot be \(operations) without loss"
        case .tooLittleToCut: "so little cannot be cut off without loss"
        case .severalImages: "it holds several images"
        case .storedInLayers: "the scan is stored in layers"
        case .noBetter: "as \(format) it would be no better"
        case .doesNotFit: "a \(format) holds no more than \(value("maximum")) pixels across"
        case .encodedDifferently: "the JPEGs were not encoded alike"
        case .profilesDiffer: "the JPEGs have different color profiles"
        case .offGrid:
            remedy.map { "the pages lie off the JPEG's grid (with \($0) they are joined without loss)" }
                ?? "the pages do not end where the JPEG's grid does"
        case .someAreScaled: "some pages are scaled"
        case .noColorForGaps: "a gray JPEG has no color for empty areas"
        case .nothingLeft: "nothing would be left of \(page)"
        case .partIsChanged: "\(page) is \(operations)"
        case .partNotCuttable: "\(page) cannot be cut without decoding it"
        case .partNotJPEG:
            values["format"] == nil ? "\(page) is not a JPEG" : "\(page) is \(format), not JPEG"
        case .partIsSampled: "\(page) is stored as \(value("compression")), not as JPEG"
        case .partIsRendered:
            self.text.map { "\(page) is rendered at \(value("resolution")) pixels per inch, because \($0)" }
                ?? "\(page) is rendered at \(value("resolution")) pixels per inch"

        case .laidIntoStrip:
            values["encoded"] == nil ? "laid into a \(format) strip" : "laid into a \(format) strip and encoded"
        case .cutIntoTiles:
            values["encoded"] == nil ? "cut into \(format) tiles" : "cut into \(format) tiles and encoded"
        case .joinedIntoStrip: "joined with the others in a JPEG strip without loss"
        case .joinedIntoSlices: "cut and joined with the others into JPEG slices without loss"
        case .losslessIfJoinable: "without loss if the pages go together"
        case .slicedIfJoinable: "or joined into JPEG slices without loss if the pages are JPEGs that go together"
        case .notJoinable:
            values["cause"].flatMap(Code.init).map { "because \(Note($0, values).message)" }
                ?? "because the JPEGs do not go together without loss"
        case .scaledWhereNarrower: "scaled where it is narrower"
        case .scaledToWidest: "scaled to the widest"
        case .reducedToEightBits: "with 8 bits per sample"
        case .transparencyFlattened: "with its transparency laid on the background"
        case .colorsConverted: "with its colors converted to sRGB"
        }
    }

    /// The operations that a value lists: "cropped, rotated and scaled".
    var operations: Message {
        let names = values["operations"]?.split(separator: ",").map(String.init) ?? []
        // A plug-in's own operation has a name instead of a code.
        return names.map { Code(rawValue: $0).map { Note($0) } ?? Note(.operation, text: Message(verbatim: $0)) }
            .message
    }
}

extension [Note] {
    /// The operations on an image, as a list: "cropped, rotated and scaled".
    var message: Message { isEmpty ? Note(.kept).message : map(\.message).listed() }
}
