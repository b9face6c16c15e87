internal import Testing
internal import Work

@testable internal import jisui

/// Runs tests as for a user without defaults, presets and devices of their own.
struct WithoutUserFiles: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        try await Run.$userFiles.withValue(UserFiles(folder: nil)) { try await body() }
    }
}

extension Trait where Self == WithoutUserFiles {
    /// For suites that run commands in the process of the tests.
    static var withoutUserFiles: Self { WithoutUserFiles() }
}
