/// Someone who took part in making a book, and as what. Who did several things has several credits.
public struct Credit: Hashable, Sendable {
    public var name: String
    public var role: CreatorRole

    public init(_ name: String, _ role: CreatorRole) {
        self.name = name
        self.role = role
    }
}

/// What someone did for a book.
public enum CreatorRole: String, Hashable, Sendable, CaseIterable {
    /// Who wrote it; also whoever a source names without saying what they did.
    case author
    /// Who retold another's work.
    case adapter
    /// Who drew it, where nobody says who drew and who inked.
    case artist
    case penciller
    case inker
    case colorist
    case letterer
    case coverArtist = "cover artist"
    case photographer
    case editor
    case translator
    /// Anything else.
    case other

    /// Whether such people count as a book's authors, by whom it is said to be.
    public var isAuthor: Bool {
        switch self {
        case .author, .adapter, .artist, .penciller, .inker, .colorist: true
        case .letterer, .coverArtist, .photographer, .editor, .translator, .other: false
        }
    }
}

extension [Credit] {
    /// The names of those who have one of some roles, each once, in order.
    public func names(_ roles: Set<CreatorRole>) -> [String] {
        var seen: Set<String> = []
        return filter { roles.contains($0.role) && seen.insert($0.name).inserted }.map(\.name)
    }

    /// The people in order, with all that they did: each once, but for those whose place among the people of one role is
    /// another than among those of another.
    public var people: [(name: String, roles: [CreatorRole])] {
        var places: [String: Int] = [:]
        // The last place at which somebody has a role.
        var last: [CreatorRole: Int] = [:]
        var people: [(name: String, roles: [CreatorRole])] = []
        for credit in unique {
            if let place = places[credit.name], place > last[credit.role] ?? -1 {
                people[place].roles.append(credit.role)
                last[credit.role] = place
            } else {
                places[credit.name] = people.count
                last[credit.role] = people.count
                people.append((credit.name, [credit.role]))
            }
        }
        return people
    }
}
