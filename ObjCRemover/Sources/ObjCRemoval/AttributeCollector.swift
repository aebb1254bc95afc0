// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

/// Finds syntax that Swift accepts only with an Objective-C runtime.
final class AttributeCollector: SyntaxVisitor {
    private(set) var edits: [SourceEdit] = []
    private(set) var optionalRequirements: [DeclModifierSyntax] = []
    private let source: [UInt8]

    init(source: [UInt8]) {
        self.source = source
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
        if node.isObjectiveC { edits.append(.blank(node, in: source)) }
        return .skipChildren
    }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        if node.attributes.contains(where: \.isObjectiveC), !node.isClassBound { bindToClasses(node) }
        return .visitChildren
    }

    override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
        if node.name.tokenKind == .keyword(.optional) { optionalRequirements.append(node) }
        return .skipChildren
    }

    /// Makes a protocol accept classes only, as an Objective-C protocol does. Its values can then be held weakly.
    private func bindToClasses(_ node: ProtocolDeclSyntax) {
        if let first = node.inheritanceClause?.inheritedTypes.first {
            edits.append(.insertion("AnyObject, ", at: first.positionAfterSkippingLeadingTrivia))
        } else {
            edits.append(.insertion(": AnyObject", at: node.name.endPositionBeforeTrailingTrivia))
        }
    }
}

extension AttributeSyntax {
    private static let objectiveC: Set = [
        "objc", "objcMembers", "nonobjc", "_objcRuntimeName", "_objc_non_lazy_realization",
    ]

    fileprivate var isObjectiveC: Bool { Self.objectiveC.contains(attributeName.trimmedDescription) }
}

extension AttributeListSyntax.Element {
    fileprivate var isObjectiveC: Bool {
        switch self {
        case .attribute(let attribute): attribute.isObjectiveC
        case .ifConfigDecl(let condition): condition.description.contains("@objc")
        }
    }
}

extension ProtocolDeclSyntax {
    fileprivate var isClassBound: Bool {
        inheritanceClause?.inheritedTypes.contains {
            ["AnyObject", "NSObjectProtocol", "class"].contains($0.type.trimmedDescription)
        } ?? false
    }
}
