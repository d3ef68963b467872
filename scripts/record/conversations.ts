import { glob, readFile, writeFile } from 'node:fs/promises'
import { startRealServer, type RealServer } from './api-server.ts'

/** A conversation: an optional CRD and a list of requests. A new one starts as requests alone. */
interface Conversation {
  crd?: Record<string, unknown>
  steps: Step[]
}

interface Step {
  request: string
  type?: string
  body?: unknown
  /** Written by this script. */
  status?: number
  answer?: unknown
}

/**
 * Sends a real kube-apiserver the requests of every conversation below packages/apiserver/src again, and writes its answers
 * down. `{ns}` stands for a namespace of its own, which answers call `golden`.
 */
export async function recordConversations(parts: readonly string[]): Promise<void> {
  await using server = await startRealServer()
  const stamp = Date.now().toString(36)
  let count = 0
  for await (const file of glob('packages/apiserver/src/**/recorded/*.json')) {
    if (parts.length > 0 && !parts.some((part) => file.includes(part))) continue
    const conversation = JSON.parse(await readFile(file, 'utf8')) as Conversation
    // The tables in such folders are recorded by another suite.
    if (!Array.isArray(conversation.steps)) continue
    await record(server, conversation, `golden-${stamp}-${++count}`)
    await writeFile(file, `${JSON.stringify(conversation, undefined, 2)}\n`)
    console.log(file)
  }
}

async function record(server: RealServer, conversation: Conversation, namespace: string): Promise<void> {
  await server.send('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  })
  if (conversation.crd) await establish(server, conversation.crd)
  for (const step of conversation.steps) {
    const [method, path] = step.request.replaceAll('{ns}', namespace).split(' ') as [string, string]
    const sent: unknown = step.body && JSON.parse(JSON.stringify(step.body).replaceAll('{ns}', namespace))
    const { code, body } = await server.send(method, path, sent, step.type)
    step.status = code
    step.answer = settled(body, namespace)
  }
}

/** A CRD of the same name is changed: its objects are in other namespaces and do not matter. */
async function establish(server: RealServer, crd: Record<string, unknown>): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const metadata = crd['metadata'] as { name: string }
  const existing = await server.send('GET', `${path}/${metadata.name}`)
  const { resourceVersion } = (existing.body as { metadata: { resourceVersion?: string } }).metadata
  const made =
    existing.code === 200
      ? await server.send('PUT', `${path}/${metadata.name}`, {
          ...crd,
          metadata: { ...metadata, resourceVersion },
        })
      : await server.send('POST', path, crd)
  if (made.code >= 300) throw new Error(`the CRD ${metadata.name} was refused: ${JSON.stringify(made.body)}`)
  const { group, versions, names } = crd['spec'] as {
    group: string
    versions: { name: string }[]
    names: { plural: string }
  }
  const resource = `/apis/${group}/${versions[0]!.name}/${names.plural}`
  while ((await server.send('GET', resource)).code !== 200) await pause()
  // The handler of a kind may answer before it knows the schema.
  await pause(500)
}

function pause(milliseconds = 50): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** The answer without what differs from one server to the next. */
function settled(body: unknown, namespace: string): unknown {
  if (typeof body !== 'object' || body === null) return body
  const text = JSON.stringify(body).replaceAll(namespace, 'golden')
  const answer = JSON.parse(text) as { metadata?: Record<string, unknown>; details?: { uid?: string } }
  const { metadata } = answer
  delete answer.details?.uid
  if (metadata) {
    for (const field of ['uid', 'resourceVersion', 'creationTimestamp']) delete metadata[field]
    const entries = metadata['managedFields'] as { time?: string }[] | undefined
    const times = [...new Set(entries?.map(({ time }) => time))].filter((time) => time !== undefined).sort()
    // Whether a write changed the time of an entry matters; what time it was does not.
    for (const entry of entries ?? []) if (entry.time) entry.time = `time ${times.indexOf(entry.time) + 1}`
  }
  return answer
}
