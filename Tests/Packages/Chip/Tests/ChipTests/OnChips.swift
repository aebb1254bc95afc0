// SPDX-License-Identifier: Apache-2.0

import Testing

/// All tests, one after another: a simulator talks to one program at a time.
@Suite(.serialized, .timeLimit(.minutes(30))) enum OnChips {}
