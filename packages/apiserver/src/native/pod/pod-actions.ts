import { failure, timestamp, type ApiResponse } from '@homeostat/api'
import {
  admittedOptions,
  type Call,
  checkNameInPath,
  objectBody,
  statusAnswer,
  targetOf,
} from '../../http/index.ts'
import {
  admitSubmission,
  checkNamespace,
  decodeAndDefault,
  type DeleteOptions,
  Failure,
  type KindStrategy,
  prepareSubmitted,
  type Resource,
  type ServerObject,
  specOf,
  statusOf,
  type Submission,
  submittedKind,
  type Target,
  update,
  validateSubmission,
  type WriteOptions,
} from '../../registry/index.ts'
import {
  aggregate,
  copyJson,
  type FieldError,
  listOf,
  objectOf,
  requiredValue,
  unsupportedValue,
} from '../../schema/index.ts'
import { evict } from './eviction.ts'

const BINDING = { group: '', version: 'v1', kind: 'Binding' }
const EVICTION = { group: 'policy', version: 'v1', kind: 'Eviction' }
const DONE = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } as const

/**
 * POST of `pods/<name>/binding`, which a scheduler sends to put a Pod on a node. `asked` is the resource in the
 * request's path, where that is not the Pod.
 */
export async function bindingAction(call: Call, asked: Call = call): Promise<ApiResponse> {
  const { registry, request } = call
  if (request.method !== 'POST') return statusAnswer(failure.methodNotAllowed())
  const options = admittedOptions(call, 'CreateOptions')
  const type = typeOf(call, BINDING, 'io.k8s.api.core.v1.Binding')
  const target = targetOf(call)
  const submission = submissionOf(call, type, options, {
    ...target,
    resource: asked.resource,
    subresource: asked.route.subresource,
  })
  await admitSubmission(options.admission, submission)
  const { object: binding } = submission
  const { kind, name: node } = objectOf(binding['target'])
  if ((binding.metadata.name ?? '') !== target.name) {
    throw new Failure(failure.badRequest('name in URL does not match name in Binding object'))
  }
  const problems: FieldError[] = []
  if (kind && kind !== 'Node') problems.push(unsupportedValue('target.kind', kind, ['Node', '<empty>']))
  if (!node) problems.push(requiredValue('target.name'))
  if (problems.length > 0) throw new Failure(failure.withoutReason(aggregate(problems)))
  await validateSubmission(options.admission, submission)
  if (target.name === '') throw new Failure(failure.badRequest('Name parameter required.'))
  checkNameInPath(target.name)
  const { uid, resourceVersion, annotations, labels } = binding.metadata
  await update(
    registry,
    target,
    {
      trusted: true,
      managed: true,
      subresource: 'binding',
      uid: uid || undefined,
      change(current) {
        if (!current) throw new Failure(failure.notFound(target.resource, target.name))
        checkVersion(target, resourceVersion, current.metadata.resourceVersion)
        const problem = whyNot(target.name, current)
        if (problem !== undefined) {
          throw new Failure(failure.conflict({ group: '', plural: 'pods/binding' }, target.name, problem))
        }
        const pod = copyJson(current)
        if (labels) pod.metadata.labels = { ...pod.metadata.labels, ...labels }
        if (annotations) pod.metadata.annotations = { ...pod.metadata.annotations, ...annotations }
        pod['spec'] = { ...specOf(pod), nodeName: node }
        const conditions = listOf(statusOf(pod)['conditions']).filter(
          (one) => objectOf(one)['type'] !== 'PodScheduled',
        )
        const scheduled = {
          type: 'PodScheduled',
          status: 'True',
          lastProbeTime: null,
          lastTransitionTime: timestamp(registry.clock.now()),
        }
        const { nominatedNodeName: _, ...status } = statusOf(pod)
        pod['status'] = { ...status, conditions: [...conditions, scheduled] }
        return pod
      },
    },
    { ...options, admission: undefined },
  )
  return statusAnswer(DONE, DONE.code, call.warnings)
}

/** The object in the body, as admission plugins see it. */
function submissionOf(
  call: Call,
  type: Resource,
  options: WriteOptions,
  { subresource, ...target }: Target & { readonly subresource: string | undefined },
): Submission {
  const { object, duplicates } = objectBody(call, type)
  decodeAndDefault(object, type, options, duplicates)
  checkNamespace(object.metadata, target.namespace)
  prepareSubmitted(object, type, { target, now: call.registry.clock.now() }, options, subresource)
  return { operation: 'CREATE', target, subresource, kind: submittedKind(type), object }
}

/** The object that the subresource accepts, as a resource. */
function typeOf({ resource }: Call, kind: typeof BINDING, definition: string): Resource {
  const { definitions } = resource.schema
  const root = definitions[definition] ?? {}
  const strategy = (): KindStrategy => ({})
  return { ...resource, ...kind, schema: { root, definitions }, subresources: { status: false }, strategy }
}

/** Why a Pod cannot be put on a node. */
function whyNot(name: string, pod: ServerObject): string | undefined {
  const { nodeName, schedulingGates } = specOf(pod)
  if (pod.metadata.deletionTimestamp) return `pod ${name} is being deleted, cannot be assigned to a host`
  if (nodeName) return `pod ${name} is already assigned to node ${JSON.stringify(nodeName)}`
  return listOf(schedulingGates).length > 0 ? `pod ${name} has non-empty .spec.schedulingGates` : undefined
}

function checkVersion({ resource, name }: Target, wanted = '', found = ''): void {
  if (wanted === '' || wanted === found) return
  const why = `Precondition failed: ResourceVersion in precondition: ${wanted}, ResourceVersion in object meta: ${found}`
  throw new Failure(failure.conflict(resource, name, why))
}

/** POST of `pods/<name>/eviction`: a deletion that the Pod's disruption budget may refuse. */
export async function evictionAction(call: Call): Promise<ApiResponse> {
  const { registry, request } = call
  if (request.method !== 'POST') return statusAnswer(failure.methodNotAllowed())
  const writing = admittedOptions(call, 'CreateOptions')
  const type = typeOf(call, EVICTION, 'io.k8s.api.policy.v1.Eviction')
  const target = targetOf(call)
  const submission = submissionOf(call, type, writing, { ...target, subresource: 'eviction' })
  await admitSubmission(writing.admission, submission)
  const { object } = submission
  if (object.metadata.name !== target.name) {
    throw new Failure(failure.badRequest('name in URL does not match name in Eviction object'))
  }
  await validateSubmission(writing.admission, submission)
  const { dryRun: said, ...options } = objectOf(object['deleteOptions'])
  await evict(registry, target, {
    ...(options as DeleteOptions),
    dryRun: writing.dryRun || listOf(said).length > 0,
  })
  return statusAnswer(DONE, DONE.code, call.warnings)
}
