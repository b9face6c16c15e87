internal import AdapterKit
internal import CPoppler
internal import Glibc
internal import PageModel

/// One lane's renderer: the file opened through poppler.
actor DrawingLane {
    private let document: PopplerFile

    /// - Throws: `.encrypted`, `.damaged`.
    init(path: String, password: String?) throws(AdapterError) {
        document = try PopplerFile(path: path, password: password)
    }

    /// Draws what a page's crop box holds, on white.
    ///
    /// - Parameters:
    ///   - index: the page, from 0.
    ///   - size: the size of the picture in pixels.
    ///   - resolution: pixels per inch, for the file.
    func draw(page index: Int, size: PixelSize, resolution: Double) throws(AdapterError) -> Drawing {
        let (raster, complaints) = try PopplerComplaints.during { () throws(AdapterError) in
            try document.draw(page: index, size: size, resolution: resolution)
        }
        return Drawing(raster: raster, complaints: complaints)
    }

    /// The samples of a page's only picture, bilevel, as poppler decodes them; nil when it does not.
    func bilevelPicture(onPage index: Int, size: PixelSize) throws(AdapterError) -> Raster? {
        let (raster, complaints) = try PopplerComplaints.during { () throws(AdapterError) in
            try document.bilevelPicture(onPage: index, size: size)
        }
        return complaints.isEmpty ? raster : nil
    }
}
