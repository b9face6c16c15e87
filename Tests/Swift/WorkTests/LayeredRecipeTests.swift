internal import Testing
internal import Work

/// Values with their origins.
@Suite struct LayeredRecipeTests {
    private let layers = LayeredRecipe([
        .preset: Recipe(["fit": ["1072x1448"], "gray": ["true"], "quality": ["70"]]),
        .recipe: Recipe(["author": ["A", "B"], "quality": ["80"], "trim": ["page"]]),
        .commandLine: Recipe(["author": ["C"], "trim": ["book"]]),
    ])

    @Test func aStrongerOriginOverrides() {
        #expect(
            layers.merged
                == Recipe([
                    "fit": ["1072x1448"], "gray": ["true"], "quality": ["80"], "author": ["C"], "trim": ["book"],
                ]))
        #expect(layers[.recipe].values["author"] == ["A", "B"])
        #expect(layers[.standard] == Recipe())
    }

    @Test(arguments: [
        ("fit", LayeredRecipe.Origin.preset), ("quality", .recipe), ("trim", .commandLine), ("dpi", .standard),
    ])
    func everyValueHasAnOrigin(_ name: String, _ origin: LayeredRecipe.Origin) {
        #expect(layers.origin(of: name) == origin)
    }

    @Test func overriddenValuesAreNamed() {
        #expect(layers.overridden(from: .preset) == ["quality"])
        #expect(layers.overridden(from: .recipe) == ["author", "trim"])
        #expect(layers.overridden(from: .commandLine) == [])
    }

    @Test func overriddenValuesHaveTheOriginsOfTheOthers() {
        var layers = layers
        layers[.configuration] = Recipe(["fit": ["1x1"], "trim": ["page"], "dpi": ["300"]])
        let overriding = layers.overriding(.configuration)
        #expect(overriding.map(\.origin) == [.preset, .commandLine])
        #expect(overriding.map(\.names) == [["fit"], ["trim"]])
        #expect(layers.overriding(.commandLine).isEmpty)
    }

    @Test func settingsAreLeftOut() {
        var layers = layers
        layers.leaveOut(["quality", "trim", "gray"])
        #expect(layers.merged == Recipe(["fit": ["1072x1448"], "author": ["C"], "trim": ["book"]]))
        layers.leaveOut(["author"], except: [.recipe])
        #expect(layers.merged.values["author"] == ["A", "B"])
    }
}
