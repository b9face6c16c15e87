extension PageReading {
    /// Takes hairs out that lie on or beside scanned text: long, thin and bent, and paler than the letters.
    static func dropHairs(of ink: inout Ink, _ isContent: inout [Bool], unit: Double) {
        let letters = ink.blobs.indices.filter {
            isContent[$0] && (8 * unit...largestLetter * unit).contains(Double(ink.blobs[$0].box.extent))
        }
        guard letters.count >= 150 else { return }
        let contrasts = letters.map { ink.blobs[$0].contrast }.sorted()
        let most = contrasts[contrasts.count / 2] * 3 / 4
        var mixed: [Int] = []
        for (index, blob) in ink.blobs.enumerated() where isContent[index] {
            if isHair(blob, unit: unit), blob.contrast <= most {
                isContent[index] = false
            } else if (largestLetter * unit...mostHair * unit).contains(Double(blob.box.extent)) {
                mixed.append(index)
            }
        }
        let runs = ink.runs(of: mixed)
        // A hair that runs into letters is one blob with them.
        for all in runs {
            let hairs = ink.paleParts(all, contrast: most).filter { part in
                isHair(Blob(part.map { ink.runs[$0] }, deepArea: 0), unit: unit)
            }
            // More of them are a drawing.
            guard hairs.count <= 3 else { continue }
            for hair in hairs {
                ink.split(hair, from: all)
                isContent.append(false)
            }
        }
    }

    /// A hair is long, thin and bent; a rule is long, thin and straight.
    static func isHair(_ blob: Blob, unit: Double) -> Bool {
        let box = blob.box
        guard (16 * unit...mostHair * unit).contains(Double(box.extent)),
            Double(min(box.width, box.height)) > 4 * unit
        else { return false }
        let length = (Double(box.width * box.width + box.height * box.height)).squareRoot()
        let thickness = Double(blob.area) / length
        // A rule on a page that lies askew is slanted, but no broader than it is thick.
        return thickness <= 2.4 * unit && blob.breadth > 2 * thickness + unit
    }

    /// In units.
    private static let largestLetter = 45.0
    /// In units: 6 cm on a page of a paperback.
    private static let mostHair = 330.0
}
