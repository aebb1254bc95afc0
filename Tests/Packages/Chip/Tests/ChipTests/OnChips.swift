// SPDX-License-Identifier: Apache-2.0

import Testing

/// All tests run one after another, because a simulator serves one program at a time.
@Suite(.serialized, .timeLimit(.minutes(60))) enum OnChips {}
