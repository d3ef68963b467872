/**
 * Measures controllers side by side on one real kube-apiserver: `npm run bench runtime -- --help`. What each
 * peer does, and what the numbers mean, is in `../README.md`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { publish, runBenchmark } from '../run-benchmark.ts'
import { ETCD_VERSION, KUBERNETES_VERSION } from '../../test/kubernetes/binaries.ts'
import { startControlPlane, type ControlPlane } from '../../test/kubernetes/control-plane.ts'
import { Api } from './api.ts'
import { PeerUnavailable, type Command } from './builds.ts'
import { floors, type Floor } from './floors.ts'
import { measurePeer, type Measurement } from './measure-peer.ts'
import { HELP, readOptions, type Options } from './options.ts'
import { peers } from './peers.ts'
import { report, type Findings, type Row } from './report.ts'
import { fill } from './widgets.ts'

/** One line of the table while it is measured: how to measure it once, and the results so far. */
interface Contender {
  readonly name: string
  readonly title: string
  readonly rounds: Measurement[]
  measure?: ((context: Context) => Promise<Measurement>) | undefined
  leftOut?: string | undefined
}

interface Context {
  readonly server: ControlPlane
  readonly certificateFile: string
  readonly api: Api
  readonly options: Options
  readonly signal: AbortSignal
}

await runBenchmark({ help: HELP, readOptions, run })

async function run(options: Options, signal: AbortSignal): Promise<void> {
  const before = loadavg()[0] ?? 0
  const date = new Date().toISOString()
  const contenders = await prepare(options, signal)

  console.log(`Starting etcd ${ETCD_VERSION} and kube-apiserver ${KUBERNETES_VERSION} …`)
  await using server = await startControlPlane()
  signal.throwIfAborted()
  await using folder = await temporaryFolder()
  using api = new Api(server, 32)
  const certificateFile = join(folder.path, 'ca.crt')
  await writeFile(certificateFile, server.certificateAuthority)

  console.log(`Creating ${options.objects} objects …`)
  const objectBytes = await fill(api, options.objects, signal, (created) => {
    if (created % 5_000 === 0) console.log(`  ${created}`)
  })
  const context = { server, certificateFile, api, options, signal }
  // The server's first answer costs it more than the others.
  if (isInstalled('curl')) await floors['curl-list'].measure(server, certificateFile, signal)
  for (let round = 1; round <= options.rounds; round++) await measureAll(contenders, round, context)

  const findings = describe({ date, before, options, objectBytes, contenders })
  await publish('runtime', report(findings), findings, options.out, `-${options.objects}`)
}

/** Builds what must be built, before anything is measured. */
async function prepare(options: Options, signal: AbortSignal): Promise<Contender[]> {
  const contenders: Contender[] = []
  for (const name of options.peers) {
    if (name === 'curl') {
      contenders.push(...Object.entries(floors).map(([name, floor]) => floorContender(name, floor)))
      continue
    }
    const { title } = peers[name]
    const contender: Contender = { name, title, rounds: [] }
    contenders.push(contender)
    try {
      const command = await peers[name].prepare(signal)
      contender.measure = (context) => measureCommand(command, context)
    } catch (error) {
      if (!(error instanceof PeerUnavailable)) throw error
      contender.leftOut = error.message
      console.warn(`${title} is left out: ${error.message}.`)
    }
  }
  return contenders
}

function floorContender(name: string, floor: Floor): Contender {
  const contender: Contender = { name, title: floor.title, rounds: [] }
  if (isInstalled('curl')) {
    contender.measure = ({ server, certificateFile, signal }) =>
      floor.measure(server, certificateFile, signal)
  } else {
    contender.leftOut = 'curl was not found on the PATH'
  }
  return contender
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
}

function measureCommand(command: Command, { server, api, options, signal }: Context): Promise<Measurement> {
  return measurePeer({ command, kubeconfig: server.kubeconfig, api, options, signal })
}

/** One round: each once, and in another order each time, so that none always follows the same one. */
async function measureAll(contenders: readonly Contender[], round: number, context: Context): Promise<void> {
  const first = (round - 1) % contenders.length
  for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
    if (!contender.measure) continue
    try {
      const load = loadavg()[0]
      const measurement = await contender.measure(context)
      contender.rounds.push({ ...measurement, load })
      console.log(
        `Round ${round}: ${contender.title}: ${measurement.seconds.toFixed(2)} s, CPU ${measurement.cpuSeconds.toFixed(2)} s`,
      )
    } catch (error) {
      context.signal.throwIfAborted()
      contender.leftOut = error instanceof Error ? error.message : String(error)
      console.warn(`Round ${round}: ${contender.title} failed: ${contender.leftOut}`)
    }
  }
}

interface Described {
  date: string
  before: number
  options: Options
  objectBytes: number
  contenders: readonly Contender[]
}

function describe({ date, before, options, objectBytes, contenders }: Described): Findings {
  const { objects, rounds, idleSeconds, updateSeconds, updatesPerSecond } = options
  return {
    date,
    machine: {
      processor: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryBytes: totalmem(),
    },
    load: { before, after: loadavg()[0] ?? 0 },
    versions: {
      Kubernetes: KUBERNETES_VERSION,
      etcd: ETCD_VERSION,
      Node: process.versions.node,
      Go: versionOf('go', ['version']),
      Rust: versionOf('rustc', ['--version']),
      curl: versionOf('curl', ['--version']),
    },
    options: { objects, rounds, idleSeconds, updateSeconds, updatesPerSecond },
    objectBytes,
    rows: contenders.map(({ name, title, rounds, leftOut }): Row => ({ name, title, rounds, leftOut })),
  }
}

function versionOf(program: string, args: readonly string[]): string {
  const { stdout } = spawnSync(program, args, { encoding: 'utf8' })
  return /\d+\.\d+(?:\.\d+)?/.exec(stdout ?? '')?.[0] ?? 'not installed'
}

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'homeostat-benchmark-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
