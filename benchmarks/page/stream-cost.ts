import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiServer } from '@homeostat/apiserver'
import { createClient, directTransport, SystemClock, type Client } from 'homeostat'
import { ClusterRole, ClusterRoleBinding, ConfigMap, ServiceAccount } from 'homeostat/kinds'
import type { ManagerMessage, ManagerUsage } from './measured-manager.ts'

/** Each change causes two reconciles: one that writes, and one because of what was written. */
const CHANGES = 50
const OBJECTS = 100
/** The page's viewer must have connected, and the code be compiled, before anything is measured. */
const WARM_UP = 5
/** The length of a turn, in seconds. */
const TURN = 3
const clock = new SystemClock()

/** The cost of the page to its manager. */
export interface StreamCost {
  /** CPU time for 100 reconciles a second in percent of one core, with a viewer. */
  readonly viewed: number
  /** The same while the page has no viewer. */
  readonly unviewed: number
  /** Bytes, with a viewer. */
  readonly memory: number
  /** How many a second there were while it was measured. */
  readonly reconciles: number
}

/**
 * Measures what a manager pays for its page: the difference of managers in processes of their own, without a page, with a page that has a
 * viewer, and with a page that has none. They work in turns, so that what else the machine does concerns all of them. The median of the
 * turns counts.
 */
export async function streamCost(seconds: number): Promise<StreamCost> {
  await using cleanUp = new AsyncDisposableStack()
  const plain = cleanUp.use(await MeasuredManager.start({ hasPage: false, hasViewer: false }))
  const unviewed = cleanUp.use(await MeasuredManager.start({ hasPage: true, hasViewer: false }))
  const viewed = cleanUp.use(await MeasuredManager.start({ hasPage: true, hasViewer: true }))
  const all = [plain, unviewed, viewed]
  for (const each of all) await each.work(WARM_UP)
  for (const each of all) each.turns.splice(0)
  for (let worked = 0; worked < seconds; worked += TURN) for (const each of all) await each.work(TURN)
  const percent = (manager: MeasuredManager): number => (manager.median('cpu') - plain.median('cpu')) * 100
  return {
    viewed: percent(viewed),
    unviewed: percent(unviewed),
    memory: (await viewed.memory()) - (await plain.memory()),
    reconciles: viewed.median('reconciles'),
  }
}

/** A manager on a server of its own, and what it uses while it works. */
class MeasuredManager implements AsyncDisposable {
  readonly #client: Client
  readonly #manager: ChildProcess
  readonly #cleanUp: AsyncDisposableStack
  /** Seconds of CPU time for 100 reconciles, and how many there were in a second. A busy machine lets it do fewer. */
  readonly turns: { readonly cpu: number; readonly reconciles: number }[] = []

  private constructor(client: Client, manager: ChildProcess, cleanUp: AsyncDisposableStack) {
    this.#client = client
    this.#manager = manager
    this.#cleanUp = cleanUp
  }

  static async start({
    hasPage,
    hasViewer,
  }: {
    hasPage: boolean
    hasViewer: boolean
  }): Promise<MeasuredManager> {
    await using cleanUp = new AsyncDisposableStack()
    const server = cleanUp.use(await ApiServer.start({ clock }))
    const port = cleanUp.use(await server.listen())
    const folder = mkdtempSync(join(tmpdir(), 'homeostat-bench-page-'))
    cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }))
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, port.kubeconfig())
    const transport = directTransport(server.handler, { clock })
    const client = createClient({ transport, clock, fieldManager: 'bench' })
    for (let index = 0; index < OBJECTS; index++)
      await client.create(ConfigMap, { metadata: keyOf(index), data: { n: '0' } })
    const program = join(import.meta.dirname, 'measured-manager.ts')
    const manager = fork(program, hasPage ? ['--page'] : [], {
      env: { ...process.env, KUBECONFIG: kubeconfig },
    })
    cleanUp.defer(async () => {
      const ended = once(manager, 'exit')
      manager.disconnect()
      await ended
    })
    const said = await answerOf(manager)
    if (hasViewer && 'pageUrl' in said) {
      const viewer = readStream(said.pageUrl ?? '', await viewerToken(client))
      cleanUp.defer(() => void viewer.kill())
      await once(viewer.stdout, 'data')
    }
    return new MeasuredManager(client, manager, cleanUp.move())
  }

  /** Lets it work for so many seconds. */
  async work(seconds: number): Promise<void> {
    const before = await this.#usage()
    const begun = clock.monotonic()
    for (let count = 0; count < seconds * CHANGES; count++) {
      const wait = begun + (count * 1000) / CHANGES - clock.monotonic()
      if (wait > 0) await clock.sleep(wait)
      const body = { data: { n: String(clock.now()) } }
      await this.#client.patch(ConfigMap, keyOf(count % OBJECTS), { type: 'merge', body })
    }
    const after = await this.#usage()
    const passed = (clock.monotonic() - begun) / 1000
    const reconciles = after.reconciles - before.reconciles
    this.turns.push({
      cpu: ((after.cpu - before.cpu) / 1000 / reconciles) * 100,
      reconciles: reconciles / passed,
    })
  }

  median(figure: 'cpu' | 'reconciles'): number {
    const figures = this.turns.map((turn) => turn[figure]).toSorted((a, b) => a - b)
    return figures[Math.floor(figures.length / 2)] ?? NaN
  }

  /** Bytes in use after a collection of garbage. */
  async memory(): Promise<number> {
    return (await this.#usage('memory')).heap
  }

  async #usage(question: 'cpu' | 'memory' = 'cpu'): Promise<ManagerUsage> {
    this.#manager.send(question)
    const answer = await answerOf(this.#manager)
    if (!('cpu' in answer)) throw new Error('the manager said something else')
    return answer
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cleanUp.disposeAsync()
  }
}

async function answerOf(manager: ChildProcess): Promise<ManagerMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<ManagerMessage>()
  const ended = (): void => reject(new Error('the manager has ended'))
  manager.once('exit', ended).once('message', (message) => resolve(message as ManagerMessage))
  try {
    return await promise
  } finally {
    manager.off('exit', ended)
  }
}

function keyOf(index: number) {
  return { namespace: 'default', name: `m-${index}` }
}

/** A user who may read everything. */
async function viewerToken(client: Client): Promise<string> {
  const key = { namespace: 'default', name: 'viewer' }
  await client.create(ServiceAccount, { metadata: key })
  const rules = [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['*'], verbs: ['*'] },
  ]
  await client.create(ClusterRole, { metadata: { name: 'viewer' }, rules })
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'viewer' } as const
  const subjects = [{ kind: 'ServiceAccount' as const, ...key }]
  await client.create(ClusterRoleBinding, { metadata: { name: 'viewer' }, roleRef, subjects })
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const { status } = await client.subresource('token').create(ServiceAccount, key, body)
  return (status as { token: string }).token
}

/** Reads the stream in a process of its own, whose CPU time does not count. */
function readStream(url: string, token: string) {
  const code = `
    const [url, token] = process.env.READ_STREAM.split(' ')
    const answer = await fetch(url + '/stream', { headers: { authorization: 'Bearer ' + token, origin: url } })
    if (!answer.ok) throw new Error(await answer.text())
    console.log('open')
    for await (const _ of answer.body);`
  const env = { ...process.env, READ_STREAM: `${url} ${token}` }
  return spawn(process.execPath, ['--input-type=module', '-e', code], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
