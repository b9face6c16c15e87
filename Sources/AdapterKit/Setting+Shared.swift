extension Setting {
    // Settings that several adapters have. One option on the command line serves them all.

    public static let background = Setting(
        "background", .color, default: "white", valueName: "color",
        help: "The color of gaps and of what smaller pages leave free")

    public static let align = Setting(
        "align", .choice(Alignment.allWords), default: "center", valueName: "where",
        help: "Where pages stand that are smaller than those beside them; scale brings them to the same size")
}
