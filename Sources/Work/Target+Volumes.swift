internal import AdapterKit
internal import Conversion
internal import Files
internal import Metadata
internal import PageModel
internal import PageNames

extension Target {
    /// Rejects a folder of folders that are volumes by their names. It could become one book with chapters, or a book
    /// of each. The name of an output answers that.
    ///
    /// - Throws: `.usage`, with the commands for both.
    func refuseVolumes(in input: Input) throws(AdapterError) {
        guard namesFilesAfterInputs, FileStatus.isFolder(input.path) else { return }
        let root = FileName.endsInSlash(input.path) ? input.path : input.path + "/"
        let entries = (try? FolderListing.entries(in: input.path)) ?? []
        if entries.contains(where: { !$0.isFolder && PictureName.matches($0.name) }) { return }
        let names = PageOrder.sorted(entries.filter(\.isFolder).map(\.name), by: \.self).filter { name in
            !JunkName.matches(name, isFolder: true)
                && ((try? FolderListing.names(in: root + name)) ?? []).contains(where: PictureName.matches)
        }
        guard names.count > 1, names.allSatisfy({ FileNameGuess($0)?.isOfVolume == true }) else { return }
        let output = folder.map { " -o \(ShellWord.quoted($0))" } ?? ""
        let each = "jisui \(ShellWord.quoted(root))*/\(output) --to \(sink.descriptor.id)"
        let one = destination(for: input, mayReplace: false).path
        throw AdapterError(
            .usage, "holds \(names.count) folders of volumes, such as \(names[0])",
            hint: "for a book of each, use \(each); for one book with chapters, use "
                + "jisui \(ShellWord.quoted(input.path)) -o \(ShellWord.quoted(one))", file: input.name)
    }
}
