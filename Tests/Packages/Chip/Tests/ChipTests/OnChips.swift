import Testing

/// All tests, one after another: a simulator talks to one program at a time.
@Suite(.serialized, .timeLimit(.minutes(5))) enum OnChips {}
