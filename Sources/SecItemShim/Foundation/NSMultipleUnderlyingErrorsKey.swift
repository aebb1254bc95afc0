// SPDX-License-Identifier: Apache-2.0

/// The key in an error's `userInfo` under which several errors are that have led to it, in an array; Foundation on Linux lacks
/// it.
public let NSMultipleUnderlyingErrorsKey = "NSMultipleUnderlyingErrorsKey"
