// SPDX-License-Identifier: Apache-2.0

/// A whole number of the machine's size, as Objective-C names it; Foundation on Linux lacks the name.
public typealias NSInteger = Int

/// A whole number without a sign, as Objective-C names it; Foundation on Linux lacks the name.
public typealias NSUInteger = UInt
