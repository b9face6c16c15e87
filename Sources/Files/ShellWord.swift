/// A name as a word of a shell's command, for hints that can be typed.
public enum ShellWord {
    /// Returns a name in quotation marks, if the shell would change it or jisui would read it as an option.
    public static func quoted(_ name: String) -> String {
        let plain = name.allSatisfy { $0.isLetter || $0.isNumber || "._-+/,=@%:".contains($0) }
        return plain && !name.hasPrefix("-") && !name.isEmpty
            ? name : "'" + name.replacing("'", with: "'\\''") + "'"
    }
}
