import type { ComparedDefinition } from './compared-definition.ts'
import { compareNames } from './names.ts'
import type { CompatibilityFinding, CompatibilityLevel, Report } from './rules.ts'
import { compareVersions } from './versions.ts'

const ORDER: readonly CompatibilityLevel[] = ['breaking', 'ratcheting', 'safe']

/**
 * Finds how the change from the old definitions to the new ones affects stored objects and clients: the worst first, then by definition,
 * version and path. A definition is identified by its name: a new group or plural counts as a removal and an addition.
 */
export function compareDefinitions(
  old: readonly ComparedDefinition[],
  next: readonly ComparedDefinition[],
): readonly CompatibilityFinding[] {
  const findings: CompatibilityFinding[] = []
  const after = new Map(next.map((definition) => [nameOf(definition), definition]))
  const before = new Map(old.map((definition) => [nameOf(definition), definition]))
  for (const [definition, one] of before) {
    const report =
      (version?: string): Report =>
      (rule, level, path, reason) => {
        findings.push({ rule, level, definition, ...(version !== undefined && { version }), path, reason })
      }
    const other = after.get(definition)
    if (other) {
      compareNames(one.spec, other.spec, report())
      compareVersions(one, other, report)
    } else {
      const reason =
        'the definition is removed: where it is deleted, all objects of the kind are deleted with it'
      report()('C1', 'breaking', '', reason)
    }
  }
  for (const definition of after.keys()) {
    if (before.has(definition)) continue
    findings.push({ rule: 'C2', level: 'safe', definition, path: '', reason: 'the definition is new' })
  }
  return findings.toSorted(
    (one, other) =>
      ORDER.indexOf(one.level) - ORDER.indexOf(other.level) || compareText(keyOf(one), keyOf(other)),
  )
}

function nameOf({ spec }: ComparedDefinition): string {
  return `${spec.names.plural}.${spec.group}`
}

function keyOf({ definition, version = '', path }: CompatibilityFinding): string {
  return [definition, version, path].join('\n')
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
