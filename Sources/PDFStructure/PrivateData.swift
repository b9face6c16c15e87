package import PageModel

/// The jisui part of a catalog's page-piece dictionary (ISO 32000-1, 14.5), which viewers ignore.
extension PDFFile {
    static let privateOwner = "jisui"

    /// The data that jisui stored there.
    package var privateData: PDFObject { catalog["PieceInfo"][PDFFile.privateOwner]["Private"] }

    /// Stores a value there; `.null` removes it. Removing the last value removes the whole part.
    ///
    /// - Throws: `outOfMemory`.
    package func setPrivate(_ key: String, to value: PDFValue) throws(AdapterError) {
        if value == .null && privateData[key].isNull { return }
        require(PDFVersion(1, 4))
        if catalog["PieceInfo"].kind != .dictionary { try set("PieceInfo", of: catalog, to: .dictionary([:])) }
        let pieces = catalog["PieceInfo"]
        if pieces[PDFFile.privateOwner]["Private"].kind != .dictionary {
            // The current time would make the file different in every run.
            let empty: PDFValue = .dictionary([
                "LastModified": .text("D:19800101000000Z"), "Private": .dictionary([:]),
            ])
            try set(PDFFile.privateOwner, of: pieces, to: empty)
        }
        try set(key, of: privateData, to: value)
        if privateData.keys.isEmpty { try set(PDFFile.privateOwner, of: pieces, to: .null) }
    }

    /// The reading order that the document requests from viewers (ISO 32000-1, table 150).
    package var direction: Direction? {
        switch catalog["ViewerPreferences"]["Direction"].name {
        case "R2L": .rightToLeft
        case "L2R": .leftToRight
        default: nil
        }
    }
}
