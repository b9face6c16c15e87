internal import AdapterKit
internal import PageModel

/// The change of a page's pixels by an external plug-in, which returns an image of the same size.
struct ImageChange: OmittableOperation {
    static let id = "plug-in"

    let page: Page
    /// The resolution of the page, if its paper size is known.
    let resolution: Resolution?
    let changer: ImageChanger
    let omission = Omission()

    var options: [String] { [changer.plugin.manifest.descriptor.id] }

    var note: Note { Note(.operation, ["name": changer.plugin.name], text: "changed by \(changer.plugin.name)") }

    var keepsGray: Bool { false }

    /// The file that is sent, and the image in the shared-memory buffer.
    var workingCopies: Int { 2 }

    func warning(because error: AdapterError) -> Warning {
        Warning(code: "page-not-changed", page, "not changed by \(changer.plugin.name)", because: error)
    }

    /// - Throws: `UnchangedPage`; `AdapterError` if the plug-in fails, now or in a preview; `CancellationError`.
    func apply(to raster: Raster) async throws -> Raster {
        let dpi = resolution ?? raster.resolution
        guard let changed = try await changer.changed(raster, of: page.id, .image(dpi: dpi?.horizontal)) else {
            throw UnchangedPage()
        }
        return changed
    }

    /// Returns the changed preview; the same one if the plug-in fails, because `apply` reports that later.
    func preview(of raster: Raster) async throws -> Raster {
        do {
            return try await changer.changed(raster, of: page.id, .preview) ?? raster
        } catch let error as AdapterError {
            changer.plugin.watch?.remarked("does not change a preview: \(error.message)")
            return raster
        }
    }

    /// Operations that request the same are equal, even if different processes carry them out.
    static func == (one: ImageChange, other: ImageChange) -> Bool {
        one.page.id == other.page.id && one.resolution == other.resolution
            && one.changer.plugin.program == other.changer.plugin.program
            && one.changer.settings == other.changer.settings
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(page.id)
        hasher.combine(changer.plugin.program)
    }
}
