import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why a peer cannot take part, in words for the table. The others run without it. */
export class PeerUnavailable extends Error {}

/** A program to start. The benchmark adds `--objects` and the environment. */
export interface Command {
  readonly file: string
  readonly args: readonly string[]
}

/** One program to call in order to build a peer. */
interface Step {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
}

interface Build {
  readonly peer: string
  /** The program that must be installed, and where to get it. */
  readonly toolchain: { readonly program: string; readonly from: string }
  /** Files and folders that the result is made of: it is built again when they change. */
  readonly sources: readonly string[]
  /** The file that the build makes. */
  readonly result: string
  readonly steps: readonly Step[]
}

/** A folder for what is built, outside the repository and shared by all its clones. */
export function cacheFolder(peer: string): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(cache, 'homeostat', 'benchmarks', peer)
}

/**
 * A new folder for what is built from the code of this clone. Each process has its own, so that several clones and benchmarks can
 * run at the same time. It is removed when the process ends.
 */
export function ownFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `homeostat-bench-${name}-`))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Builds a peer unless that was done before. Throws `PeerUnavailable` where it cannot be built. */
export async function build(build: Build, signal: AbortSignal): Promise<void> {
  const { peer, toolchain, result, steps } = build
  const stamp = join(cacheFolder(peer), '.homeostat-built')
  const wanted = fingerprint(build.sources)
  if (existsSync(result) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  if (spawnSync(toolchain.program, ['--help'], { stdio: 'ignore' }).error) {
    throw new PeerUnavailable(`${toolchain.program} was not found on the PATH (${toolchain.from})`)
  }
  await mkdir(cacheFolder(peer), { recursive: true })
  console.log(`Building ${peer} (once; it may take some minutes) …`)
  const start = performance.now()
  await runSteps(peer, steps, signal)
  if (!existsSync(result)) throw new PeerUnavailable(`its build left no ${result}`)
  await writeFile(stamp, wanted)
  console.log(`Built ${peer} in ${Math.round((performance.now() - start) / 1_000)} s.`)
}

/** Calls the programs that build something, one after the other. */
export async function runSteps(name: string, steps: readonly Step[], signal: AbortSignal): Promise<void> {
  for (const step of steps) await run(name, step, signal)
}

async function run(peer: string, { file, args, cwd }: Step, signal: AbortSignal): Promise<void> {
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], signal })
  const start = performance.now()
  const ticking = setInterval(() => {
    console.log(`Still building ${peer} after ${Math.round((performance.now() - start) / 1_000)} s …`)
  }, 15_000)
  try {
    const [code] = await once(child, 'exit', { signal })
    if (code !== 0) throw new PeerUnavailable(`"${file} ${args.join(' ')}" failed; its output says why`)
  } finally {
    clearInterval(ticking)
  }
}

function fingerprint(sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const source of sources) {
    const files = statSync(source).isDirectory()
      ? readdirSync(source, { recursive: true, encoding: 'utf8' })
          .toSorted()
          .map((name) => join(source, name))
          .filter((path) => statSync(path).isFile())
      : [source]
    for (const file of files) hash.update(file).update(readFileSync(file))
  }
  return hash.digest('hex')
}
