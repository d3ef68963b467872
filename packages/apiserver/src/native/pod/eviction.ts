import { failure, labelSelectorFrom, matchesLabels, timestamp } from '@homeostat/api'
import {
  deleteObject,
  type DeleteOptions,
  Failure,
  get,
  type Registry,
  type Resource,
  served,
  type ServerObject,
  specOf,
  statusOf,
  type Target,
  update,
} from '../../registry/index.ts'
import {
  copyJson,
  integerOf,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
} from '../../schema/index.ts'

const TOO_MANY =
  'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'
const VIOLATED = "Cannot evict pod as it would violate the pod's disruption budget."
/** The most entries in a budget's `disruptedPods`. */
const MOST_DISRUPTED = 2000
const DISRUPTION_TARGET = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
}

/** Deletes a Pod, if its disruption budget allows that. It first sets a condition with the reason. */
export async function evict(registry: Registry, target: Target, options: DeleteOptions): Promise<void> {
  const pod = served(get(registry, target), target.resource)
  const asked = options.preconditions?.resourceVersion
  const phase = textOf(statusOf(pod)['phase'] ?? '')
  const ended = phase === 'Succeeded' || phase === 'Failed' || pod.metadata.deletionTimestamp !== undefined
  let version = asked
  if (!ended && phase === 'Pending') version ??= pod.metadata.resourceVersion
  if (!ended && phase !== 'Pending') {
    const healthy = await takeDisruption(registry, pod, options.dryRun ?? false)
    if (!healthy) version ??= pod.metadata.resourceVersion
  }
  const preconditions = { ...options.preconditions, resourceVersion: version }
  if (options.dryRun) {
    deleteObject(registry, target, { ...options, preconditions })
    return
  }
  const marked = await markDisrupted(registry, target, preconditions)
  const known = version === undefined ? undefined : marked.metadata.resourceVersion
  deleteObject(registry, target, {
    ...options,
    preconditions: { ...options.preconditions, resourceVersion: known },
  })
}

/** Sets the condition DisruptionTarget. */
async function markDisrupted(
  registry: Registry,
  target: Target,
  preconditions: NonNullable<DeleteOptions['preconditions']>,
): Promise<ServerObject> {
  const now = timestamp(registry.clock.now())
  const written = await update(
    registry,
    target,
    {
      trusted: true,
      managed: true,
      change(current) {
        if (!current) throw new Failure(failure.notFound(target.resource, target.name))
        checkPreconditions(current, preconditions)
        const pod = copyJson(current)
        const conditions = listOf(statusOf(pod)['conditions']).filter(isObject)
        const before = conditions.find(({ type }) => type === DISRUPTION_TARGET.type)
        const since = before?.['status'] === 'True' ? before['lastTransitionTime'] : now
        const condition = { ...DISRUPTION_TARGET, lastProbeTime: null, lastTransitionTime: since }
        pod['status'] = {
          ...statusOf(pod),
          conditions: before
            ? conditions.map((one) => (one === before ? { ...before, ...condition } : one))
            : [...conditions, condition],
        }
        return pod
      },
    },
    { dryRun: false, fieldManager: '', fieldValidation: 'Ignore', warn: () => undefined },
  )
  return written.object
}

function checkPreconditions(
  { metadata }: ServerObject,
  { uid, resourceVersion }: NonNullable<DeleteOptions['preconditions']>,
): void {
  const refuse = (what: string, wanted: string, found: string | undefined, why: string): never => {
    const text = `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found}). ${why}`
    throw new Failure(failure.conflict({ group: '', plural: 'Pod' }, metadata.name ?? '', text))
  }
  if (uid && uid !== metadata.uid) {
    refuse('UID', uid, metadata.uid, 'The object might have been deleted and then recreated')
  }
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    refuse(
      'ResourceVersion',
      resourceVersion,
      metadata.resourceVersion,
      'The object might have been modified',
    )
  }
}

/** Takes one disruption from a Pod's budget; false where the Pod does not count in the budget. */
async function takeDisruption(registry: Registry, pod: ServerObject, dryRun: boolean): Promise<boolean> {
  const resource = registry.catalogue.find('policy', 'v1', 'poddisruptionbudgets')
  const { namespace, name = '' } = pod.metadata
  const budgets = resource ? budgetsOf(registry, resource, pod) : []
  const [budget] = budgets
  if (!resource || !budget) return true
  if (budgets.length > 1) throw new Failure(failure.withoutReason(TOO_MANY))
  if (!isReady(pod) && mayLoseUnready(budget)) return false
  await update(
    registry,
    { resource, namespace, name: budget.metadata.name ?? '' },
    {
      subresource: 'status',
      change(current) {
        if (!current) throw new Failure(failure.notFound(resource, budget.metadata.name ?? ''))
        return withOneLess(current, name, timestamp(registry.clock.now()))
      },
    },
    { dryRun, fieldManager: 'kube-apiserver', fieldValidation: 'Ignore', warn: () => undefined },
  )
  return true
}

function budgetsOf(registry: Registry, resource: Resource, pod: ServerObject): ServerObject[] {
  const { namespace = '', labels } = pod.metadata
  const range = { collection: 'policy/poddisruptionbudgets', prefix: `${namespace}/` }
  return registry.store
    .snapshot(range)
    .map((entry) => served(entry, resource))
    .filter((budget) => {
      const { selector } = specOf(budget)
      return isObject(selector) && matchesLabels(labelSelectorFrom(selector), labels)
    })
}

function isReady(pod: ServerObject): boolean {
  const conditions = listOf(statusOf(pod)['conditions']).map(objectOf)
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
}

/** Whether an unready Pod needs no disruption: enough others are healthy, or the policy is AlwaysAllow. */
function mayLoseUnready(budget: ServerObject): boolean {
  if (specOf(budget)['unhealthyPodEvictionPolicy'] === 'AlwaysAllow') return true
  const desired = count(statusOf(budget), 'desiredHealthy')
  return desired > 0 && count(statusOf(budget), 'currentHealthy') >= desired
}

function count(status: JsonObject, name: string): number {
  return Number(integerOf(status[name]))
}

function withOneLess(budget: ServerObject, pod: string, now: string): ServerObject {
  const { name = '', generation = 0 } = budget.metadata
  const status = statusOf(budget)
  const observed = count(status, 'observedGeneration')
  if (observed < generation) {
    throw violated(`The disruption budget ${name} is still being processed by the server.`, 10)
  }
  const allowed = count(status, 'disruptionsAllowed')
  const refuse = (why: string): never => {
    throw new Failure(failure.forbidden({ group: 'policy', plural: 'poddisruptionbudget' }, name, why))
  }
  if (allowed < 0) refuse('pdb disruptions allowed is negative')
  const disrupted = objectOf(status['disruptedPods'])
  if (Object.keys(disrupted).length > MOST_DISRUPTED) {
    refuse('DisruptedPods map too big - too many evictions not confirmed by PDB controller')
  }
  if (allowed === 0) throw violated(whyNone(name, status), 0)
  const object = copyJson(budget)
  object['status'] = {
    ...copyJson(status),
    disruptionsAllowed: allowed - 1,
    disruptedPods: { ...disrupted, [pod]: now },
    ...(allowed === 1 && { conditions: exhausted(status, observed, now) }),
  }
  return object
}

function whyNone(name: string, status: JsonObject): string {
  const none = `The disruption budget ${name} does not allow evicting pods currently`
  const condition = listOf(status['conditions'])
    .map(objectOf)
    .find((one) => one['type'] === 'DisruptionAllowed' && one['status'] === 'False' && one['message'])
  const { reason, message } = condition ?? {}
  if (reason === 'SyncFailed') return `${none} because it failed sync: ${textOf(message)}`
  const [has, needs] = [count(status, 'currentHealthy'), count(status, 'desiredHealthy')]
  if (has <= needs)
    return `The disruption budget ${name} needs ${needs} healthy pods and has ${has} currently`
  return condition ? `${none} (${textOf(reason)}): ${textOf(message)}` : none
}

/** The conditions of a budget without allowed disruptions. */
function exhausted(status: JsonObject, observedGeneration: number, now: string): JsonObject[] {
  const conditions = listOf(status['conditions']).map(objectOf)
  const before = conditions.find(({ type }) => type === 'DisruptionAllowed')
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration,
    lastTransitionTime: before?.['status'] === 'False' ? before['lastTransitionTime'] : now,
    reason: 'InsufficientPods',
    message: '',
  }
  if (!before) return [...conditions, condition]
  return conditions.map((one) => (one === before ? condition : one))
}

function violated(message: string, retryAfterSeconds: number): Failure {
  const status = failure.tooManyRequests(VIOLATED, retryAfterSeconds)
  const causes = [{ reason: 'DisruptionBudget', message }]
  return new Failure({ ...status, details: { ...status.details, causes } })
}
