/// The objects of a document's page that are omitted: parts of its content, and annotations.
public struct PageOmission: Hashable, Sendable {
    /// The change to the page's content.
    public var content: ContentEdit
    /// The places of the omitted annotations in the page's list, from 0, in ascending order.
    public let annotations: [Int]

    public init(content: ContentEdit = ContentEdit(), annotations: Set<Int> = []) {
        self.content = content
        self.annotations = annotations.sorted()
    }

    /// Whether nothing is omitted.
    public var isEmpty: Bool { content.isEmpty && annotations.isEmpty }
}

/// A change to the content of a page, or of a form on it: operators that paint are replaced by ones that do not.
public struct ContentEdit: Hashable, Sendable {
    /// An operator with its operands, as bytes of the content.
    public struct Cut: Hashable, Sendable {
        public var range: Range<Int>
        /// The operators with the same effects, except for the painting.
        public var replacement: String
        /// The name of the image or form that the operator paints.
        public var object: String?

        public init(_ range: Range<Int>, replacement: String = "", object: String? = nil) {
            (self.range, self.replacement, self.object) = (range, replacement, object)
        }
    }

    /// A form that is painted with other content.
    public struct Form: Hashable, Sendable {
        /// The operator that paints it, as bytes of the content around it.
        public var range: Range<Int>
        public var name: String
        public var edit: ContentEdit

        public init(_ range: Range<Int>, name: String, edit: ContentEdit) {
            (self.range, self.name, self.edit) = (range, name, edit)
        }
    }

    /// The replaced operators, which do not overlap.
    public var cuts: [Cut]
    public var forms: [Form]

    public init(cuts: [Cut] = [], forms: [Form] = []) {
        (self.cuts, self.forms) = (cuts, forms)
    }

    public var isEmpty: Bool { cuts.isEmpty && forms.isEmpty }
}
