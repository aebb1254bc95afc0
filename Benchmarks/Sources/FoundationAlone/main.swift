// SPDX-License-Identifier: Apache-2.0

import Foundation

// The cost of a program that does almost nothing: it starts Foundation and, as every query does, passes a dictionary
// and some bytes over Foundation's bridges.

let query = ["service": "benchmark", "data": true] as [String: Any] as NSDictionary
exit((query["service"] as? String)?.count == 9 && NSData(data: Data(count: 16)).length == 16 ? 0 : 1)
