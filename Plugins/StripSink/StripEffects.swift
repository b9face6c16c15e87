internal import AdapterKit
internal import Files
internal import PageModel

extension StripSession {
    /// Notes the effects of the options that may have none.
    func noteUse(_ layout: StripLayout) {
        let effects = request.effects
        effects.note(.joined)
        if pages.count > 1 {
            effects.note(option: "gap")
            if !options.isVertical {
                effects.note(option: "strip-direction")
                effects.note(option: "direction")
            }
        }
        var centered = options
        centered.alignment = .center
        if StripLayout(pages.map(\.size), centered).places != layout.places {
            effects.note(option: Setting.align.name)
        }
        let isCovered = layout.places.reduce(0) { $0 + $1.size.area } == layout.size.area
        if !isCovered || pages.contains(where: \.format.hasAlpha) { effects.note(option: Setting.background.name) }
        if !options.keepsPixels { effects.note(option: "quality") }
        // The format implied by the output's name needs no option.
        let isNamed =
            options.requestedLength == nil && !options.isTiled
            && !FileName.extension(of: request.destination.path).isEmpty
        if !isNamed && (options.format != .png || options.requestedLength != nil) {
            effects.note(option: "image-format")
        }
    }
}
