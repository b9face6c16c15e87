// swift-tools-version: 6.1
import PackageDescription

/// Whether portable code stands for the calls that only Linux has: see docs/dev/portability.md.
let isPortable = Context.environment["JISUI_PORTABLE"] != nil

let strict: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (isPortable ? [.define("JISUI_PORTABLE")] : [])

/// The modules that every adapter and every test may import.
let kit: [Target.Dependency] = ["PageModel", "Files", "OrderedJSON", "PageNames", "AdapterKit"]

/// A module: one folder of `Sources`.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// An adapter that ships with jisui: one folder of `Plugins`.
///
/// - Parameter scripts: files for browsers, which stand in the binary as bytes of `PackageResources`.
func adapter(_ name: String, _ dependencies: [Target.Dependency] = [], scripts: [String] = []) -> Target {
    .target(
        name: name, dependencies: kit + dependencies, path: "Plugins/\(name)",
        resources: scripts.map { .embedInCode($0) }, swiftSettings: strict)
}

/// A C library of the system: a module map and a shim header. `make deps` installs it.
func library(_ name: String, _ pkgConfig: String, _ debian: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([debian])])
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: kit + dependencies, path: "Tests/Swift/\(name)", exclude: exclude,
        swiftSettings: strict)
}

let adapters = [
    "FolderSource", "ArchiveSource", "EPUBSource", "PDFSource", "FolderSink", "ComicSink", "EPUBSink", "PDFSink",
    "StripSink", "WebSource", "WebSink", "Clips", "Trim", "Flatten", "Spreads", "Looks",
]
/// The modules whose parsers are fuzzed.
let fuzzed: [Target.Dependency] = [
    "Imaging", "ZipFile", "Metadata", "PDFStructure", "Conversion", "ArchiveSource", "PDFSource", "Trim", "Looks",
    "Spreads", "SyntheticPDF", "CDeflate",
]
/// The modules that other packages may import.
let modules = [
    "PageModel", "Files", "OrderedJSON", "OrderedWork", "PageNames", "AdapterKit", "DecisionFiles", "Imaging", "Marks",
    "Processes", "ZipFile", "Metadata", "PDFStructure", "Conversion", "Work", "ExternalAdapters", "AdapterTestKit",
]
let everyAdapter = adapters.map { Target.Dependency(stringLiteral: $0) }

let package = Package(
    name: "jisui",
    products: [
        .executable(name: "jisui", targets: ["jisui"])
    ] + (modules + adapters).map { .library(name: $0, targets: [$0]) },
    dependencies: [
        // Exactly this version: `Completions` changes parts of the scripts that it writes.
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
    ],
    targets: [
        module("PageModel"),
        module("Files", ["PageModel", "CLinux"]),
        module("OrderedJSON", ["PageModel", "Files"]),
        module("OrderedWork"),
        module("PageNames", ["PageModel", "Files"]),
        module("AdapterKit", ["PageModel", "Files", "OrderedJSON", "PageNames"]),
        module("DecisionFiles", ["PageModel", "Files", "OrderedJSON", "OrderedWork", "AdapterKit"]),
        module(
            "Imaging",
            [
                "PageModel", "CDeflate", "CGIF", "CHEIF", "CJPEGShims", "CJXL", "CLCMS", "CNettle", "COpenJPEG",
                "CPNGShims", "CTIFF", "CWebP", "CZimg",
            ]),
        module("Marks", ["PageModel"]),
        module("Processes", ["PageModel", "Files", "OrderedJSON", "Imaging", "CLinux", "CProcess"]),
        module("ZipFile", ["PageModel", "Files", "AdapterKit", "CDeflate", "CZlib"]),
        module("Metadata", ["PageModel", "Files", "OrderedJSON", "AdapterKit", "CXML2"]),
        module("PDFStructure", ["PageModel", "Files", "CQPDFShims"]),
        module(
            "Conversion",
            [
                "PageModel", "Files", "OrderedJSON", "OrderedWork", "PageNames", "AdapterKit", "Imaging", "Marks",
                "Metadata", "Processes",
            ]),
        module(
            "Work",
            ["PageModel", "Files", "OrderedJSON", "PageNames", "AdapterKit", "Imaging", "Metadata", "Conversion"]),
        module(
            "ExternalAdapters", ["PageModel", "Files", "OrderedJSON", "AdapterKit", "Imaging", "Processes"]),
        module("AdapterTestKit", ["PageModel", "Files", "AdapterKit"]),

        adapter("EPUBSource", ["Imaging", "Metadata", "Processes", "ZipFile"]),
        adapter("FolderSource", ["Imaging", "Metadata"]),
        adapter("ArchiveSource", ["Imaging", "ZipFile", "Metadata", "Processes", "CArchive"]),
        adapter("PDFSource", ["Imaging", "Metadata", "PDFStructure", "Processes", "CPoppler"]),
        adapter("Trim", ["DecisionFiles", "Imaging", "Marks", "Metadata", "OrderedWork"], scripts: ["Sheet/sheet.js"]),
        adapter("Clips"),
        adapter("Flatten", ["DecisionFiles", "Imaging", "Marks", "OrderedWork"]),
        adapter("Spreads", ["DecisionFiles", "Imaging", "Marks", "OrderedWork"]),
        adapter("Looks", ["Imaging"]),
        adapter("FolderSink", ["Metadata"]),
        adapter("EPUBSink", ["Imaging", "Metadata", "ZipFile"]),
        adapter("StripSink", ["Imaging", "OrderedWork"]),
        adapter("WebSource", ["Imaging", "Metadata"]),
        adapter(
            "WebSink", ["Imaging", "Metadata", "ZipFile"],
            scripts: [
                "index.html", "reader.css", "icon.svg", "manifest.webmanifest", "sw.js", "base.js", "pairing.js",
                "store.js", "views.js", "stage.js", "strip.js", "gestures.js", "loupe.js", "marks.js", "dialogs.js",
                "keys.js", "start.js", "library.js", "text.js", "search.js", "offline.js", "print.js",
                "files.js",
            ].map { "Reader/\($0)" }),
        adapter("PDFSink", ["Imaging", "Metadata", "PDFStructure", "CDeflate"]),
        adapter("ComicSink", ["ZipFile", "Metadata", "CArchive"]),

        .executableTarget(
            name: "jisui",
            dependencies: [
                "PageModel", "Files", "OrderedJSON", "OrderedWork", "PageNames", "AdapterKit", "Processes", "Imaging",
                "ZipFile", "Metadata", "PDFStructure", "Conversion", "Work", "ExternalAdapters", "AdapterTestKit",
                "CProgram",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ] + everyAdapter,
            resources: [.embedInCode("Translations/ja.po")], swiftSettings: strict),

        // Its own package builds it from outside; as a part of this one it cannot fall behind.
        .executableTarget(
            name: "TrimBook",
            dependencies: [
                "PageModel", "Files", "OrderedJSON", "PageNames", "AdapterKit", "Conversion", "ArchiveSource",
                "PDFSource", "Trim", "ComicSink",
            ],
            path: "Examples/TrimBook/Sources/TrimBook", swiftSettings: strict),

        library("CArchive", "libarchive", "libarchive-dev"),
        library("CDeflate", "libdeflate", "libdeflate-dev"),
        library("CGIF", "libgif", "libgif-dev"),
        .systemLibrary(name: "CLinux", path: isPortable ? "Sources/CLinux/Portable" : "Sources/CLinux"),
        library("CJPEG", "libjpeg", "libjpeg-dev"),
        library("CLCMS", "lcms2", "liblcms2-dev"),
        library("CNettle", "nettle", "nettle-dev"),
        library("COpenJPEG", "libopenjp2", "libopenjp2-7-dev"),
        library("CPNG", "libpng", "libpng-dev"),
        library("CQPDF", "libqpdf", "libqpdf-dev"),
        library("CTIFF", "libtiff-4", "libtiff-dev"),
        library("CWebP", "libwebpdemux", "libwebp-dev"),
        library("CXML2", "libxml-2.0", "libxml2-dev"),
        library("CZimg", "zimg", "libzimg-dev"),
        library("CZlib", "zlib", "zlib1g-dev"),
        .target(name: "CHEIF"),
        .target(name: "CJPEGShims", dependencies: ["CJPEG"]),
        .target(name: "CJXL"),
        .target(name: "CPNGShims", dependencies: ["CPNG"]),
        .target(name: "CPoppler"),
        .target(name: "CProgram"),
        .target(name: "CQPDFShims", dependencies: ["CQPDF"]),
        .target(
            name: "CProcess",
            exclude: isPortable
                ? ["CallTable.c", "Calls.c", "Files.c", "Kernel.c", "OwnFiles.c"] : ["Portable.c"]),

        // What tests that touch the file system or run programs share.
        .target(name: "Scratch", path: "Tests/Support/Scratch", swiftSettings: strict),
        tests("PageModelTests", []),
        tests("FilesTests", ["Scratch"]),
        tests("OrderedJSONTests", []),
        tests("OrderedWorkTests", ["OrderedWork", "Scratch"]),
        tests("PageNamesTests", ["Scratch"]),
        tests("ProcessesTests", ["Processes"]),
        tests("AdapterKitTests", ["Scratch"]),
        tests("DecisionFilesTests", ["DecisionFiles", "Scratch"]),
        tests("ArchiveSourceTests", ["ArchiveSource", "Imaging", "CDeflate", "Scratch"]),
        tests("ImagingTests", ["Imaging", "CDeflate", "CLCMS", "CTIFF", "Scratch", "CHEIFCheck", "CJXLCheck"]),
        tests("MarksTests", ["Marks", "Scratch"]),
        // What tests of PDF write theirs with.
        .target(
            name: "SyntheticPDF", dependencies: ["PageModel", "Files", "PDFStructure"],
            path: "Tests/Support/SyntheticPDF", swiftSettings: strict),
        tests("PDFStructureTests", ["PDFStructure", "SyntheticPDF", "Scratch"]),
        tests("PDFSourceTests", ["Imaging", "PDFStructure", "PDFSource", "jisui", "SyntheticPDF", "Scratch"]),
        tests("FolderSourceTests", ["FolderSource", "Scratch"]),
        tests("TrimTests", ["AdapterTestKit", "Imaging", "Marks", "Trim", "Scratch"]),
        tests("FlattenTests", ["AdapterTestKit", "Flatten", "Imaging", "Scratch"]),
        tests("LooksTests", ["Imaging", "Looks"]),
        tests("ExternalAdaptersTests", ["ExternalAdapters", "Imaging", "Processes", "jisui", "Scratch"]),
        tests("SpreadsTests", ["AdapterTestKit", "Spreads", "Scratch"]),
        tests("SinkTests", ["FolderSink", "ComicSink", "CDeflate", "Scratch"]),
        tests(
            "PDFSinkTests",
            ["Imaging", "Metadata", "PDFStructure", "PDFSink", "PDFSource", "SyntheticPDF", "Scratch"]),
        tests("EPUBTests", ["Imaging", "Metadata", "ZipFile", "EPUBSink", "EPUBSource", "Scratch"]),
        tests("MetadataTests", ["Metadata", "Scratch"]),
        tests("ZipFileTests", ["ZipFile", "Scratch"]),
        tests("StripSinkTests", ["Imaging", "StripSink", "Scratch"]),
        tests(
            "ConversionTests",
            [
                "Conversion", "DecisionFiles", "Imaging", "Metadata", "OrderedWork", "FolderSink", "FolderSource",
                "Flatten", "Looks", "Spreads", "Trim", "Scratch",
            ]),
        tests("WorkTests", ["Conversion", "Work", "FolderSource", "FolderSink", "ComicSink", "WebSink", "Scratch"]),
        tests(
            "AdapterConformanceTests",
            ["Conversion", "AdapterTestKit", "ExternalAdapters", "Scratch", "jisui", "CPopplerCheck"]),
        // Compiling these is the test: our declarations of what is loaded late, beside the real headers.
        .systemLibrary(
            name: "CHEIFHeaders", path: "Tests/Support/CHEIFHeaders", pkgConfig: "libheif",
            providers: [.apt(["libheif-dev"])]),
        .target(name: "CHEIFCheck", dependencies: ["CHEIF", "CHEIFHeaders"], path: "Tests/Support/CHEIFCheck"),
        // Without pkg-config: Debian's file for libjxl has flags that SwiftPM warns of, and the headers need none.
        .systemLibrary(name: "CJXLHeaders", path: "Tests/Support/CJXLHeaders", providers: [.apt(["libjxl-dev"])]),
        .target(name: "CJXLCheck", dependencies: ["CJXL", "CJXLHeaders"], path: "Tests/Support/CJXLCheck"),
        .systemLibrary(
            name: "CPopplerHeaders", path: "Tests/Support/CPopplerHeaders", pkgConfig: "poppler-glib",
            providers: [.apt(["libpoppler-glib-dev"])]),
        .target(
            name: "CPopplerCheck", dependencies: ["CPoppler", "CPopplerHeaders"], path: "Tests/Support/CPopplerCheck"),
        // These run the built jisui.
        tests("WebTests", ["Metadata", "Spreads", "WebSink", "WebSource", "jisui", "Scratch"]),
        tests(
            "CommandTests", ["Conversion", "Work", "Trim", "jisui", "TrimBook", "SyntheticPDF", "Scratch"],
            exclude: ["Transcripts", "complete.py"]),
        tests("FuzzTests", fuzzed + ["Scratch"], exclude: ["Driver"]),
        tests("OracleTests", ["Imaging", "jisui", "CDeflate", "SyntheticPDF", "Scratch"]),
    ],
    cxxLanguageStandard: .cxx17
)

// The features from which `Benchmarks/seam_evidence.py` fits weights. Only that script needs the program.
if Context.environment["JISUI_SEAMS"] != nil {
    package.targets.append(
        .executableTarget(
            name: "SeamFeatures",
            dependencies: [
                "PageModel", "Files", "AdapterKit", "Conversion", "ArchiveSource", "FolderSource", "FolderSink",
                "Spreads",
            ],
            path: "Benchmarks/SeamFeatures", swiftSettings: strict))
}

// The fuzzer is built by `make fuzz` alone: everything in it is instrumented. It shares its sources with `FuzzTests`.
if Context.environment["JISUI_FUZZ"] != nil {
    package.targets.removeAll { $0.name == "FuzzTests" }
    package.targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: kit + fuzzed, path: "Tests/Swift/FuzzTests",
            exclude: ["MutationTests.swift", "Mutation.swift"], swiftSettings: strict))
}
