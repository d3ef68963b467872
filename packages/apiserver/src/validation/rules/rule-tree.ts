import { oncePerObject } from '@homeostat/api'
import { declaredType, escapeName, type DeclaredType } from '@homeostat/cel'
import { additionalOf, propertiesOf, type SchemaNode } from '../../schema/index.ts'
import { compileRule, type CompiledRule } from './compile-rule.ts'

/** The rules at one place of a schema, and where there are more below. */
export interface RuleTree {
  readonly node: SchemaNode
  readonly resource: boolean
  readonly rules: readonly CompiledRule[]
  readonly items: RuleTree | undefined
  readonly additional: RuleTree | undefined
  readonly properties: ReadonlyMap<string, RuleTree>
}

/** The rules of a resource's schema, compiled once; undefined where it has none. */
export const ruleTree: (root: SchemaNode) => RuleTree | undefined = oncePerObject((root) =>
  mentionsRules(root) ? rootTree(root) : undefined,
)

/** The rules of a part of a schema, for its default. */
export function partTree(node: SchemaNode, resource: boolean): RuleTree | undefined {
  return mentionsRules(node) ? build(node, resource, declaredType(node, resource)) : undefined
}

function rootTree(root: SchemaNode): RuleTree | undefined {
  return build(root, true, declaredType(root, true))
}

function mentionsRules(node: SchemaNode): boolean {
  return (
    (node['x-kubernetes-validations'] ?? []).length > 0 ||
    (node.items !== undefined && mentionsRules(node.items)) ||
    mentionsRulesIn(additionalOf(node)) ||
    propertiesOf(node).values().some(mentionsRules)
  )
}

function mentionsRulesIn(node: SchemaNode | undefined): boolean {
  return node !== undefined && mentionsRules(node)
}

function build(
  node: SchemaNode,
  resource: boolean,
  declared: DeclaredType | undefined,
): RuleTree | undefined {
  const below = (child: SchemaNode | undefined, type: DeclaredType | undefined): RuleTree | undefined =>
    child && build(child, child['x-kubernetes-embedded-resource'] === true, type)
  const properties = new Map<string, RuleTree>()
  for (const [name, child] of propertiesOf(node)) {
    const escaped = escapeName(name)
    // Rules elsewhere cannot name such a field, but the field may have its own rules.
    const type =
      escaped === undefined
        ? declaredType(child, child['x-kubernetes-embedded-resource'] === true)
        : declared?.fields?.get(escaped)
    const tree = type && below(child, type)
    if (tree) properties.set(name, tree)
  }
  const rules = node['x-kubernetes-validations'] ?? []
  const tree: RuleTree = {
    node,
    resource,
    rules: declared ? rules.map((rule) => compileRule(rule, node, declared)) : [],
    items: below(node.items, declared?.element),
    additional: below(additionalOf(node), declared?.element),
    properties,
  }
  const empty = tree.rules.length === 0 && !tree.items && !tree.additional && properties.size === 0
  return empty ? undefined : tree
}
