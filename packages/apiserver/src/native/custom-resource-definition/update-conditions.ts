import {
  ownWrites,
  type Registry,
  type Resource,
  type ServerObject,
  specOf,
  statusOf,
  type StrategyContext,
  storedObject,
} from '../../registry/index.ts'
import { copyJson, equalJson, listOf, objectOf } from '../../schema/index.ts'
import { approvalOf } from './api-approval.ts'
import { isEstablished, setCondition } from './conditions.ts'
import { DEFINITIONS, summaryOf } from './definition-summaries.ts'

/**
 * Sets the conditions of a CRD that was written, as the controllers of a real server do: first of its names, then
 * Established. Each is a separate write.
 */
export function updateConditions(registry: Registry, resource: Resource, key: string): void {
  const write = (change: (object: ServerObject, context: StrategyContext) => void): void => {
    const stored = registry.store.get(DEFINITIONS, key)
    if (!stored) return
    const object = copyJson(storedObject(stored))
    change(object, registry.context(resource))
    if (equalJson(object, stored.value)) return
    const before = storedObject(stored)
    ownWrites.get().manage(registry, { object, before, resource, manager: CONTROLLER, subresource: 'status' })
    registry.put(resource, key, stored.revision, object)
  }
  write((object, context) => {
    updateAcceptedNames(object, context)
    checkApproval(object, context)
  })
  write(establish)
}

/** The field manager of a CRD's status. */
const CONTROLLER = 'kube-apiserver'

/** Accepts each name that no other CRD of the group has. An established CRD stays established. */
function updateAcceptedNames(object: ServerObject, context: StrategyContext): void {
  const wanted = objectOf(specOf(object)['names'])
  const accepted = { ...objectOf(statusOf(object)['acceptedNames']) }
  if (equalJson(wanted, accepted)) return
  const conflict = acceptNames(wanted, accepted, othersOf(object, context))
  object['status'] = { ...statusOf(object), acceptedNames: accepted }
  setCondition(
    object,
    context,
    conflict
      ? { type: 'NamesAccepted', status: 'False', ...conflict }
      : { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
  )
  if (isEstablished(object)) return
  setCondition(
    object,
    context,
    conflict
      ? {
          type: 'Established',
          status: 'False',
          reason: 'NotAccepted',
          message: 'not all names are accepted',
        }
      : {
          type: 'Established',
          status: 'False',
          reason: 'Installing',
          message: 'the initial names have been accepted',
        },
  )
}

/** Sets Established on a CRD whose names are accepted, so that it is served. */
function establish(object: ServerObject, context: StrategyContext): void {
  const accepted = listOf(statusOf(object)['conditions']).some((condition) => {
    const { type, status } = objectOf(condition)
    return type === 'NamesAccepted' && status === 'True'
  })
  if (!accepted || isEstablished(object)) return
  setCondition(object, context, {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  })
}

/** The accepted names of the group's other CRDs. */
function othersOf(object: ServerObject, { store }: StrategyContext): readonly Record<string, unknown>[] {
  return store
    .snapshot({ collection: DEFINITIONS })
    .map(summaryOf)
    .filter(({ name, group }) => name !== object.metadata.name && group === specOf(object)['group'])
    .map(({ acceptedNames }) => acceptedNames)
}

/** Adds the wanted names that are free to `accepted`. Returns the last conflict. */
function acceptNames(
  wanted: Record<string, unknown>,
  accepted: Record<string, unknown>,
  others: readonly Record<string, unknown>[],
): { reason: string; message: string } | undefined {
  const words = new Set(
    others.flatMap(({ plural, singular, shortNames }) => [plural, singular, ...listOf(shortNames)]),
  )
  const kinds = new Set(others.flatMap(({ kind, listKind }) => [kind, listKind]))
  let conflict: { reason: string; message: string } | undefined
  const used = (name: unknown): string => `${JSON.stringify(name)} is already in use`
  const take = (name: string, taken: ReadonlySet<unknown>): void => {
    if (wanted[name] === accepted[name] || !taken.has(wanted[name])) accepted[name] = wanted[name]
    else
      conflict = {
        reason: `${name.charAt(0).toUpperCase()}${name.slice(1)}Conflict`,
        message: used(wanted[name]),
      }
  }
  take('plural', words)
  take('singular', words)
  const own = new Set(listOf(accepted['shortNames']))
  const short = listOf(wanted['shortNames'])
  const missing = short.filter((name) => !own.has(name) && words.has(name))
  if (missing.length === 0) setOrDelete(accepted, 'shortNames', wanted['shortNames'])
  else {
    const lines = missing.map((name) => used(name)).join(', ')
    const message = missing.length === 1 ? lines : `[${lines}]`
    conflict = { reason: 'ShortNamesConflict', message }
  }
  take('kind', kinds)
  take('listKind', kinds)
  setOrDelete(accepted, 'categories', wanted['categories'])
  return conflict
}

function setOrDelete(target: Record<string, unknown>, name: string, value: unknown): void {
  if (value === undefined) delete target[name]
  else target[name] = value
}

/** Sets the condition of a CRD in one of Kubernetes' own groups that says whether it is approved. */
function checkApproval(object: ServerObject, context: StrategyContext): void {
  const approval = approvalOf(object)
  if (!approval) return
  setCondition(object, context, {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: approval.state === 'Approved' ? 'True' : 'False',
    reason: `${approval.state}Annotation`,
    message: approval.message,
  })
}
