import type { ApiRequest, StatusCause } from '@homeostat/api'
import type { JsonCallOptions } from '../json-call.ts'
import type { TestServer } from '../test-server.ts'

/** One request of a conversation. In its path, `~` stands for the test's namespace: `/api/v1/~/pods`. */
export interface Step extends JsonCallOptions {
  readonly say: string
  readonly method: ApiRequest['method']
  readonly path: string
  /** Compares the status and the reason alone: the message speaks of how the server is made. */
  readonly reasonOnly?: boolean
}

/**
 * Holds a conversation with the server and writes down what it answered, without what no two servers
 * have in common: identities, versions, times and addresses. Two servers that behave the same write the same.
 */
export async function transcript(server: TestServer, steps: readonly Step[]): Promise<string> {
  const answers: object[] = []
  for (const { say, method, path, reasonOnly, ...options } of steps) {
    const full = path.replace('/~', `/namespaces/${server.namespace}`)
    const body = withNamespace(options.body, server.namespace)
    const { status, headers, body: answer } = await server.call(method, full, { ...options, body })
    const warnings = headers.warning ? { warning: headers.warning } : {}
    const answered = reasonOnly
      ? { reason: answer.reason }
      : stable(withoutControllers(inOrder(answer)), server)
    answers.push({ say, request: `${method} ${path}`, status, ...warnings, answer: answered })
  }
  return `${JSON.stringify(answers, null, 2)}\n`
}

function withNamespace(body: unknown, namespace: string): unknown {
  if (body === undefined || typeof body === 'string') return body
  return JSON.parse(JSON.stringify(body).replaceAll('"~"', JSON.stringify(namespace)))
}

/** Kubernetes finds what is wrong with a custom object in no certain order. */
function inOrder(answer: any): unknown {
  const causes: StatusCause[] = answer?.details?.causes ?? []
  if (answer.reason !== 'Invalid' || causes.length < 2) return answer
  const sorted = causes.toSorted((a, b) => (sentence(a) < sentence(b) ? -1 : 1))
  const [subject] = answer.message.split(' is invalid: ')
  return {
    ...answer,
    message: `${subject} is invalid: [${sorted.map(sentence).join(', ')}]`,
    details: { ...answer.details, causes: sorted },
  }
}

/** Leaves out what the controllers of a real cluster write into a Deployment at their own time. */
function withoutControllers(answer: any): unknown {
  if (answer?.kind !== 'Deployment') return answer
  const { status: _status, metadata, ...rest } = structuredClone(answer)
  delete metadata.annotations?.['deployment.kubernetes.io/revision']
  if (Object.keys(metadata.annotations ?? {}).length === 0) delete metadata.annotations
  metadata.managedFields = metadata.managedFields?.filter(
    ({ manager }: { manager: string }) => manager !== 'kube-controller-manager',
  )
  return { ...rest, metadata }
}

function sentence(cause: StatusCause): string {
  return `${cause.field}: ${cause.message}`
}

/** What stands for the values that differ, by the name of their field. */
const VARYING: Readonly<Record<string, string>> = {
  uid: 'UID',
  resourceVersion: 'VERSION',
  clusterIP: 'ADDRESS',
  clusterIPs: 'ADDRESSES',
  nodePort: 'PORT',
}

/** Fields in the order of the alphabet, since a server may write them in any. */
function stable(value: unknown, server: TestServer): unknown {
  if (Array.isArray(value)) return value.map((item) => stable(item, server))
  if (typeof value === 'string') return stableText(value, server.namespace)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => {
        const varies = VARYING[key] !== undefined && child !== 'None' && typeof child !== 'object'
        return [
          key,
          varies || (Array.isArray(child) && key === 'clusterIPs') ? VARYING[key] : stable(child, server),
        ]
      }),
  )
}

function stableText(text: string, namespace: string): string {
  return text
    .replaceAll(namespace, '~')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME')
    .replaceAll(/(ResourceVersion in [a-z ]+: )\d+/g, '$1VERSION')
}
