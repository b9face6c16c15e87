internal import Work

/// A word of a command that belongs to none of its options, or several of them.
struct Operand: Sendable {
    /// The values that completion offers.
    enum Kind: Sendable {
        case file
        case folder
        case words(@Sendable () -> [String])
        case any
    }

    /// One word, which a message translates.
    let name: String
    let help: String
    let kind: Kind
    var isRequired = true
    var isRepeatable = false

    /// The placeholder in help: "INPUT...".
    var usage: String {
        let word = name.uppercased() + (isRepeatable ? "..." : "")
        return isRequired ? word : "[\(word)]"
    }
}

extension Operand {
    static let input = Operand(
        name: "input",
        help: "A PDF, EPUB, AZW3, archive, TIFF, single image or folder of images; '-' for standard input",
        kind: .file, isRepeatable: true)
    static let comparedBook = Operand(name: "book", help: "A book; '-' for standard input", kind: .file)
    static let otherBook = Operand(name: "other", help: "The book that is compared with it", kind: .file)
    static let outputs = Operand(
        name: "output", help: "A book, or a folder that contains books", kind: .file, isRepeatable: true)
    static let shelf = Operand(name: "shelf", help: "The folder of the shelf", kind: .folder)
    static let device = Operand(
        name: "name", help: "A device; without one, the list of devices", kind: .words { DeviceCatalog.names },
        isRequired: false)
    static let preset = Operand(
        name: "name", help: "A preset", kind: .words { Run.userFiles.presets.map(\.name) })
    static let hotFolder = Operand(name: "folder", help: "The folder that other programs fill", kind: .folder)
    static let journals = Operand(name: "files", help: "Journals", kind: .file, isRepeatable: true)
    static let addedProgram = Operand(
        name: "program", help: "The program, called jisui-source-ID, jisui-sink-ID or jisui-transform-ID", kind: .file)
    static let plugin = Operand(
        name: "name", help: "Its name, as 'jisui plugin list' has it: source-djvu", kind: .any)
    static let checkedProgram = Operand(name: "program", help: "The program", kind: .file)
    static let checkedBooks = Operand(
        name: "files", help: "Books that a source reads", kind: .file, isRequired: false, isRepeatable: true)
    static let topic = Operand(
        name: "topic", help: "A topic, a command or an option; without one, the most used options",
        kind: .words { HelpTopic.all.map(\.id) + ["all", "topics"] + CommandEntry.all.map(\.name) },
        isRequired: false)
    static let shell = Operand(
        name: "shell", help: "The shell", kind: .words { Completions.Shell.allCases.map(\.rawValue) })
    static let completedWords = Operand(
        name: "words", help: "Instead of the script, print what completes the last of these words", kind: .any,
        isRequired: false, isRepeatable: true)
}
