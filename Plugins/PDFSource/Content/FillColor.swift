internal import PDFStructure

/// The color for filling shapes and stencils, as far as it matters (ISO 32000-1, 8.6).
struct FillColor {
    /// The color spaces, by their notation of black and white.
    private enum Space {
        /// A space that adds light: black has zeros, white has ones.
        case additive(components: Int)
        case cmyk
        /// Tints of black ink.
        case ink
        /// A space that would need further analysis.
        case other
    }

    private var space = Space.additive(components: 1)
    private(set) var isBlack = true
    private(set) var isWhite = false
    /// Whether the space is CalGray or CalRGB.
    private(set) var isCalibrated = false

    /// Follows the operator `cs`, which also sets the color to the first of the space: black in the known ones.
    mutating func setSpace(_ name: String?, resources: PDFObject, _ file: PDFFile) {
        space = FillColor.space(name, resources, file)
        isCalibrated = ["CalGray", "CalRGB"].contains(resources["ColorSpace"][name ?? ""].item(0).name)
        isWhite = false
        isBlack = if case .other = space { false } else { true }
    }

    /// Follows the operators `sc` and `scn`.
    mutating func setColor(_ numbers: [Double]) {
        switch space {
        case .additive(let components):
            isBlack = numbers.count == components && numbers.allSatisfy { $0 == 0 }
            isWhite = numbers.count == components && numbers.allSatisfy { $0 == 1 }
        case .cmyk:
            isBlack = numbers == [0, 0, 0, 1]
            isWhite = numbers == [0, 0, 0, 0]
        case .ink: (isBlack, isWhite) = (numbers == [1], numbers == [0])
        case .other: (isBlack, isWhite) = (false, false)
        }
    }

    /// Follows the operators `g`, `rg` and `k`, which choose a space as well.
    mutating func setDeviceColor(_ numbers: [Double], components: Int) {
        space = components == 4 ? .cmyk : .additive(components: components)
        isCalibrated = false
        setColor(numbers)
    }

    private static func space(_ name: String?, _ resources: PDFObject, _ file: PDFFile) -> Space {
        switch name {
        case "DeviceGray": return .additive(components: 1)
        case "DeviceRGB": return .additive(components: 3)
        case "DeviceCMYK": return .cmyk
        default: break
        }
        let object = resources["ColorSpace"][name ?? ""]
        switch object.item(0).name ?? object.name {
        case "CalGray", "DeviceGray": return .additive(components: 1)
        case "CalRGB", "DeviceRGB": return .additive(components: 3)
        case "DeviceCMYK": return .cmyk
        case "ICCBased":
            // This is black and white in the profiles of all scanners and screens.
            let components = object.item(1)["N"].integer
            return components == 1 || components == 3 ? .additive(components: components ?? 1) : .other
        case "Separation", "DeviceN": return BlackInk.isBlack(object.items, file) ? .ink : .other
        default: return .other
        }
    }
}
