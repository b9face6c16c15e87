// Reads a book, trims its margins and writes it as a CBZ: TrimBook <input> <output.cbz>

import AdapterKit
import ArchiveSource
import Audit
import ComicSink
import Conversion
import Files
import PDFSource
import PageModel
import Trim

let registry = Registry(sources: [PDFSource(), ArchiveSource()], transforms: [Trim()], sinks: [CBZSink()])
var job = Job(
    inputs: [Input(path: CommandLine.arguments[1])], sink: "cbz",
    destination: Destination(path: CommandLine.arguments[2]))
job.settings = ["trim": "page"]
do {
    for page in try await Conversion(registry, job).run().pages {
        print(page.number, page.overallTreatment, page.explanation)
    }
} catch let error as AdapterError {
    print(error)
}
