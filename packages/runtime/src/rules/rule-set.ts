import type { PolicyRule } from '../controller/index.ts'

const ORDER = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'bind',
  'escalate',
]

/** A set of rights on resources, and the fewest rules that grant them. */
export class RuleSet {
  readonly #verbs = new Map<string, Set<string>>()

  /** `resource` may be a part of one: `pods/status`. */
  add(group: string, resource: string, verbs: readonly string[]): void {
    const name = `${group}\n${resource}`
    const known = this.#verbs.get(name)
    if (!known) this.#verbs.set(name, new Set(verbs))
    else for (const verb of verbs) known.add(verb)
  }

  /** Group by group, in the order in which they were added; resources with the same verbs share a rule. */
  list(): PolicyRule[] {
    const groups = new Map<string, Map<string, PolicyRule>>()
    for (const [name, set] of this.#verbs) {
      const [group = '', resource = ''] = name.split('\n')
      const rules = groups.get(group) ?? new Map<string, PolicyRule>()
      groups.set(group, rules)
      const verbs = [...set].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
      const id = verbs.join(' ')
      const rule = rules.get(id)
      if (rule) rule.resources.push(resource)
      else rules.set(id, { apiGroups: [group], resources: [resource], verbs })
    }
    return [...groups.values()].flatMap((rules) => [...rules.values()])
  }
}
