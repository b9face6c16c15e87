internal import Files
internal import Metadata
public import PageModel

/// A journal as a page for a web browser: one file without further ones, with a table that sorts and filters.
public struct JournalPage: Sendable {
    private let entries: [JournalEntry]
    private let title: String
    /// Returns the text of a message in the language of the page.
    private let text: @Sendable (Message) -> String

    /// - Parameters:
    ///   - title: the name of the journal.
    ///   - text: returns the text of a message in the language of the page.
    public init(_ entries: [JournalEntry], title: String, _ text: @escaping @Sendable (Message) -> String) {
        // Failures come first.
        let rank: [JournalEntry.Outcome: Int] = [.failed: 0, .warnings: 1]
        self.entries =
            entries.filter { rank[$0.outcome] == 0 } + entries.filter { rank[$0.outcome] == 1 }
            + entries.filter { rank[$0.outcome] == nil }
        (self.title, self.text) = (title, text)
    }

    /// The page in HTML.
    public var html: String {
        let columns: [Message] = [
            "Outcome", "Book", "Output", "Pages", "Bytes before", "Bytes after", "Seconds", "Processor seconds",
            "Message",
        ]
        var page = """
            <!DOCTYPE html>
            <html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>\(JournalPage.escaped(title))</title><style>\(JournalPage.style)</style></head><body>
            <h1>\(JournalPage.escaped(title))</h1>
            <p><input id="filter" type="search" autofocus placeholder="\(JournalPage.escaped(text("Filter")))">
            <output id="count"></output></p>
            <table><thead><tr>
            """
        for column in columns { page += "<th><button>\(JournalPage.escaped(text(column)))</button></th>" }
        page += "</tr></thead><tbody>\n"
        for entry in entries { page += row(entry) }
        return page + "</tbody></table><script>\(JournalPage.script)</script></body></html>\n"
    }

    private func row(_ entry: JournalEntry) -> String {
        let message = entry.failure?.message ?? entry.warnings.joined(separator: "; ")
        let isFailed = entry.outcome == .failed
        let bytes = entry.inputs.reduce(0) { $0 + ($1.bytes ?? 0) }
        let texts = [entry.outcome.rawValue, entry.name, entry.output.path]
        let numbers = [
            isFailed ? nil : Double(entry.pages), Double(bytes), entry.output.bytes.map(Double.init), entry.seconds,
            entry.processorSeconds,
        ]
        let cells =
            texts.map { "<td>\(JournalPage.escaped($0))</td>" }
            + numbers.map { "<td class=n>\($0.map(JournalPage.shown) ?? "")</td>" }
            + ["<td>\(JournalPage.escaped(message))</td>"]
        return "<tr class=\(entry.outcome.rawValue)>\(cells.joined())</tr>\n"
    }

    private static func shown(_ number: Double) -> String {
        let thousandths = (number * 1000).rounded() / 1000
        return Int(exactly: thousandths).map(String.init) ?? "\(thousandths)"
    }

    private static func escaped(_ text: String) -> String { XMLText.escaped(FileName.shown(text)) }

    private static let style = """
        body{font:14px system-ui,sans-serif;margin:1em}table{border-collapse:collapse}
        th{position:sticky;top:0;background:#fff;text-align:left}th button{font:inherit;font-weight:bold;border:0;background:none}
        td{padding:.2em .6em;border-top:1px solid #ddd;vertical-align:top;overflow-wrap:anywhere}.n{text-align:right}
        .failed td:first-child{color:#b00}.warnings td:first-child{color:#950}input{width:20em}
        """

    private static let script = """
        const body=document.querySelector('tbody'),rows=[...body.rows],filter=document.querySelector('#filter'),\
        count=document.querySelector('#count');
        const texts=new Map(rows.map(row=>[row,row.textContent.toLowerCase()]));
        function show(){const words=filter.value.toLowerCase().split(/\\s+/);let shown=0;for(const row of rows)\
        {row.hidden=!words.every(word=>texts.get(row).includes(word));shown+=!row.hidden}\
        count.value=shown+' / '+rows.length}
        let last=-1,sign=1;
        document.querySelectorAll('th button').forEach((button,place)=>button.onclick=()=>{sign=place===last?-sign:1;\
        last=place;const key=row=>row.cells[place].textContent,number=rows[0]?.cells[place].className==='n';\
        rows.sort((a,b)=>sign*(number?key(a)-key(b):key(a).localeCompare(key(b))));body.append(...rows)});
        filter.oninput=show;show();
        """
}
