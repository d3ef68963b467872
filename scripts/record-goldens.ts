import { glob, readFile, writeFile } from 'node:fs/promises'
import { request as httpsRequest } from 'node:https'
import { parseArgs } from 'node:util'

/**
 * Asks a real kube-apiserver every question in the `goldens/` folders of packages/apiserver again and writes
 * its answers down. A golden is a conversation: an optional CRD and a list of requests; a new one starts as requests
 * alone. `{ns}` stands for a namespace of its own, which answers call `golden`.
 *
 *     node scripts/record-goldens.ts --server https://127.0.0.1:6443 --token secret --ca apiserver.crt [part of a path]…
 */
interface Golden {
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { server: { type: 'string' }, token: { type: 'string' }, ca: { type: 'string' } },
})
const { server, token, ca } = values
if (!server || !token || !ca) {
  console.error(
    'Give the address, a token and the certificate of a kube-apiserver: --server https://127.0.0.1:6443 --token secret --ca apiserver.crt',
  )
  process.exit(2)
}

const certificate = await readFile(ca)
const stamp = Date.now().toString(36)
let count = 0
for await (const file of glob('packages/apiserver/src/**/goldens/*.json')) {
  if (positionals.length > 0 && !positionals.some((part) => file.includes(part))) continue
  const golden = JSON.parse(await readFile(file, 'utf8')) as Golden
  await record(golden, `golden-${stamp}-${++count}`)
  await writeFile(file, `${JSON.stringify(golden, undefined, 2)}\n`)
  console.log(file)
}

async function record(golden: Golden, namespace: string): Promise<void> {
  await send('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  })
  if (golden.crd) await establish(golden.crd)
  for (const step of golden.steps) {
    const [method, path] = step.request.replaceAll('{ns}', namespace).split(' ') as [string, string]
    const sent: unknown = step.body && JSON.parse(JSON.stringify(step.body).replaceAll('{ns}', namespace))
    const { status, body } = await send(method, path, sent, step.type)
    step.status = status
    step.answer = settled(body, namespace)
  }
}

/** A CRD of the same name is changed: its objects are in other namespaces and do not matter. */
async function establish(crd: Record<string, unknown>): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const metadata = crd['metadata'] as { name: string }
  const existing = await send('GET', `${path}/${metadata.name}`)
  const { resourceVersion } = (existing.body as { metadata: { resourceVersion?: string } }).metadata
  const made =
    existing.status === 200
      ? await send('PUT', `${path}/${metadata.name}`, { ...crd, metadata: { ...metadata, resourceVersion } })
      : await send('POST', path, crd)
  if (made.status >= 300)
    throw new Error(`the CRD ${metadata.name} was refused: ${JSON.stringify(made.body)}`)
  const { group, versions, names } = crd['spec'] as {
    group: string
    versions: { name: string }[]
    names: { plural: string }
  }
  const resource = `/apis/${group}/${versions[0]!.name}/${names.plural}`
  while ((await send('GET', resource)).status !== 200) await pause()
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

function send(
  method: string,
  path: string,
  body?: unknown,
  type = 'application/json',
): Promise<{ status: number; body: unknown }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>()
  const headers: Record<string, string> = { Authorization: `Bearer ${token}`, Accept: 'application/json' }
  if (body !== undefined) headers['Content-Type'] = type
  const outgoing = httpsRequest(`${server}${path}`, { method, headers, ca: certificate }, (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (part: string) => (text += part))
    response.on('error', reject)
    response.on('end', () => {
      const json = response.headers['content-type']?.startsWith('application/json')
      resolve({ status: response.statusCode ?? 0, body: json ? JSON.parse(text) : text })
    })
  })
  outgoing.on('error', reject)
  outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  return promise
}
