import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A benchmark as a program: what its options are, and what it does with them until the signal aborts. */
export interface Benchmark<O> {
  readonly help: string
  /** Reads the command line; `undefined` where it asks for help. Throws an `Error` that names what is wrong. */
  readonly readOptions: (args: readonly string[]) => O | undefined
  readonly run: (options: O, signal: AbortSignal) => Promise<void>
}

/** Runs a benchmark to its end, or until the process is told to stop; a failure is told in one line, and by the exit code. */
export async function runBenchmark<O>({ help, readOptions, run }: Benchmark<O>): Promise<void> {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => stop.abort(new Error(`stopped by ${name}`)))
  }
  // A promise that is awaited in the end, such as the exit of a process, does not keep this process alive by itself.
  const alive = setInterval(() => {}, 60_000)
  try {
    const options = readOptions(process.argv.slice(2))
    if (options && process.platform !== 'linux') {
      throw new Error('The benchmark reads /proc, so it runs on Linux only.')
    }
    if (options) await run(options, stop.signal)
    else console.log(help)
  } catch (error) {
    const reason = stop.signal.aborted ? stop.signal.reason : error
    console.error(reason instanceof Error ? reason.message : reason)
    process.exitCode = 1
  } finally {
    clearInterval(alive)
  }
}

/** Prints the page of a benchmark, and writes it and its findings to `<name>-<minute>.md` and `.json` in the folder. */
export async function publish(
  name: string,
  page: string,
  findings: { readonly date: string },
  folder: string,
  suffix = '',
): Promise<void> {
  console.log(`\n${page}`)
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${name}-${findings.date.slice(0, 16).replace(':', '')}${suffix}`)
  await writeFile(`${file}.md`, page)
  await writeFile(`${file}.json`, `${JSON.stringify(findings, null, 2)}\n`)
  console.log(`Written to ${file}.md and .json`)
}
