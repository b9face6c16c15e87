// Trims a book for a small screen and streams it as a CBZ: StreamBook <input> > book.cbz

import Foundation
import Jisui

func log(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }

var job = Job(inputs: [Input(path: CommandLine.arguments[1])], sink: "cbz", destination: .standardOutput())
job.trim = .page
job.fit = PixelSize(width: 1072, height: 1448)
job.makesGray = true
do {
    let report = try await Conversion(.builtIn(), job) { event in
        if case .finished(let pages) = event { log("\(pages) pages are written") }
    }.run()
    for page in report.pages { log("\(page.number): \(page.overallTreatment), \(page.explanation)") }
} catch let error as AdapterError {
    log("\(error)")
    exit(1)
}
