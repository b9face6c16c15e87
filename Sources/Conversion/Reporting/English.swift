public import AdapterKit
internal import PageModel

// Only this file puts notes into words. Another language would need another file like it.

extension Reason {
    /// The reason in English, as a sentence fragment like "the JPEG's pixels, cropped and scaled, stored as PNG".
    public var english: String {
        var text = ""
        var index = 0
        while index < parts.count {
            let part = parts[index]
            if part.role == .operation {
                let operations = parts[index...].prefix { $0.role == .operation }
                text += ", " + operations.map(\.note.english).listed()
                index = operations.endIndex
                continue
            }
            text += part.role.connection + part.note.english
            index += 1
        }
        return text
    }
}

extension Reason.Role {
    /// The text before a note in this role.
    fileprivate var connection: String {
        switch self {
        case .basis: ""
        case .operation, .detail: ", "
        case .result: " "
        case .addition: " and "
        case .aside: "; "
        case .cause: ": "
        }
    }
}

extension Composition {
    /// The treatment of the page, in English.
    public var english: String { notes.map(\.english).joined(separator: ", ") }
}

extension Note {
    /// The note in English, as a sentence fragment.
    public var english: String {
        func value(_ name: String) -> String { values[name] ?? "?" }
        var format: String { values["format"].map { ImageEncoding(rawValue: $0).name } ?? "?" }
        var owners: String { value("pages") == "1" ? "the page's" : "the \(value("pages")) pages'" }
        return switch code {
        case .ownFile: "the source's own \(format)"
        case .repairedFile, .text, .loss: value("text")
        case .patchedFile: "\(value("text")) laid over the source's own \(format)"
        case .patchedSamples: "\(value("text")) laid over \(value("compression")) samples"
        case .patchedShare: "\(value("percent")) % of it changed" + (values["text"].map { " by '\($0)'" } ?? "")
        case .overlayLeftOut: "without \(value("text")) over it"
        case .marginsLeftOut: "without the blank paper around it"
        case .nothingSeen: "what lies over it cannot be seen"
        case .originalJPEG: "the JPEG that the JPEG XL was made of"
        case .coefficients: "the JPEG's own coefficients"
        case .pixels: "the \(format)'s pixels"
        case .samples: "\(value("compression")) samples"
        case .drawing: "at \(value("resolution")) pixels per inch"
        case .layersTogether:
            "\(value("layers")) layers of the scan put together at \(value("resolution")) pixels per inch"
        case .documentPage: "the \(value("format").uppercased())'s page copied whole"
        case .laidTogether:
            values["document"].map { "\(value("pages")) pages of the \($0.uppercased()) copied whole onto one" }
                ?? "\(value("pages")) pages laid side by side on one"
        case .partIs: "\(value("page")) \(value("treatment")) (\(value("text")))"
        case .joinedCoefficients: "\(owners) own coefficients"
        case .joinedPixels: "\(owners) pixels"

        case .kept: "kept whole"
        case .cropped: "cropped"
        case .turned: "turned"
        case .mirrored: "mirrored"
        case .deskewed: "deskewed"
        case .flattened: "flattened"
        case .scaled: "scaled"
        case .gray: "made gray"
        case .levelled: "levelled"
        case .dithered: values["shades"].map { "dithered to \($0) shades" } ?? "dithered to few shades"

        case .stored: values["format"] == nil ? "stored without loss" : "stored as \(format)"
        case .encodedAtQuality: "encoded as \(format) at quality \(value("quality"))"
        case .encodedLikePicture: "encoded as \(format) with the tables of its largest image"
        case .encodedWithOwnTables: "encoded as \(format) with its own tables"
        case .encodedAsFinely: "encoded as \(format) as finely"
        case .keptInJPEGXL: "kept in a JPEG XL"
        case .compressedAnew: "recompressed as \(value("compression"))"
        case .keptCMYK: "in its own CMYK"

        case .shownInPart: "shown in part"
        case .shownTurned: "shown turned by \(value("degrees"))°"
        case .shownMirrored: "shown mirrored"
        case .shownInSpread: "shown on the \(value("side")) of a spread"

        case .textReadOff: "with the text that is read off it"
        case .ownText: "with its own text"

        case .moreKept:
            "with "
                + ["left", "top"].compactMap { side in values[side].map { "\($0) px more on the \(side)" } }
                .joined(separator: " and ")
        case .wider: "\(value("pixels")) px wider than they are"
        case .narrower: "\(value("pixels")) px narrower than they are"
        case .cutWherePagesEnd: "cut by up to \(value("pixels")) px where they end"
        case .movedVertically: "moved by \(value("pixels")) px vertically"
        case .rarelyShown: "not every reader shows \(format)"
        case .ifSeen: "if it is visible"
        case .ifSmaller: "if that makes it smaller"

        case .fewReadersShow: "few readers show \(format)"
        case .cannotBeHeld where values["format"] == ImageEncoding.jpeg2000Codestream.rawValue:
            "the output cannot hold a bare codestream of JPEG 2000"
        case .cannotBeHeld: "the output cannot hold \(format)"
        case .rareJPEG: "few programs read a JPEG of its kind"
        case .mustBeDecoded: "the \(format) would have to be decoded"
        case .sizeUnknown: "the \(format) does not tell its size before it is decoded"
        case .damagedData: "its data is damaged"
        case .notPackedByJPEGXL: "JPEG XL cannot hold a JPEG of its kind"
        case .notWithoutLoss: "the \(format) cannot be \(operationsInEnglish) without loss"
        case .tooLittleToCut: "so little cannot be cut off without loss"
        case .severalPictures: "it holds several images"
        case .storedInLayers: "the scan is stored in layers"
        case .noBetter: "as \(format) it would be no better"
        case .doesNotFit: "a \(format) holds no more than \(value("most")) pixels across"
        case .encodedDifferently: "the JPEGs were not encoded alike"
        case .profilesDiffer: "the JPEGs have different color profiles"
        case .offGrid:
            remedy.map { "the pages lie off the JPEG's grid (with \($0) they are joined without loss)" }
                ?? "the pages do not end where the JPEG's grid does"
        case .someAreScaled: "some pages are scaled"
        case .noColorForGaps: "a gray JPEG has no color for empty areas"
        case .nothingLeft: "nothing would be left of \(value("page"))"
        case .partIsChanged: "\(value("page")) is \(operationsInEnglish)"
        case .partNotCuttable: "\(value("page")) cannot be cut without decoding it"
        case .partNotJPEG:
            values["format"] == nil ? "\(value("page")) is not a JPEG" : "\(value("page")) is \(format), not JPEG"
        case .partIsSampled: "\(value("page")) is stored as \(value("compression")), not as JPEG"
        case .partIsDrawn:
            "\(value("page")) is drawn at \(value("resolution")) pixels per inch"
                + (values["text"].map { ", because \($0)" } ?? "")

        case .laidIntoStrip: "laid into a \(format) strip" + (values["encoded"] == nil ? "" : " and encoded")
        case .cutIntoTiles: "cut into \(format) tiles" + (values["encoded"] == nil ? "" : " and encoded")
        case .joinedIntoStrip: "joined with the others in a JPEG strip without loss"
        case .joinedIntoSlices: "cut and joined with the others into JPEG slices without loss"
        case .losslessIfJoinable: "without loss if the pages go together"
        case .slicedIfJoinable: "or joined into JPEG slices without loss if the pages are JPEGs that go together"
        case .notJoinable:
            "because "
                + (values["cause"].flatMap(Code.init).map { Note($0, values).english }
                    ?? "the JPEGs do not go together without loss")
        case .scaledWhereNarrower: "scaled where it is narrower"
        case .scaledToWidest: "scaled to the widest"
        case .reducedToEightBits: "with 8 bits a sample"
        case .transparencyFlattened: "with its transparency laid on the background"
        case .colorsConverted: "with its colors converted to sRGB"
        }
    }

    /// The operations that a value lists: "cropped, turned and scaled".
    var operationsInEnglish: String {
        let codes = values["operations"]?.split(separator: ",").compactMap { Code(rawValue: String($0)) } ?? []
        return codes.map { Note($0) }.english
    }
}

extension [Note] {
    /// The operations on an image, as a list: "cropped, turned and scaled".
    var english: String { isEmpty ? Note(.kept).english : map(\.english).listed() }
}
