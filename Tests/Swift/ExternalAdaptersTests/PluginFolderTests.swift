import AdapterKit
import Foundation
import PageModel
import Scratch
import Testing

@testable import ExternalAdapters
@testable import Processes

@Suite struct PluginFolderTests {
    /// Puts a plug-in into a folder that only this user may write to.
    private func plugin(_ name: String, in folder: String, program mode: Int = 0o755, manifest: String? = nil) throws {
        let files = FileManager.default
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let parts = name.split(separator: "-", maxSplits: 1).map(String.init)
        let text = manifest ?? #"{"jisui": [1], "role": "\#(parts[0])", "id": "\#(parts[1])", "summary": "s"}"#
        for (path, mode, text) in [("jisui-\(name)", mode, "#!/bin/sh\n"), ("jisui-\(name).json", 0o644, text)] {
            _ = files.createFile(
                atPath: "\(folder)/\(path)", contents: Data(text.utf8), attributes: [.posixPermissions: mode])
        }
    }

    private func found(_ folders: String..., builtIn: Set<String> = []) -> [FoundPlugin] {
        PluginFolders(folders).plugins(builtIn: [.source: builtIn])
    }

    private func refusal(_ plugin: FoundPlugin?) -> String? {
        if case .refused(let error)? = plugin?.state { error.description } else { nil }
    }

    @Test func theFirstFolderWins() throws {
        let scratch = try ScratchFolder()
        let (one, two) = ("\(scratch.path)/one", "\(scratch.path)/two")
        try plugin("source-a", in: one)
        try plugin("source-a", in: two)
        try plugin("source-pdf", in: two)
        let found = found(one, "\(scratch.path)/none", two, builtIn: ["pdf"])
        #expect(found.map(\.program) == ["\(one)/jisui-source-a", "\(two)/jisui-source-a", "\(two)/jisui-source-pdf"])
        guard case .usable = found[0].state else { Issue.record("\(found[0].state)"); return }
        guard case .shadowed(by: "\(one)/jisui-source-a") = found[1].state else {
            Issue.record("\(found[1].state)")
            return
        }
        guard case .shadowed(by: "jisui itself") = found[2].state else { Issue.record("\(found[2].state)"); return }
    }

    /// The command line would have two options of one name.
    @Test(arguments: ["source", "sink", "transform"]) func optionsOfJisuiAreRejected(_ role: String) throws {
        let scratch = try ScratchFolder()
        let folder = "\(scratch.path)/plugins"
        for name in ["title", "quality"] {
            let settings = #"[{"name": "\#(name)", "kind": "flag", "help": "h"}]"#
            let manifest =
                #"{"jisui": [1], "role": "\#(role)", "id": "\#(name)", "summary": "s", "settings": \#(settings)}"#
            try plugin("\(role)-\(name)", in: folder, manifest: manifest)
        }
        let found = PluginFolders([folder]).plugins(builtIn: [:], options: ["title", "pages"])
        #expect(found.map(\.name) == ["\(role)-quality", "\(role)-title"])
        guard case .usable = found.first?.state else { Issue.record("\(found)"); return }
        #expect(refusal(found.last)?.hasSuffix("the manifest has an option 'title', which jisui itself has") == true)
        let program = "\(folder)/jisui-\(role)-title"
        let error = #expect(throws: AdapterError.self) {
            try PluginInstallation.add(program, mayReplace: false, options: ["title"])
        }
        #expect(error?.file == "\(program).json")
        #expect(error?.message.english.hasSuffix("which jisui itself has") == true)
    }

    @Test(arguments: [0o775, 0o757, 0o644]) func insecureOrNonExecutablePluginIsRejected(_ mode: Int) throws {
        let scratch = try ScratchFolder()
        try plugin("source-a", in: "\(scratch.path)/plugins", program: mode)
        let message = refusal(found("\(scratch.path)/plugins").first)
        #expect(
            message?.contains(mode == 0o644 ? "not an executable program" : "can be written by other users") == true)
    }

    @Test func missingProgramIsNotAWrongName() throws {
        let scratch = try ScratchFolder()
        let missing = #expect(throws: AdapterError.self) { try PluginFolders.name(ofProgram: scratch("file")) }
        #expect(missing?.code == .unreadable && missing?.message.english == "cannot be opened: no such file or folder")
        let other = #expect(throws: AdapterError.self) {
            try PluginFolders.name(ofProgram: scratch.write("file", []))
        }
        #expect(other?.code == .usage)
    }

    @Test func onlyALongerPageTimeoutChangesOtherLimits() throws {
        #expect(Plugin.secondsForList(pageTimeout: nil) == 60 && Plugin.secondsForList(pageTimeout: 1) == 60)
        #expect(Plugin.secondsForList(pageTimeout: 90) == 90)
        #expect(
            Plugin.secondsForWholePage(pageTimeout: nil) == 300 && Plugin.secondsForWholePage(pageTimeout: 1) == 300)
        #expect(Plugin.secondsForWholePage(pageTimeout: 600) == 600)
        // The option has a default for pages, which is no request for other limits.
        #expect(try Plugin.pageTimeout(Settings([.pageTimeout], given: [:])) == nil)
        #expect(try Plugin.pageTimeout(Settings([.pageTimeout], given: ["page-timeout": "90"])) == 90)
    }

    @Test(
        arguments: [(.slow(5, isFixed: true), false), (.slow(5, isFixed: false), true)] as [(PluginProcess.Fault, Bool)]
    )
    func slowPluginHintsAtAnOptionThatHelps(_ fault: PluginProcess.Fault, _ isHinted: Bool) {
        #expect(((fault.error(for: "x") as? AdapterError)?.hint != nil) == isHinted)
    }

    @Test func aCardThatOthersCanWriteIsRefused() throws {
        let scratch = try ScratchFolder()
        try plugin("source-a", in: "\(scratch.path)/plugins")
        chmod("\(scratch.path)/plugins/jisui-source-a.json", 0o666)
        #expect(refusal(found("\(scratch.path)/plugins").first)?.contains("jisui-source-a.json") == true)
    }

    /// A sticky folder is not better as the folder of plug-ins itself: any user may add to it.
    @Test(arguments: [("plugins", 0o777), ("plugins", 0o1777), ("", 0o777)]) func foldersThatOthersCanWriteAreRefused(
        _ folder: String, _ mode: mode_t
    ) throws {
        let scratch = try ScratchFolder()
        let above = "\(scratch.path)/above"
        try plugin("source-a", in: "\(above)/plugins")
        chmod("\(above)/\(folder)", mode)
        #expect(refusal(found("\(above)/plugins").first)?.contains("can be written by other users") == true)
    }

    @Test func permissionsOfALinkTargetAreChecked() throws {
        let scratch = try ScratchFolder()
        let (open, own) = ("\(scratch.path)/open", "\(scratch.path)/own")
        try plugin("source-a", in: open)
        try FileManager.default.createDirectory(
            atPath: own, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        for name in ["jisui-source-a", "jisui-source-a.json"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(own)/\(name)", withDestinationPath: "\(open)/\(name)")
        }
        #expect(refusal(found(own).first) == nil)
        chmod(open, 0o777)
        #expect(refusal(found(own).first)?.contains("can be written by other users") == true)
    }

    @Test func missingOrDifferentCardIsReported() throws {
        let scratch = try ScratchFolder()
        try plugin(
            "source-a", in: scratch.path, manifest: #"{"jisui": [1], "role": "sink", "id": "a", "summary": "s"}"#)
        try plugin("source-b", in: scratch.path)
        try FileManager.default.removeItem(atPath: "\(scratch.path)/jisui-source-b.json")
        chmod(scratch.path, 0o755)
        let found = found(scratch.path)
        #expect(refusal(found.first)?.contains("sink-a") == true)
        #expect(refusal(found.last)?.contains("manifest is missing") == true)
    }
}
