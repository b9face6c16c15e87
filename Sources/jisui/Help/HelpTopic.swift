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
                settings: settings(of: text.id))
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

    static func named(_ id: String) -> HelpTopic? { all.first { $0.id == id } }

    /// Returns the options of a topic, each once: those for every page, the built-in ones, then the others.
    private static func settings(of topic: String) -> [Setting] {
        let others = Registry.jisui.settings.filter { !ImageScope.settings.contains($0) }
        return (ImageScope.settings + BuiltInSettings.all + others).filter { $0.topic == topic }
    }

    private typealias Text = (id: String, title: String, introduction: [String], example: String?)

    private static let texts: [Text] = [
        (
            "output", "Choose the output and the pages",
            [
                "The name of the output selects the format. The endings .cbz, .cb7, .cbt, .pdf and .epub make a book; "
                    + ".png, .jpg and .webp make one long image. A name that ends in a slash makes a folder of "
                    + "numbered images. Without -o, --to writes the output next to the input.",
                "A page list has numbers and ranges, separated by commas: 7, 2-5, 5-2, 7.. (to the end), ..5, odd, even, "
                    + "all. Negative numbers count from the end: -1 is the last page.",
                "Exit status: 0 done, 3 done with warnings, 1 failed, 64 wrong usage, 130 interrupted.",
            ], "jisui book.pdf -o book.cbz --pages 1-10"
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
