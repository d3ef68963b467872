import type { AnyKind } from '@homeostat/api'
import type { Access, Controller, PolicyRule, WriteVerb } from '../controller/index.ts'
import type { LeaderElectionOptions } from '../election/index.ts'
import { RuleSet } from './rule-set.ts'

const READ = ['get', 'list', 'watch'] as const

/**
 * The verbs of RBAC that each way to write needs. An apply and the helpers read before they write, and create an
 * object that does not exist. `deleteAllOf` lists what is left.
 */
const VERBS: Readonly<Record<Exclude<WriteVerb, `${string}.${string}`>, readonly string[]>> = {
  create: ['create'],
  update: ['update'],
  patch: ['patch'],
  apply: [...READ, 'create', 'patch'],
  createOrUpdate: [...READ, 'create', 'update'],
  createOrPatch: [...READ, 'create', 'patch'],
  delete: ['delete'],
  deleteAllOf: ['list', 'deletecollection'],
  bind: ['bind'],
  escalate: ['escalate'],
}

/** The rights that a runnable declares. */
export interface RunnableRights {
  readonly access?: readonly Access[] | undefined
  readonly rules?: readonly PolicyRule[] | undefined
}

/**
 * The rules that the controllers need: to read the kinds that they watch, own or declare to read, to write the kinds
 * that they declare to write, and to write events.
 */
export function controllerRules(
  controllers: readonly Controller[],
  runnables: readonly RunnableRights[] = [],
): PolicyRule[] {
  const rules = new RuleSet()
  const others: PolicyRule[] = []
  for (const { kind: own, watches, indexes, access, rules: more } of controllers) {
    for (const watch of watches) {
      if ('source' in watch) continue
      rules.add(watch.kind.group, watch.kind.plural, READ)
      // Some servers let a client set an owner reference that blocks the owner's deletion only if the client has this right.
      if (watch.role === 'owns' && own) rules.add(own.group, `${own.plural}/finalizers`, ['update'])
    }
    for (const { kind } of indexes) rules.add(kind.group, kind.plural, READ)
    addAccess(rules, access)
    others.push(...more)
  }
  for (const { access = [], rules: more = [] } of runnables) {
    addAccess(rules, access)
    others.push(...more)
  }
  if (controllers.length + runnables.length > 0) rules.add('events.k8s.io', 'events', ['create', 'patch'])
  return [...rules.list(), ...others]
}

/** The rules for pages whose readers the API server authenticates and authorizes. */
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

function addAccess(rules: RuleSet, access: readonly Access[]): void {
  for (const { kind, verbs } of access) for (const verb of verbs) addVerb(rules, kind, verb)
}

function verbsOf(kind: AnyKind, verb: WriteVerb): readonly string[] {
  const [, verbs] = Object.entries(VERBS).find(([name]) => name === verb) ?? []
  if (verbs) return verbs
  throw new TypeError(
    `${verb} is not a way to write ${kind.kind}: there are ${Object.keys(VERBS).join(', ')}, and those of a subresource, such as status.apply`,
  )
}

function addVerb(rules: RuleSet, kind: AnyKind, verb: WriteVerb | 'read'): void {
  const [first = '', second] = verb.split('.')
  if (verb === 'read') rules.add(kind.group, kind.plural, READ)
  else if (second === undefined) rules.add(kind.group, kind.plural, verbsOf(kind, verb))
  else if (second !== 'apply') rules.add(kind.group, `${kind.plural}/${first}`, [second])
  else {
    rules.add(kind.group, kind.plural, READ)
    // An apply of a scale that changes nothing answers with the scale as it is.
    rules.add(kind.group, `${kind.plural}/${first}`, first === 'scale' ? ['get', 'patch'] : ['patch'])
  }
}
