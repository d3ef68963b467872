// Measures how much a flood of requests by one user delays those of another. Run by `npm run bench fairness`.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants, loadavg, setPriority } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SystemClock } from '@homeostat/api'
import { httpsHandler } from '../../test/conformance/https-handler.ts'
import { compilePrograms } from '../apiserver/compile-programs.ts'
import { startServer, TITLES, type RunningServer, type ServerName } from '../apiserver/servers.ts'
import { markdownTable } from '../markdown-table.ts'
import type { FloodOptions, FloodReport } from './flood.ts'

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: 'ours,kubernetes' },
    connections: { type: 'string', default: '100' },
    requests: { type: 'string', default: '1000' },
    objects: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '10' },
    help: { type: 'boolean', short: 'h' },
  },
})
const HELP = `Usage: npm run bench fairness -- [options]

One user lists ConfigMaps over many connections, as fast as the server answers. Another user creates and reads ConfigMaps, one
after the other. Prints how long the second user's requests take without the flood and during it. The process of the flood has
the lowest priority, so that the server delays the second user, and not the operating system. What the operating system adds is
measured as well: how long they take while a process of the same priority computes in its place and sends nothing.

Options:
  --servers NAMES       ours, ours-durable, kubernetes, kubernetes-durable; default: ours,kubernetes
  --connections NUMBER  the connections of the flood; default: 100
  --requests NUMBER     the measured requests; default: 1000
  --seconds NUMBER      how long each of the four measurements lasts at most; default: 10
  --objects NUMBER      the ConfigMaps that the flood lists; default: 500`

const clock = new SystemClock()
const QUIET = 'quiet'
const FLOOD = 'flood'

/** Sends requests as a user who may do everything, but whose requests wait for their turn. */
function clientOf(server: RunningServer) {
  const { send, close } = httpsHandler({
    url: server.url,
    token: server.token,
    ca: server.certificateAuthority,
  })
  const ask = async (method: 'GET' | 'POST', path: string, body?: object, user?: string): Promise<number> => {
    const response = await send({
      method,
      path,
      query: new URLSearchParams(),
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(user !== undefined && { 'impersonate-user': user }),
      },
      body: body && new TextEncoder().encode(JSON.stringify(body)),
    })
    if (!(response.body instanceof Uint8Array)) for await (const _ of response.body) continue
    return response.status
  }
  return { ask, close }
}

type Client = ReturnType<typeof clientOf>

async function prepare({ ask }: Client): Promise<void> {
  const must = async (path: string, body: object): Promise<void> => {
    const status = await ask('POST', path, body)
    if (status !== 201) throw new Error(`${path} was answered with ${status}`)
  }
  await must('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'fairness' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [QUIET, FLOOD].map((name) => ({ kind: 'User', name, apiGroup: 'rbac.authorization.k8s.io' })),
  })
  for (const name of [QUIET, FLOOD])
    await must('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const data = { text: 'x'.repeat(500) }
  for (let index = 0; index < Number(values.objects); index++) {
    await must(`/api/v1/namespaces/${FLOOD}/configmaps`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `map-${index}` },
      data,
    })
  }
}

/** How long each request of the quiet user takes, in milliseconds, sorted. */
async function measure({ ask }: Client, round: string): Promise<readonly number[]> {
  const times: number[] = []
  const path = `/api/v1/namespaces/${QUIET}/configmaps`
  const end = clock.monotonic() + Number(values.seconds) * 1_000
  for (let index = 0; index < Number(values.requests) && clock.monotonic() < end; index++) {
    const name = `${round}-${index >> 1}`
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: 'b' } }
    const begun = clock.monotonic()
    const status =
      index % 2 === 0
        ? await ask('POST', path, body, QUIET)
        : await ask('GET', `${path}/${name}`, undefined, QUIET)
    times.push(clock.monotonic() - begun)
    if (status !== 200 && status !== 201) throw new Error(`the quiet user was answered with ${status}`)
    await clock.sleep(2)
  }
  return times.sort((a, b) => a - b)
}

/** Starts a program of this folder with the lowest priority, so that it delays others by its requests alone. */
async function startBeside(
  program: 'flood.ts' | 'compute.ts',
  options?: FloodOptions,
): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, program), {
    execArgv: ['--conditions=source'],
    serialization: 'json',
  })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  if (options) child.send(options)
  await once(child, 'message')
  return child
}

/** Begins the flood, and waits until each of its connections was answered. */
function beginFlood({ url, token, certificateAuthority: ca }: RunningServer): Promise<ChildProcess> {
  return startBeside('flood.ts', { url, token, ca, user: FLOOD, connections: Number(values.connections) })
}

async function endFlood(child: ChildProcess): Promise<FloodReport> {
  child.send('end')
  const [report] = (await once(child, 'message')) as [FloodReport]
  // Its last answers say nothing more.
  await end(child)
  return report
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill()
  await exit
}

function share(times: readonly number[], part: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
}

async function row(
  name: ServerName,
  programs: Awaited<ReturnType<typeof compilePrograms>>,
): Promise<string[]> {
  await using server = await startServer(name, programs)
  const client = clientOf(server)
  await prepare(client)
  await measure(client, 'first')
  const quiet = await measure(client, 'quiet')
  const computing = await startBeside('compute.ts')
  const busy = await measure(client, 'busy')
  await end(computing)
  const child = await beginFlood(server)
  const flooded = await measure(client, 'flooded')
  const { answered, refused, seconds } = await endFlood(child)
  client.close()
  const [p99, floodedP99] = [share(quiet, 0.99), share(flooded, 0.99)]
  return [
    TITLES[name],
    `${share(quiet, 0.5).toFixed(2)} / ${p99.toFixed(2)}`,
    `${share(busy, 0.5).toFixed(2)} / ${share(busy, 0.99).toFixed(2)}`,
    `${share(flooded, 0.5).toFixed(2)} / ${floodedP99.toFixed(2)}`,
    (floodedP99 / p99).toFixed(1),
    `${quiet.length} / ${flooded.length}`,
    `${(answered / seconds).toFixed(0)} (${refused} refused)`,
  ]
}

if (values.help) console.log(HELP)
else {
  const programs = await compilePrograms(new AbortController().signal)
  const rows: string[][] = []
  for (const name of values.servers.split(',') as ServerName[]) rows.push(await row(name, programs))
  const header = [
    '',
    'quiet: p50 / p99, ms',
    'beside a computation: p50 / p99, ms',
    'flooded: p50 / p99, ms',
    'p99 times',
    'requests measured',
    'lists of the flood a second',
  ]
  console.log(markdownTable(header, rows).join('\n'))
  console.log(`\nLoad average ${(loadavg()[0] ?? 0).toFixed(1)} in the end.`)
}
