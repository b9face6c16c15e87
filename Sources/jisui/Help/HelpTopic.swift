internal import AdapterKit
internal import Conversion

/// A page of `jisui help`: some words and the options of one task.
struct HelpTopic {
    let id: String
    let title: String
    /// Paragraphs above the options.
    let introduction: [String]
    /// A command that shows the options at work; nil for none.
    var example: String?
    let settings: [Setting]

    /// Every topic, in the order of the list: the built-in ones, then those of external plug-ins.
    static let all: [HelpTopic] = {
        let built = texts.map { text in
            HelpTopic(
                id: text.id, title: text.title, introduction: text.introduction, example: text.example,
                settings: Setting.ofConversion.filter { $0.topic == text.id })
        }
        let descriptors =
            Registry.jisui.sources.map(\.descriptor) + Registry.jisui.transforms.map(\.descriptor)
            + Registry.jisui.sinks.map(\.descriptor)
        let own = descriptors.filter { descriptor in descriptor.settings.contains { $0.topic == nil } }
        return built
            + own.map { descriptor in
                HelpTopic(
                    id: descriptor.id, title: descriptor.summary, introduction: [],
                    settings: descriptor.settings.filter { $0.topic == nil })
            }
    }()

    private typealias Text = (id: String, title: String, introduction: [String], example: String?)

    private static let texts: [Text] = [
        (
            "output", "Choose the output and the pages",
            [
                "The name of the output selects the format. The endings .cbz, .cb7, .cbt, .pdf, .epub and .azw3 make a book; "
                    + ".png, .jpg and .webp make one long image. A name that ends in a slash makes a folder of "
                    + "numbered images. Without -o, --to writes the output next to the input.",
                "A page list has numbers and ranges, separated by commas: 7, 2-5, 5-2, 7.. (to the end), ..5, odd, even, "
                    + "all. Negative numbers count from the end: -1 is the last page.",
                "Exit status: 0 done, 3 done with warnings, 1 failed, 64 wrong usage, 75 try again, 130 interrupted.",
            ], "jisui book.pdf -o book.cbz --pages 1-10"
        ),
        (
            "device", "Convert for a device; use presets",
            [
                "A preset is a set of options with a name. A device sets the size of pages, their grays and the format. "
                    + "Later settings override earlier ones: config.json, .jisui.json next to the books, --preset, --device, "
                    + "--recipe, the command line."
            ], "jisui manga.cbz --device kobo-libra-2 --preset comic"
        ),
        (
            "image", "Crop, rotate, resize and encode pages",
            [
                "jisui crops first, then rotates, resizes and changes colors. It re-encodes only pages that need it: JPEGs "
                    + "are cropped and rotated losslessly."
            ], "jisui book.pdf -o book.cbz --fit 1072x1448 --gray"
        ),
        (
            "trim", "Crop empty margins",
            [
                "jisui analyzes all pages at reduced size, finds the printed area of each and decides after it has seen "
                    + "the whole book. JPEGs are cropped losslessly."
            ], "jisui scan.pdf -o book.cbz --trim --trim-sheet sheet.html -n"
        ),
        (
            "straighten", "Deskew and dewarp pages",
            ["jisui measures the lines of text. A page without a clear result stays unchanged."],
            "jisui scan.pdf -o book.cbz --deskew --flatten"
        ),
        (
            "clean", "Clean scans",
            [
                "jisui finds the paper of each page and compares the pages of the book. A page that shows no paper, or art in "
                    + "color, stays unchanged."
            ], "jisui scan.pdf -o book.pdf --whiten"
        ),
        (
            "spreads", "Merge, split and pair facing pages",
            [
                "The reading direction decides which page is on the left. If nothing states it, jisui infers it and prints "
                    + "a line; --direction sets it."
            ], "jisui manga.cbz -o manga.pdf --spreads merge --direction rtl"
        ),
        (
            "metadata", "Set metadata",
            ["jisui keeps the metadata of the input as far as the output format can store it, and reports the rest."],
            "jisui book.cbz -o book.epub --title 'The Title' --author 'A. Writer'"
        ),
        (
            "pdf", "Read and write PDF",
            [
                "From PDF to PDF, jisui copies pages unchanged. From PDF to images, it extracts the scan of a page, and "
                    + "renders the other pages."
            ], "jisui scan.pdf -o pages/ --pages-as scan"
        ),
        (
            "epub", "Write EPUB", ["The output is a fixed-layout EPUB."],
            "jisui comic.cbz -o comic.kepub.epub --epub-for kobo"
        ),
        (
            "strip", "Write one long image",
            [
                "A strip joins all pages into one PNG, JPEG or WebP. WebP and JPEG limit its length; --strip-max slices it."
            ],
            "jisui comic.cbz -o comic.png --gap 20"
        ),
        (
            "web", "Write a web reader or a bookshelf",
            [
                "--to web writes a folder that any browser opens. A bookshelf holds several such books and an OPDS catalog."
            ],
            "jisui *.cbz -o shelf/ --to web --add"
        ),
        (
            "archive", "Read archives", ["jisui detects the encoding of names if the archive does not state it."],
            "jisui old.zip -o book.cbz --filename-encoding cp932"
        ),
        (
            "run", "Control the run",
            [
                "A page that exceeds a limit is skipped with a warning. NO_COLOR, TMPDIR, JISUI_PASSWORD, "
                    + "JISUI_PLUGIN_PATH and JISUI_DEBUG are environment variables that jisui reads."
            ], "jisui *.pdf -o out/ --to cbz --jobs 2 --verbose"
        ),
    ]
}

extension HelpTopic {
    /// Returns the topic that lists an option; nil for an option of other commands.
    init?(of setting: Setting) {
        guard let topic = HelpTopic.all.first(where: { $0.settings.contains { $0.name == setting.name } }) else {
            return nil
        }
        self = topic
    }

    /// Returns a value of an option from the example of its topic, as it is typed; nil if no example has one.
    static func exampleValue(of setting: Setting) -> String? {
        let names = ["--\(setting.name) "] + (setting.letter.map { ["-\($0) "] } ?? [])
        for example in all.compactMap(\.example) {
            guard let range = names.lazy.compactMap({ example.firstRange(of: $0) }).first else { continue }
            let rest = example[range.upperBound...]
            let value = rest.hasPrefix("'") ? rest.dropFirst().prefix { $0 != "'" } : rest.prefix { $0 != " " }
            return rest.hasPrefix("'") ? "'\(value)'" : String(value)
        }
        return nil
    }
}
