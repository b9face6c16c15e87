internal import Metadata

@testable import EPUBSource
@testable import PDFSource

extension FuzzTarget {
    /// Style sheets of EPUBs: nothing in them is longer than the text, and comparing has an end.
    static let styles = FuzzTarget(
        name: "styles",
        inputs: [
            "body{background:url('i/1.jpg') no-repeat}p.a>#b:hover,[c=\"d\"]::before{content:url(\\26 .png)!important}",
            "@import 'a.css';@media screen{@supports(a:b){p{background-image:url(a.png),url( \"b\" )}}}/*c*/",
            "div+p~a{display:none;background-position:-10% 50%;background-size:200%}", "}{;:,'\\",
        ],
        words: [
            "url(", "/*", "*/", "@media", "@import", "{", "}", "!important", "\\26 ", "::before", ":not(", "[a=b]", ">",
            "~",
            "background:", "content:", "display:none", "data:image/png;base64,",
        ], maximumBytes: 2048
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        let count = text.utf8.count
        let sheet = StyleSheet(text, base: "a.css")
        let root = XMLElement("body", attributes: [XMLAttribute("class", "a b")])
        let path = [root, XMLElement("p", attributes: [XMLAttribute("class", "a"), XMLAttribute("id", "b")])]
        require(sheet.rules.count <= count, "a rule takes a byte")
        var work = 0
        for rule in sheet.rules {
            let before = work
            use(rule.selector.matches(path, &work))
            require(work >= before && work - before <= 1 << 20, "comparing has an end")
        }
        let own = StyleSheet.declarations(text, base: "a.css")
        for declaration in own + sheet.rules.flatMap(\.declarations) {
            require(declaration.value.utf8.count <= count, "a value is a part of the text")
            for address in StyleValue.addresses(in: declaration.value, orStrings: true) {
                require(address.utf8.count <= count, "an address is a part of its value")
            }
            use(StyleValue.showsPart(declaration.value))
        }
        let parts = StyleScanner.split(text, at: ";")
        require(parts.reduce(0) { $0 + $1.utf8.count } <= count, "the parts are the text")
    }

    /// Functions of inks in PDFs: the stack has a limit.
    static let calculator = FuzzTarget(
        name: "calculator",
        inputs: ["{dup 0 mul exch dup 1 mul 3 -1 roll}", "{1 exch sub 2 copy 1 index neg abs add pop}"],
        words: [
            "dup ", "exch ", "pop ", "copy ", "index ", "roll ", "add ", "sub ", "mul ", "neg ", "1e309 ", "-1 ", "{",
            "}",
        ],
        maximumBytes: 512
    ) { input in
        guard let function = CalculatorFunction(input) else { return }
        for end in [0.0, 1.0] {
            require((function.value(of: end)?.count ?? 0) <= 100, "the stack has a limit")
        }
    }
}
