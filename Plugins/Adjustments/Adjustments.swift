public import AdapterKit
internal import Imaging
internal import PageModel

/// The ranges of the values that the options take. They are conventions, not results of measurements.
enum AdjustmentLimits {
    /// The exponents for the midtones. Beyond them, a page is black or white.
    static let gamma = 0.1...10
    /// The strength of sharpening, in percent.
    static let sharpening = 1...100
    /// White, in percent of the range of levels.
    static let white = 100.0
}

/// A transform that changes every page alike: it crops pages, scales them and changes their tones.
public struct Adjustments: PageTransform {
    // `jisui formats` prints the id, also as JSON, and external plug-ins cannot take it. So it stays.
    public let descriptor = AdapterDescriptor(
        id: "looks", summary: "crops and resizes pages, and changes their tones", extensions: [],
        settings: settings)

    public init() {}

    /// The event that smaller pages are to be scaled up too.
    private static let enlarging = Effect.named("enlarging")

    private static let settings = [
        Setting(
            "crop", .form(crop), valueName: "lengths", topic: "image",
            help: "Crop every page: 40 (pixels) or 5%",
            details:
                "One length for all sides, two (top and bottom, left and right) or four (top, right, bottom, left). "
                + "jisui crops JPEGs losslessly", effect: EffectRule(unless: "a length of 0 cuts off nothing")),
        Setting(
            "fit", .form(box), valueName: "box", topic: "image",
            help: "Scale down to fit a box in pixels: 1072x1448",
            details: "1072x limits the width only, x1448 the height only",
            effect: EffectRule(
                causes: [
                    .init(after: enlarging, "every page had this size already"),
                    .init("no page was larger than the box", hint: "use --enlarge to scale up smaller pages"),
                ])),
        Setting(
            "enlarge", .flag, valueName: "", topic: "image", help: "Scale smaller pages up to the --fit box",
            needs: "fit", effect: EffectRule(.scaledUp, unless: "no page was smaller than the box")),
        Setting(
            "sharpen", .form(sharpening), valueName: "percent", topic: "image",
            help: "Sharpen scaled pages (with --fit): 1 to 100",
            details: "No pixel moves more than 8 of 256 levels beyond the range of itself and its neighbors",
            needs: "fit",
            effect: EffectRule(unless: "no page was scaled")),
        Setting(
            "color-filter", .flag, valueName: "", topic: "image",
            help: "Treat pages for a Kaleido screen (with --fit)",
            details:
                "Reduces the false color that the color filter of the screen adds to fine patterns. --shades then rounds",
            needs: "fit", effect: EffectRule(unless: "every page was smaller than the --fit box")),
        Setting(
            "gray", .flag, valueName: "", topic: "image", help: "Convert to grayscale",
            effect: EffectRule(unless: "every page was gray already")),
        Setting("invert", .flag, valueName: "", topic: "image", help: "Convert negatives: exchange light and dark"),
        Setting(
            "shades", .form(shades), valueName: "n", topic: "image",
            help: "Dither to 2, 4, 8 or 16 gray levels, for e-ink screens"),
        Setting(
            "dither", .choice(["on", "off"]), default: "on", valueName: "mode", topic: "image",
            help: "Imitate the gray levels that --shades removes",
            details:
                "White, black and lines of one pixel keep the nearest level. Off rounds every pixel to the nearest level",
            needs: "shades"),
        Setting(
            "levels", .form(levels), valueName: "black,white", topic: "image",
            help: "Set the black and the white point in percent: 10,95",
            effect: EffectRule(unless: "0,100 keeps every level")),
        Setting(
            "gamma", .form(gamma), valueName: "gamma", topic: "image",
            help: "Brighten (above 1) or darken (below 1) the midtones",
            effect: EffectRule(unless: "1 keeps the midtones")),
    ]

    public func passes(_ settings: Settings) -> [Pass] {
        var tones = settings["levels"].flatMap(Levels.init(levels:)) ?? Levels()
        tones.gamma = settings["gamma"].flatMap { Double($0) } ?? 1
        let shades = settings["shades"].flatMap { Int($0) }
        let enlarges = settings.flag("enlarge")
        let passes: [Pass?] = [
            settings["crop"].flatMap { Insets($0) }.flatMap { insets in
                insets.isZero
                    ? nil : Pass(.crop, edits: [.move(.inset(insets))], noting: [.option("crop")])
            },
            settings["fit"].flatMap { FitBox($0, enlarges: enlarges) }.map { box in
                let fit = Fit(frame: box, sharpening: settings["sharpen"].flatMap { Int($0) })
                let filter = settings.flag("color-filter") ? [PageEdit.change(ColorFilter(screen: box))] : []
                return Pass(.fit, edits: [.change(fit)] + filter, noting: enlarges ? [Adjustments.enlarging] : [])
            },
            settings.flag("gray") || shades != nil
                ? Pass(.gray, edits: [.change(Gray(isImplied: !settings.flag("gray")))]) : nil,
            settings.flag("invert") ? Pass(.invert, edits: [.change(Invert())]) : nil,
            tones.isNeutral ? nil : Pass(.tone, edits: [.change(tones)]),
            shades.map { levels in
                let dithers = settings["dither"] != "off" && !settings.flag("color-filter")
                return Pass(.shades, edits: [.change(Shades(levels: levels, dithers: dithers))])
            },
        ]
        return passes.compactMap { $0 }
    }
}

extension Adjustments {
    private static let crop = ValueForm("insets") { text in
        Insets(text) == nil ? "--crop takes lengths like 40 or 5%, one, two or four of them, not '\(text)'" : nil
    }

    private static let box = ValueForm("box") { text in
        if FitBox(text, enlarges: false) != nil { return nil }
        // The name of a device.
        if text.contains(where: { $0.isLetter && $0 != "x" }) {
            return "--fit takes the size of a screen, not '\(text)': 1236x1648 for a Kindle Paperwhite, "
                + "1072x1448 for a Kobo Clara"
        }
        return "--fit takes a box like 1072x1448, 1072x or x1448, not '\(text)'"
    }

    private static let sharpening = ValueForm("percent") { text in
        Int(text).map(AdjustmentLimits.sharpening.contains) ?? false
            ? nil : "--sharpen takes a percentage from 1 to 100, not '\(text)'"
    }

    private static let shades = ValueForm("gray levels", words: Raster.grayLevels.map(String.init)) { text in
        Raster.grayLevels.contains { $0 == Int(text) } ? nil : "--shades takes 2, 4, 8 or 16, not '\(text)'"
    }

    private static let levels = ValueForm("levels") { text in
        Levels(levels: text) == nil
            ? "--levels takes two percentages, the smaller one first, like 10,95, not '\(text)'" : nil
    }

    private static let gamma = ValueForm("gamma") { text in
        Double(text).map(AdjustmentLimits.gamma.contains) ?? false
            ? nil : "--gamma takes a number from 0.1 to 10, not '\(text)'"
    }
}
