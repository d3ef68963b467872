/** Measures webhooks: `npm run bench webhooks -- --help`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { CertificateAuthority } from '../../packages/apiserver/src/certificates/certificates.ts'
import { corpus } from '../../test/oracles/controller-runtime-webhooks/corpus.ts'
import { markdownTable } from '../markdown-table.ts'
import { runBenchmark } from '../run-benchmark.ts'
import { processUsage } from '../runtime/process-usage.ts'
import { median, percentile } from '../runtime/statistics.ts'
import { sendBadInput } from './bad-input.ts'
import { inProcessCall } from './in-process.ts'
import { HELP, readOptions, type Options } from './options.ts'
import { sendReviews, type Review } from './send-reviews.ts'
import { startServers, type WebhookProgram } from './servers.ts'

/** How long a call in the process may take beyond its handler, in milliseconds. */
const AIM_IN_PROCESS = 0.3

await runBenchmark({ help: HELP, readOptions, run })

/** One turn of one server. */
interface Turn {
  /** One review at a time, in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** All connections at once, in reviews a second. */
  readonly rate: number
  /** CPU of the server for the reviews of all connections, in seconds. */
  readonly cpu: number
  readonly load: number
}

async function run(options: Options, signal: AbortSignal): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-bench-webhooks-'))
  try {
    const authority = await CertificateAuthority.create()
    const { certificate, key } = await authority.forServer('127.0.0.1')
    writeFileSync(join(folder, 'tls.crt'), certificate)
    writeFileSync(join(folder, 'tls.key'), key)
    await using programs = new AsyncDisposableStack()
    const servers = await startServers(folder, signal)
    for (const server of servers) programs.use(server)
    const reviews = goodReviews()
    const turns = await takeTurns(servers, authority.certificate, reviews, options, signal)
    const inProcess = await inProcessCall(Math.min(options.calls, 5_000))
    const bad = await sendBadInput(servers, authority.certificate, reviews[0]!)
    const lines = [
      ...table(turns, options),
      '',
      `A webhook in the process costs a write ${inProcess.toFixed(3)} ms beyond its handler (aim: ${AIM_IN_PROCESS} ms).`,
      '',
      ...markdownTable(
        ['bad input', 'ours', 'controller-runtime', 'other reviews go on'],
        bad.map(({ input, ours, go, goesOn }) => [input, ours, go, goesOn ? 'yes' : 'no']),
      ),
    ]
    console.log(`\n${lines.join('\n')}`)
    await mkdir(options.out, { recursive: true })
    await writeFile(join(options.out, 'webhooks.md'), `# Webhooks\n\n${lines.join('\n')}\n`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A review for defaults and one for validation, of the corpus that both servers are compared by. */
function goodReviews(): Review[] {
  const requests = corpus()
  return ['/mutate', '/validate'].map((path) => {
    const found = requests.find((asked) => asked.path === path && asked.title.includes('a full ticket'))
    if (!found) throw new Error(`the corpus has no full ticket for ${path}`)
    return { path, body: new TextEncoder().encode(found.body) }
  })
}

async function takeTurns(
  servers: readonly WebhookProgram[],
  ca: string,
  reviews: readonly Review[],
  { calls, rounds, connections }: Options,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Turn[]>> {
  const turns = new Map<string, Turn[]>(servers.map(({ name }) => [name, []]))
  // The first round warms up and does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const { name, pid, url } of round % 2 === 0 ? servers : servers.toReversed()) {
      signal.throwIfAborted()
      const load = loadavg()[0] ?? 0
      const alone = await sendReviews(url, ca, reviews, { calls: Math.ceil(calls / 5), connections: 1 })
      const before = processUsage(pid).cpuSeconds
      const began = performance.now()
      await sendReviews(url, ca, reviews, { calls, connections })
      const rate = calls / ((performance.now() - began) / 1_000)
      const cpu = processUsage(pid).cpuSeconds - before
      const turn = { p50: percentile(alone, 0.5) ?? 0, p99: percentile(alone, 0.99) ?? 0, rate, cpu, load }
      if (round > 0) turns.get(name)?.push(turn)
      console.log(
        `${round === 0 ? 'warm-up' : `round ${round}`} ${name}: ${JSON.stringify(turn, (_, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(3)) : value))}`,
      )
    }
  }
  return turns
}

function table(turns: ReadonlyMap<string, readonly Turn[]>, { calls, connections }: Options): string[] {
  const middle = (name: string, column: keyof Turn): number =>
    median((turns.get(name) ?? []).map((turn) => turn[column])) ?? 0
  const columns: readonly (readonly [string, keyof Turn, number])[] = [
    ['p50, ms', 'p50', 3],
    ['p99, ms', 'p99', 3],
    [`reviews a second, ${connections} connections`, 'rate', 0],
    [`CPU for ${calls.toLocaleString('en')} reviews, s`, 'cpu', 2],
    ['load', 'load', 1],
  ]
  const rows = columns.map(([title, column, digits]) => {
    const [ours, go] = [middle('ours', column), middle('go', column)]
    return [title, ours.toFixed(digits), go.toFixed(digits), column === 'load' ? '' : (ours / go).toFixed(2)]
  })
  return markdownTable(['over TLS on loopback', 'ours', 'controller-runtime', 'ratio'], rows)
}
