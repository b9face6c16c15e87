extension JSON {
    /// The member of an object; nil for anything else.
    public subscript(_ key: String) -> JSON? { members?.first { $0.key == key }?.value }

    public var members: [(key: String, value: JSON)]? {
        if case .object(let members) = self { members } else { nil }
    }

    public var elements: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    public var asString: String? {
        if case .string(let text) = self { text } else { nil }
    }

    public var asNumber: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// A whole number.
    public var asInteger: Int? {
        if case .integer(let number) = self { number } else { nil }
    }

    public var asBoolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
