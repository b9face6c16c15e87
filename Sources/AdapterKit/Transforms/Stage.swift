/// The stages between source and sink, in the order in which they run.
///
/// A transform contributes passes to stages; see `Pass`. Nothing else states the order. An analysis sees the changes of
/// the stages before its own. The comment of a stage states why it comes there. A test prints the comments in the
/// documentation.
public enum Stage: CaseIterable, Comparable, Sendable {
    /// The lengths refer to the page as its source shows it.
    case crop
    /// Later stages see pages as a person reads them. An unstated reading direction is inferred from these pages.
    case turn
    /// Pages get another order or other labels while they are whole. Plug-ins run here unless their manifest names
    /// another stage.
    case arrange
    /// A clip is a part of a whole, upright page. Later stages treat each clip as a page.
    case clip
    /// Later stages analyze each half as a page. Printed page numbers, which show the facing pages, are not cropped yet.
    case split
    /// A curved line has no single skew, so pages are flattened before they are deskewed.
    case flatten
    /// Pages are deskewed and cropped in one stage, because one analysis finds their skew and their content.
    case trim
    /// Margins that are cut off do not count. Joining and scaling would blend the paper and the ink of pages.
    case clean
    /// The margins between facing pages are gone, so artwork meets at the fold.
    case join
    /// The final shape of the page is known. Pages are not analyzed any more, because a scaled page has no preview.
    case fit
    /// A scaled page has fewer pixels to convert.
    case gray
    /// Black and white have their final meaning before levels are set.
    case invert
    /// Levels refer to the gray, positive page.
    case tone
    /// Any later change would add gray levels.
    case shades

    /// The name in manifests and in the documentation.
    public var name: String { "\(self)" }

    /// Returns the stage with a name; nil for an unknown one.
    public init?(name: String) {
        guard let stage = Stage.allCases.first(where: { $0.name == name }) else { return nil }
        self = stage
    }
}
