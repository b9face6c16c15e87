public import Testing

/// Time limits that are not under test: they end what hangs, and never what a busy or slow machine takes long for.
public enum Patience {
    /// Seconds that a page may take to be drawn: an hour, where drawing takes less than a second on an idle machine.
    public static let secondsOfDrawing = 3600
    /// Seconds until jisui has ended after a signal: a hundred times what it takes on an idle machine.
    public static let secondsOfEnding = 300
}

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs after an hour: the slowest takes minutes under the sanitizer.
    public static var endsWhenItHangs: Self { .timeLimit(.minutes(60)) }
}
