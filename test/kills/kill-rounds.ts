import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KilledServer } from './killed-server.ts'
import { Ledger, textOf } from './ledger.ts'
import { seeded } from './seeded.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const WRITERS = 16
const NAMES_EACH = 6
/** A server is killed at most so long after the load began, in milliseconds. */
const LONGEST_LIFE = 1_000
/** A server lives at least until it has acknowledged so many writes, however busy the machine is. */
const FEWEST_WRITES = 10
/** One in so many is killed while it starts. */
const KILLED_AT_START = 6

/** The outcome of the rounds. */
export interface KillReport {
  readonly kills: number
  /** Writes that were acknowledged, in all rounds. */
  readonly writes: number
}

/**
 * Starts a durable server, lets clients write, kills it with SIGKILL at a moment left to chance, starts it again on the
 * same folder, and holds what it knows against what the clients were told; so many times. Throws an `Error` that names
 * the first difference.
 */
export async function killRounds(options: {
  readonly times: number
  readonly seed: number
  readonly onRound?: ((round: number, writes: number) => void) | undefined
}): Promise<KillReport> {
  const folder = await mkdtemp(join(tmpdir(), 'homeostat-kills-'))
  const random = seeded(options.seed)
  const ledger = new Ledger()
  let before: number | undefined
  try {
    for (let round = 1; round <= options.times; round++) {
      if (random() * KILLED_AT_START < 1) await KilledServer.start(folder, random() * LONGEST_LIFE)
      const server = await KilledServer.start(folder)
      if (!server) continue
      try {
        before = await check(server, ledger, before)
        await load(server, ledger, random)
      } finally {
        await server.kill()
      }
      options.onRound?.(round, ledger.writes)
    }
    const last = await KilledServer.start(folder)
    try {
      if (last) await check(last, ledger, before)
    } finally {
      await last?.kill()
    }
    return { kills: options.times, writes: ledger.writes }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Checks everything, and returns the version the server is at. A watch from before the restart must be told to list again. */
async function check(server: KilledServer, ledger: Ledger, before: number | undefined): Promise<number> {
  const listed = await server.send('GET', CONFIG_MAPS)
  if (listed?.code !== 200) throw new Error(`the list was answered with ${listed?.code}`)
  ledger.check(listed.body)
  const now = Number(listed.body.metadata.resourceVersion)
  if (before !== undefined && before < now) {
    const told: number[] = []
    const path = `${CONFIG_MAPS}?watch=true&timeoutSeconds=5&resourceVersion=${before}`
    await server.watch(path, ({ object }) => told.push(object.code))
    if (told.join() !== '410')
      throw new Error(`a watch from version ${before} was told ${told.join()}, not 410`)
  }
  return now
}

/** Writes from many sides until the server is killed, and notes what was answered and what a watch told. */
async function load(server: KilledServer, ledger: Ledger, random: () => number): Promise<void> {
  const watching = server.watch(`${CONFIG_MAPS}?watch=true`, ({ type, object }) => {
    const version = Number(object.metadata.resourceVersion)
    ledger.told(object.metadata.name, version, type === 'DELETED' ? undefined : Number(object.data.n))
  })
  const enough = ledger.writes + FEWEST_WRITES
  const ended = new AbortController()
  const writers = Array.from({ length: WRITERS }, (_, writer) => writeOn(server, ledger, writer, random))
  void Promise.allSettled(writers).then(() => ended.abort())
  await passed(random() * LONGEST_LIFE)
  while (!ended.signal.aborted && ledger.writes < enough) await passed(10)
  await server.kill()
  await Promise.all([watching, ...writers])
}

function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** One client: it writes one object after the other, each its own, until the connection breaks. */
async function writeOn(
  server: KilledServer,
  ledger: Ledger,
  writer: number,
  random: () => number,
): Promise<void> {
  for (let step = 0; ; step++) {
    const name = `w${writer}-${Math.floor(random() * NAMES_EACH)}`
    const state = ledger.stateOf(name)
    const n = state ? state.n + 1 : 1 + Math.floor(random() * 1_000)
    const data = { n: String(n), text: textOf(name, n) }
    const removes = state !== undefined && random() < 0.2
    ledger.sent(name, removes ? undefined : n)
    const answer = !state
      ? await server.send('POST', CONFIG_MAPS, { metadata: { name }, data })
      : removes
        ? await server.send('DELETE', `${CONFIG_MAPS}/${name}`)
        : random() < 0.5
          ? await server.send('PUT', `${CONFIG_MAPS}/${name}`, { metadata: { name }, data })
          : await server.send('PATCH', `${CONFIG_MAPS}/${name}`, { data })
    if (!answer) return
    if (answer.code >= 300) throw new Error(`${name}: a write was answered with ${answer.code}`)
    const left = removes ? undefined : { n, version: Number(answer.body.metadata.resourceVersion) }
    ledger.answered(name, left)
  }
}
