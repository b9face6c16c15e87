// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The modules that every adapter and every test may import.
let kit: [Target.Dependency] = ["PageModel", "Files", "OrderedJSON", "PageNames", "AdapterKit"]

/// A module: one folder of `Sources`.
///
/// - Parameter scripts: files for browsers, which stand in the binary as bytes of `PackageResources`.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], scripts: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: scripts.map { .embedInCode($0) }, swiftSettings: strict)
}

/// A C module that puts files into the binary; see `CEmbedded`. They are in the folder `files`, relative to `path`.
func embedded(_ name: String, path: String, files: String) -> Target {
    .target(name: name, dependencies: ["CEmbedded"], path: path, cSettings: [.headerSearchPath(files)])
}

/// An adapter that ships with jisui: one folder of `Plugins`. `Sources/Umbrella/Adapters.swift` imports and lists it.
struct Adapter {
    let name: String
    let targets: [Target]

    /// - Parameters:
    ///   - scripts: files for browsers, which stand in the binary as bytes of `PackageResources`.
    ///   - tests: the modules that its own suite needs; nil if the suites of other modules test it.
    ///   - exclude: folders in it that are modules of their own.
    init(
        _ name: String, _ dependencies: [Target.Dependency] = [], scripts: [String] = [], exclude: [String] = [],
        tests: [Target.Dependency]?
    ) {
        self.name = name
        let own = Target.target(
            name: name, dependencies: kit + dependencies, path: "Plugins/\(name)", exclude: exclude,
            resources: scripts.map { .embedInCode($0) }, swiftSettings: strict)
        let ownTests = tests.map { suite("\(name)Tests", [.init(stringLiteral: name)] + $0) }
        targets = [own, ownTests].compactMap { $0 }
    }
}

/// The tests of a module: one folder of `Tests/Swift`.
func suite(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: kit + dependencies, path: "Tests/Swift/\(name)", exclude: exclude,
        swiftSettings: strict)
}

/// A C library of the system: a module map and a shim header. `make deps` installs it.
func library(_ name: String, _ pkgConfig: String, _ debian: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([debian])])
}

/// The adapters. To add one, add its line here, and two in `Sources/Umbrella/Adapters.swift`.
let adapters = [
    Adapter("FolderSource", ["Imaging", "Metadata"], tests: ["Scratch"]),
    Adapter(
        "ArchiveSource", ["Imaging", "ZipFile", "Metadata", "Processes", "CArchive"],
        tests: ["CDeflate", "Scratch"]),
    Adapter("EPUBSource", ["Imaging", "Metadata", "Processes", "ZipFile"], tests: nil),
    Adapter(
        "PDFSource", ["Imaging", "Metadata", "PDFStructure", "Processes", "CPoppler"],
        tests: ["Imaging", "PDFStructure", "jisui", "SyntheticPDF", "Scratch"]),
    Adapter("FolderSink", ["Metadata"], tests: nil),
    Adapter("ComicSink", ["ZipFile", "Metadata", "CArchive"], tests: nil),
    Adapter("EPUBSink", ["Imaging", "Metadata", "ZipFile"], tests: nil),
    Adapter("AZW3Source", ["Imaging", "Metadata"], tests: nil),
    Adapter("AZW3Sink", ["Imaging", "Metadata", "Thumbnails"], tests: nil),
    Adapter(
        "PDFSink", ["Imaging", "Metadata", "PDFStructure", "CDeflate"],
        tests: ["Imaging", "Metadata", "PDFStructure", "PDFSource", "SyntheticPDF", "Scratch"]),
    Adapter("StripSink", ["Imaging", "OrderedWork"], tests: ["Imaging", "Scratch"]),
    Adapter("XTCSink", ["Imaging", "Metadata", "Thumbnails"], tests: ["Imaging", "Metadata", "Scratch"]),
    Adapter("WebSource", ["Imaging", "Metadata"], tests: nil),
    Adapter(
        "WebSink", ["Imaging", "Metadata", "Thumbnails", "ZipFile", "CWebReader"], exclude: ["CWebReader", "Reader"],
        tests: nil),
    Adapter("Clips", tests: nil),
    Adapter(
        "Trim", ["DecisionFiles", "Imaging", "LayoutAnalysis", "OrderedWork"],
        scripts: ["Sheet/sheet.css", "Sheet/sheet.js", "Sheet/viewer.js"],
        tests: ["AdapterTestKit", "Imaging", "LayoutAnalysis", "Scratch"]),
    Adapter(
        "Flatten", ["DecisionFiles", "Imaging", "LayoutAnalysis", "OrderedWork"],
        tests: ["AdapterTestKit", "Imaging", "LayoutAnalysis", "Scratch"]),
    Adapter(
        "Spreads", ["DecisionFiles", "Imaging", "LayoutAnalysis", "OrderedWork"], tests: ["AdapterTestKit", "Scratch"]),
    Adapter(
        "Clean", ["DecisionFiles", "Imaging", "LayoutAnalysis", "OrderedWork"],
        scripts: ["Sheet/clean.css", "Sheet/clean.js"], tests: ["Imaging", "LayoutAnalysis", "Scratch"]),
    Adapter("Webtoon", ["Imaging", "OrderedWork"], tests: ["Imaging", "Scratch"]),
    Adapter("Adjustments", ["Imaging"], tests: ["Imaging"]),
    Adapter(
        "Rotate", ["Imaging", "LayoutAnalysis", "OrderedWork", "Processes"],
        tests: ["Imaging", "LayoutAnalysis", "Processes", "Scratch"]),
]
/// The modules whose parsers are fuzzed.
let fuzzed: [Target.Dependency] = [
    "Imaging", "ZipFile", "Metadata", "PDFStructure", "Conversion", "ArchiveSource", "AZW3Source", "EPUBSource",
    "PDFSource", "Trim", "Adjustments", "Spreads", "SyntheticPDF", "CDeflate",
]
/// The modules that other packages may import.
let modules = [
    "PageModel", "Files", "OrderedJSON", "OrderedWork", "PageNames", "AdapterKit", "DecisionFiles", "Imaging",
    "LayoutAnalysis",
    "Processes", "ZipFile", "Metadata", "PDFStructure", "Directions", "Conversion", "Audit", "Work",
    "ExternalAdapters", "AdapterTestKit", "Thumbnails", "Jisui",
]
let everyAdapter = adapters.map { Target.Dependency(stringLiteral: $0.name) }

let package = Package(
    name: "jisui",
    products: [
        .executable(name: "jisui", targets: ["jisui"])
    ] + (modules + adapters.map(\.name)).map { .library(name: $0, targets: [$0]) },
    targets: [
        module("PageModel"),
        module("Files", ["PageModel", "CDeflate", "CEmbedded", "CLinux"]),
        module("OrderedJSON", ["PageModel", "Files"]),
        module("OrderedWork"),
        module("PageNames", ["PageModel", "Files"]),
        module("AdapterKit", ["PageModel", "Files", "OrderedJSON", "PageNames"]),
        module(
            "DecisionFiles", ["PageModel", "Files", "OrderedJSON", "OrderedWork", "AdapterKit", "Imaging", "Metadata"],
            scripts: ["Sheet/decisions.css", "Sheet/decisions.js"]),
        module(
            "Imaging",
            [
                "PageModel", "CDeflate", "CGIF", "CHEIF", "CJPEGShims", "CJXL", "CLCMS", "CNettle", "COpenJPEG",
                "CPNGShims", "CTIFF", "CWebP", "CZimg", "CZlib",
            ]),
        module("LayoutAnalysis", ["PageModel"]),
        module("Processes", ["PageModel", "Files", "OrderedJSON", "Imaging", "CLinux", "CProcess"]),
        module("ZipFile", ["PageModel", "Files", "AdapterKit", "CDeflate", "CZlib"]),
        module("Metadata", ["PageModel", "Files", "OrderedJSON", "PageNames", "AdapterKit", "CXML2"]),
        module("PDFStructure", ["PageModel", "Files", "CQPDFShims"]),
        module(
            "Directions",
            ["PageModel", "OrderedJSON", "OrderedWork", "AdapterKit", "LayoutAnalysis", "Metadata"]),
        module("Planning", ["PageModel", "OrderedJSON", "OrderedWork", "AdapterKit", "Imaging"]),
        module(
            "Conversion",
            [
                "PageModel", "Files", "OrderedWork", "PageNames", "AdapterKit", "Imaging", "Metadata", "Processes",
                "Directions", "Planning",
            ]),
        module(
            "Audit",
            [
                "PageModel", "Files", "OrderedJSON", "OrderedWork", "AdapterKit", "Imaging", "Metadata", "Directions",
                "Planning", "Conversion",
            ]),
        module(
            "Work",
            [
                "PageModel", "Files", "OrderedJSON", "OrderedWork", "PageNames", "AdapterKit", "Imaging", "Metadata",
                "Conversion", "Audit", "CProfiles",
            ]),
        module(
            "ExternalAdapters",
            [
                "PageModel", "Files", "OrderedJSON", "OrderedWork", "AdapterKit", "AdapterTestKit", "Imaging",
                "LayoutAnalysis",
                "Processes",
            ]),
        module("Thumbnails", ["PageModel", "AdapterKit", "Imaging"]),
        module("AdapterTestKit", ["PageModel", "Files", "AdapterKit"]),
        // The folder has another name than the module, because some file systems do not distinguish it from `jisui`.
        .target(
            name: "Jisui",
            dependencies: ["PageModel", "Files", "AdapterKit", "Conversion", "Audit", "Work"] + everyAdapter,
            path: "Sources/Umbrella", swiftSettings: strict),

        embedded("CWebReader", path: "Plugins/WebSink/CWebReader", files: "../Reader"),
        embedded("CTranslations", path: "Sources/CTranslations", files: "../Translations"),
        embedded("CProfiles", path: "Sources/CProfiles", files: "../Profiles"),

        .executableTarget(
            name: "jisui",
            dependencies: [
                "PageModel", "Files", "OrderedJSON", "OrderedWork", "PageNames", "AdapterKit", "Processes", "Imaging",
                "ZipFile", "Metadata", "PDFStructure", "Directions", "Planning", "Conversion", "Audit", "Work",
                "ExternalAdapters", "Jisui", "CTranslations", "CProgram",
            ] + everyAdapter,
            swiftSettings: strict),

        // Their own packages build them from outside; as a part of this one they cannot fall behind.
        .executableTarget(
            name: "StreamBook", dependencies: ["Jisui"], path: "Examples/StreamBook/Sources/StreamBook",
            swiftSettings: strict),
        .executableTarget(
            name: "TrimBook",
            dependencies: [
                "PageModel", "Files", "OrderedJSON", "PageNames", "AdapterKit", "Conversion", "Audit", "ArchiveSource",
                "PDFSource", "Trim", "ComicSink",
            ],
            path: "Examples/TrimBook/Sources/TrimBook", swiftSettings: strict),

        library("CArchive", "libarchive", "libarchive-dev"),
        library("CDeflate", "libdeflate", "libdeflate-dev"),
        library("CGIF", "libgif", "libgif-dev"),
        .systemLibrary(name: "CLinux"),
        library("CJPEG", "libjpeg", "libjpeg-dev"),
        library("CLCMS", "lcms2", "liblcms2-dev"),
        library("CNettle", "nettle", "nettle-dev"),
        library("COpenJPEG", "libopenjp2", "libopenjp2-7-dev"),
        library("CPNG", "libpng", "libpng-dev"),
        library("CQPDF", "libqpdf", "libqpdf-dev"),
        library("CSeccomp", "libseccomp", "libseccomp-dev"),
        library("CTIFF", "libtiff-4", "libtiff-dev"),
        library("CWebP", "libwebpdemux", "libwebp-dev"),
        library("CXML2", "libxml-2.0", "libxml2-dev"),
        library("CZimg", "zimg", "libzimg-dev"),
        library("CZlib", "zlib", "zlib1g-dev"),
        .target(name: "CEmbedded"),
        .target(name: "CHEIF"),
        .target(name: "CJPEGShims", dependencies: ["CJPEG"]),
        .target(name: "CJXL"),
        .target(name: "CPNGShims", dependencies: ["CPNG"]),
        .target(name: "CPoppler"),
        .target(name: "CProgram"),
        .target(name: "CQPDFShims", dependencies: ["CQPDF"]),
        .target(name: "CProcess", dependencies: ["CSeccomp"]),

        // What tests that touch the file system or run programs share.
        .target(name: "Scratch", dependencies: kit, path: "Tests/Support/Scratch", swiftSettings: strict),
        suite("PageModelTests", []),
        suite("FilesTests", ["Scratch"]),
        suite("OrderedJSONTests", []),
        suite("OrderedWorkTests", ["OrderedWork", "Scratch"]),
        suite("PageNamesTests", ["Scratch"]),
        suite("ProcessesTests", ["Processes"]),
        suite("AdapterKitTests", []),
        suite("DecisionFilesTests", ["DecisionFiles", "Scratch"]),
        suite("ImagingTests", ["Imaging", "CDeflate", "CLCMS", "CTIFF", "Scratch", "CHEIFCheck", "CJXLCheck"]),
        suite("LayoutAnalysisTests", ["LayoutAnalysis", "Scratch"]),
        // What tests of PDF write theirs with.
        .target(
            name: "SyntheticPDF", dependencies: ["PageModel", "Files", "PDFStructure"],
            path: "Tests/Support/SyntheticPDF", swiftSettings: strict),
        suite("PDFStructureTests", ["PDFStructure", "SyntheticPDF", "Scratch"]),
        suite("ExternalAdaptersTests", ["ExternalAdapters", "Imaging", "Processes", "jisui", "Scratch"]),
        suite("SinkTests", ["FolderSink", "ComicSink", "CDeflate", "Scratch"]),
        suite("EPUBTests", ["Imaging", "Metadata", "ZipFile", "EPUBSink", "EPUBSource", "Scratch"]),
        suite("AZW3Tests", ["Imaging", "Metadata", "AZW3Sink", "AZW3Source", "Scratch"]),
        suite("MetadataTests", ["Metadata", "Scratch"]),
        suite("ZipFileTests", ["ZipFile", "Scratch"]),
        suite(
            "ConversionTests",
            [
                "Directions", "Planning", "Conversion", "Audit", "DecisionFiles", "Imaging", "Metadata", "OrderedWork",
                "FolderSink", "FolderSource", "Flatten", "Adjustments", "Rotate", "Spreads", "Trim", "Scratch",
            ]),
        suite(
            "WorkTests",
            ["Conversion", "Audit", "Work", "FolderSource", "FolderSink", "ComicSink", "WebSink", "Scratch"]),
        suite(
            "AdapterConformanceTests",
            [
                "Conversion", "AdapterTestKit", "Scratch", "jisui", "CPopplerCheck",
            ]),
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
        suite("WebTests", ["Metadata", "Spreads", "WebSink", "WebSource", "jisui", "Scratch"]),
        suite(
            "CommandTests",
            [
                "Planning", "Conversion", "Audit", "Work", "ExternalAdapters", "Trim", "Jisui", "jisui", "StreamBook",
                "TrimBook", "SyntheticPDF", "Scratch",
            ],
            exclude: ["Transcripts", "complete.py"]),
        suite("FuzzTests", fuzzed + ["Scratch"], exclude: ["Driver"]),
        suite("OracleTests", ["Imaging", "jisui", "CDeflate", "SyntheticPDF", "Scratch"]),
    ],
    cxxLanguageStandard: .cxx17
)
package.targets += adapters.flatMap(\.targets)

// The features from which `Benchmarks/seam_evidence.py` fits weights. Only that script needs the program.
if Context.environment["JISUI_SEAMS"] != nil {
    package.targets.append(
        .executableTarget(
            name: "SeamFeatures",
            dependencies: [
                "PageModel", "Files", "AdapterKit", "Conversion", "Audit", "ArchiveSource", "FolderSource",
                "FolderSink",
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
