internal import PageModel

extension PageLayout {
    /// The kinds of doubt about a crop box. The raw values are stable: reports print them.
    public enum Doubt: String, Hashable, Sendable, CaseIterable {
        // Kinds in which the box may cut print.
        /// Dark marks outside the box, or cut by its edge, look like print.
        case possiblePrint = "possible-print"
        /// The text of the PDF shows print that the pixels do not show.
        case unseenWords = "unseen-words"
        /// Art reaches three sides of the image, and may be as light as paper on the fourth.
        case openArt = "art-on-three-sides"
        /// No lines of text were found, and the page has specks.
        case speckledArt = "no-text-with-specks"
        /// No lines of text were found.
        case noText = "no-text"
        // Kinds in which the box may be too large.
        /// The page has many specks, or the scan shows much more than the page.
        case dirt
        /// The box reaches far beyond the lines of text.
        case beyondText = "beyond-text"
        /// The box reaches the edge of the image.
        case edge = "print-at-edge"
        /// The box reaches the edge of a scan of text, and is nearly as large as the image: it may hold more than the paper.
        case filledScan = "print-fills-scan"
        /// The page lies on a table, and its paper may have holes and shadows.
        case photograph = "on-table"
        /// An image or a dark color fills the page.
        case fullPage = "image-fills-page"

        /// Whether the box may cut print, as far as it does not keep the whole page.
        var mayCut: Bool {
            switch self {
            case .possiblePrint, .unseenWords, .openArt, .speckledArt, .noText: true
            case .dirt, .beyondText, .edge, .filledScan, .photograph, .fullPage: false
            }
        }

        /// The description on the contact sheet.
        var label: Message {
            switch self {
            case .possiblePrint: "marks outside may be print"
            case .unseenWords: "print without contrast"
            case .openArt: "art may continue at the fourth side"
            case .speckledArt: "no text found, but specks"
            case .noText: "no text found"
            case .dirt: "much dirt"
            case .beyondText: "print beyond the text"
            case .edge: "print at the edge"
            case .filledScan: "print fills the scan"
            case .photograph: "photograph of a page on a table"
            case .fullPage: "image fills the page"
            }
        }
    }
}

extension ConfidenceLimits {
    /// Returns the probability that a box with a doubt is right.
    static func probability(_ doubt: PageLayout.Doubt?) -> Double {
        switch doubt {
        case nil: text
        case .possiblePrint, .dirt, .noText: fair
        case .unseenWords: PrintedWordsLimits.confidence
        case .beyondText: beyondText
        case .edge, .photograph, .fullPage, .speckledArt: edge
        case .openArt, .filledScan: unlikely
        }
    }
}
