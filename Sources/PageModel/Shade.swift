/// What the gray of a coloured pixel stands for.
public enum Shade: Sendable {
    /// How bright it is to the eye (Rec. 601): yellow is nearly white.
    case brightness
    /// How much ink of any colour lies on the paper: what is pale but coloured is no paper.
    case ink
}
