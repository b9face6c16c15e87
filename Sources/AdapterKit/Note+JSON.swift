public import OrderedJSON
public import PageModel

extension Note {
    /// The note as a JSON object, its code first.
    public var json: JSON {
        var members = values
        members["text"] = text?.english
        return .object(
            [(key: "code", value: .string(code.rawValue))]
                + members.sorted { $0.key < $1.key }.map { (key: $0.key, value: .string($0.value)) })
    }
}
