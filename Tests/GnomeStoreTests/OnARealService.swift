import Testing

/// The tests that need a real Secret Service. They share one, so they run one after the other.
@Suite(.serialized, .enabled(if: World.shared != nil, World.reason))
enum OnARealService {}
