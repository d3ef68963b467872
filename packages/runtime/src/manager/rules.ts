import type { AnyKind } from '@homeostat/api'
import type { Access, Controller, WriteVerb } from '../controller/index.ts'
import type { LeaderElectionOptions } from './leader-election.ts'
import { type PolicyRule, RuleSet } from './rule-set.ts'

const READ = ['get', 'list', 'watch'] as const

/** What RBAC calls each way to write. An apply makes the object where there is none; who deletes all lists what is left. */
const VERBS: Readonly<Record<Exclude<WriteVerb, `${string}.${string}`>, readonly string[]>> = {
  create: ['create'],
  update: ['update'],
  patch: ['patch'],
  apply: ['create', 'patch'],
  delete: ['delete'],
  deleteAllOf: ['list', 'deletecollection'],
  bind: ['bind'],
  escalate: ['escalate'],
}

/**
 * The rules that the controllers need: to read what they watch, own and say that they read; to write what
 * they say that they write; and to write events. `others` is what runnables say.
 */
export function controllerRules(
  controllers: readonly Controller[],
  others: readonly Access[] = [],
): PolicyRule[] {
  const rules = new RuleSet()
  for (const { kind: own, watches, access } of controllers) {
    for (const watch of watches) {
      if ('source' in watch) continue
      rules.add(watch.kind.group, watch.kind.plural, READ)
      // An owner reference that blocks the owner's deletion: some servers let only those set it who may do this.
      if (watch.role === 'owns' && own) rules.add(own.group, `${own.plural}/finalizers`, ['update'])
    }
    for (const { kind, verbs } of access) for (const verb of verbs) addVerb(rules, kind, verb)
  }
  for (const { kind, verbs } of others) for (const verb of verbs) addVerb(rules, kind, verb)
  if (controllers.length + others.length > 0) rules.add('events.k8s.io', 'events', ['create', 'patch'])
  return rules.list()
}

/** The rules that pages need which ask the API server who may read them. */
export function pageRules(): PolicyRule[] {
  return [
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ]
}

/** The rules that a leader election needs, in the namespace of its Lease. */
export function electionRules({ name }: LeaderElectionOptions): PolicyRule[] {
  const lease = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] }
  return [
    { ...lease, verbs: ['create'] },
    { ...lease, resourceNames: [name], verbs: ['get', 'update'] },
  ]
}

function addVerb(rules: RuleSet, kind: AnyKind, verb: WriteVerb | 'read'): void {
  const [first, second] = verb.split('.') as [string, string?]
  if (verb === 'read') rules.add(kind.group, kind.plural, READ)
  else if (second === undefined) rules.add(kind.group, kind.plural, VERBS[first as keyof typeof VERBS])
  else rules.add(kind.group, `${kind.plural}/${first}`, [second === 'apply' ? 'patch' : second])
}
