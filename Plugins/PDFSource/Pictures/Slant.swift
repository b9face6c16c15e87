internal import PDFStructure
internal import PageModel

internal import func Glibc.atan2
internal import func Glibc.cos
internal import func Glibc.sin

/// The limits of the slant with which a page shows a scan.
private enum SlantLimits {
    /// The maximum angle in degrees. Software that straightens scans corrects less; a larger angle is a design.
    static let maximum = 10.0
    /// The maximum sine of the deviation from a right angle between an image's sides: that of a shear.
    static let maximumShear = 0.002
}

extension Matrix {
    /// Returns the matrix of the same image without its slant, and the slant in degrees, clockwise. The middle of the image
    /// stays.
    ///
    /// The result is nil for an image that is upright, sheared, empty, or slanted too much for a scan.
    func straightened() -> (matrix: Matrix, slant: Double)? {
        let (width, height) = ((a * a + b * b).squareRoot(), (c * c + d * d).squareRoot())
        guard width > 0, height > 0, width.isFinite, height.isFinite, quarterTurns == nil, mirrored.quarterTurns == nil,
            abs(a * c + b * d) <= SlantLimits.maximumShear * width * height
        else { return nil }
        let angle = atan2(b, a)
        let upright = (angle / (.pi / 2)).rounded() * (.pi / 2)
        let slant = (upright - angle) * 180 / .pi
        guard abs(slant) <= SlantLimits.maximum else { return nil }
        let (cosine, sine) = (cos(upright).rounded(), sin(upright).rounded())
        let side = a * d - b * c < 0 ? -height : height
        var straight = Matrix(a: width * cosine, b: width * sine, c: -side * sine, d: side * cosine)
        let (old, new) = (applied(x: 0.5, y: 0.5), straight.applied(x: 0.5, y: 0.5))
        (straight.e, straight.f) = (old.x - new.x, old.y - new.y)
        return (straight, slant)
    }
}

extension Matrix {
    /// The angle between text and the nearest quarter turn, in whole degrees, counterclockwise.
    var slantOfText: Int {
        let degrees = Int(clamping: (atan2(b, a) * 180 / .pi).rounded(), to: -180...180)
        let slant = ((degrees % 90) + 90) % 90
        return slant > 45 ? slant - 90 : slant
    }
}

extension [Mark] {
    /// Returns the slant in degrees, clockwise, with which the page shows its scan; nil if it has no scan, or an upright one.
    func slant(on geometry: PageGeometry) -> Double? {
        let page = geometry.shown.width * geometry.shown.height
        for case .picture(let picture) in self {
            let box = picture.state.matrix.unitSquare.intersection(geometry.shown)
            guard !box.isEmpty, box.width * box.height >= MosaicLimits.minimumCoverage * page else { continue }
            return picture.state.matrix.straightened()?.slant
        }
        return nil
    }

    /// The marks with all slanted images as they are stored.
    var straightened: [Mark] {
        map { mark in
            guard case .picture(let picture) = mark, let straight = picture.state.matrix.straightened() else {
                return mark
            }
            var state = picture.state
            state.matrix = straight.matrix
            return .picture(PaintedPicture(object: picture.object, state: state, resources: picture.resources))
        }
    }
}
