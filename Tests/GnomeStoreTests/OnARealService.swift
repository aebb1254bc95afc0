// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The tests that need a real Secret Service. They share one, so they run one after another.
@Suite(.serialized, .enabled(if: PrivateBus.shared != nil, Comment(rawValue: PrivateBus.reason)))
enum OnARealService {}
