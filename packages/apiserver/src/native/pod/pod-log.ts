import { failure, type ApiResponse } from '@homeostat/api'
import { type Call, integer, isTrue, type KindAction, targetOf } from '../../http/index.ts'
import { Failure, get, served, type ServerObject, specOf } from '../../registry/index.ts'
import {
  causesOf,
  type FieldError,
  forbiddenValue,
  invalidValue,
  listOf,
  objectOf,
} from '../../schema/index.ts'
import type { PodLogRequest, PodLogs } from '../pod-runner/pod-logs.ts'

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container'

/** GET of `pods/<name>/log`. */
export function podLogAction(podLogs: PodLogs | undefined): KindAction {
  return async (call) => {
    if (call.request.method !== 'GET') throw new Failure(failure.methodNotAllowed())
    const pod = served(get(call.registry, targetOf(call)), call.resource)
    const request = logRequest(call, pod)
    if (!specOf(pod)['nodeName']) {
      const headers: Record<string, string> = { 'cache-control': 'no-cache, private' }
      return { status: 204, headers, body: new Uint8Array() }
    }
    if (!podLogs) {
      throw new Failure(
        failure.serviceUnavailable(
          'there are no logs: this API server runs without nodes. Start a Cluster to run Pods',
        ),
      )
    }
    const body = await podLogs(request)
    return {
      status: 200,
      headers: { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' },
      body,
    } satisfies ApiResponse
  }
}

function logRequest(call: Call, pod: ServerObject): PodLogRequest {
  const { query, signal } = call.request
  const number = (name: string): number | undefined => {
    const text = query.get(name)
    return text === null ? undefined : integer(text)
  }
  const request = {
    namespace: call.route.namespace ?? '',
    name: call.route.name ?? '',
    container: containerOf(pod, query.get('container') ?? ''),
    follow: isTrue(query.get('follow')),
    previous: isTrue(query.get('previous')),
    timestamps: isTrue(query.get('timestamps')),
    tailLines: number('tailLines'),
    sinceSeconds: number('sinceSeconds'),
    sinceTime: query.get('sinceTime') ?? undefined,
    limitBytes: number('limitBytes'),
    signal,
  }
  const problems = problemsOf(request, query.has('stream'))
  if (problems.length > 0) {
    throw new Failure(failure.invalid({ group: '', kind: 'PodLogOptions' }, request.name, causesOf(problems)))
  }
  return request
}

function problemsOf(request: PodLogRequest, stream: boolean): FieldError[] {
  const { tailLines, limitBytes, sinceSeconds, sinceTime } = request
  const problems: FieldError[] = []
  if (tailLines !== undefined && tailLines < 0) {
    problems.push(invalidValue('tailLines', tailLines, 'must be greater than or equal to 0'))
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    problems.push(invalidValue('limitBytes', limitBytes, 'must be greater than 0'))
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    problems.push(forbiddenValue('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'))
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    problems.push(invalidValue('sinceSeconds', sinceSeconds, 'must be greater than 0'))
  }
  if (stream) problems.push(forbiddenValue('stream', 'may not be specified'))
  return problems
}

/** The requested container, or the only one. */
function containerOf(pod: ServerObject, asked: string): string {
  const spec = specOf(pod)
  const { name = '' } = pod.metadata
  const names = (field: string): string[] => listOf(spec[field]).map((one) => String(objectOf(one)['name']))
  const containers = names('containers')
  if (asked) {
    if ([...containers, ...names('initContainers'), ...names('ephemeralContainers')].includes(asked))
      return asked
    throw new Failure(failure.badRequest(`container ${asked} is not valid for pod ${name}`))
  }
  const [only] = containers
  if (only !== undefined && containers.length === 1) return only
  const usual = pod.metadata.annotations?.[DEFAULT_CONTAINER]
  if (usual && containers.includes(usual)) return usual
  throw new Failure(
    failure.badRequest(
      `a container name must be specified for pod ${name}, choose one of: [${[...names('initContainers'), ...containers].join(' ')}]`,
    ),
  )
}
