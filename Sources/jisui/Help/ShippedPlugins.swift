internal import Conversion
internal import PageModel

/// The plug-ins that jisui ships as separate programs, for hints if they are not installed.
struct ShippedPlugin {
    let name: String
    let id: String
    /// The extensions of the files that it reads.
    var extensions: [String] = []
    var options: [String] = []

    static let all = [
        ShippedPlugin(name: "source-djvu", id: "djvu", extensions: ["djvu", "djv"]),
        ShippedPlugin(
            name: "source-unar", id: "unar",
            extensions: ["lzh", "lha", "arj", "sit", "sitx", "cab", "alz", "zoo", "lzx"],
            options: ["unar-encoding", "unar-password-visible"]),
        ShippedPlugin(name: "transform-ocr", id: "ocr", options: ["ocr", "ocr-pages", "ocr-language", "ocr-layout"]),
    ]

    /// A hint on installing it.
    var hint: Message {
        "install the package jisui-\(id), or run 'make plugins' in the source folder of jisui, then "
            + "'jisui plugin add .build/plugins/jisui-\(name)'"
    }

    /// Hints by extension, for files that only a plug-in reads.
    static var hints: [String: Message] {
        let pairs = all.flatMap { plugin in plugin.extensions.map { ($0, plugin.hint) } }
        return Dictionary(pairs) { first, _ in first }
    }
}
