/// A contributor to a book, in one role. A person with several roles has several credits.
public struct Credit: Hashable, Sendable {
    public var name: String
    public var role: CreatorRole

    public init(_ name: String, _ role: CreatorRole) {
        self.name = name
        self.role = role
    }
}

/// The role of a contributor to a book.
public enum CreatorRole: String, Hashable, Sendable, CaseIterable {
    /// The writer; also a person whom a source names without a role.
    case author
    /// The person who retold another's work.
    case adapter
    /// The illustrator, if penciller and inker are not distinguished.
    case artist
    case penciller
    case inker
    case colorist
    case letterer
    case coverArtist = "cover artist"
    case photographer
    case editor
    case translator
    /// Any other role.
    case other

    /// Whether people in this role count as the book's authors.
    public var isAuthor: Bool {
        switch self {
        case .author, .adapter, .artist, .penciller, .inker, .colorist: true
        case .letterer, .coverArtist, .photographer, .editor, .translator, .other: false
        }
    }
}

extension [Credit] {
    /// Returns the names of the people who have one of some roles, each once, in order.
    public func names(_ roles: Set<CreatorRole>) -> [String] {
        var seen: Set<String> = []
        return filter { roles.contains($0.role) && seen.insert($0.name).inserted }.map(\.name)
    }

    /// The people in order, each with all roles. A person is listed once unless the order differs between roles.
    public var people: [(name: String, roles: [CreatorRole])] {
        var places: [String: Int] = [:]
        // The last position of a person in each role.
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
