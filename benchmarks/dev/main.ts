/**
 * Measures how soon `homeostat dev` runs what was saved: from the write of the file to the line that says that the new operator runs. The
 * project is what create-homeostat makes, without and with webhooks. `npm run bench dev -- --saves 20`.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { projectFiles } from 'create-homeostat'
import { followOutput } from '../../test/program-output.ts'
import { readCommandLine } from '../command-line.ts'
import { markdownTable } from '../markdown-table.ts'
import { runBenchmark } from '../run-benchmark.ts'

/** The most that a restart may take, in milliseconds. */
const AIM = 300

const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'packages/cli/bin/homeostat.mjs')

await runBenchmark({
  help: 'npm run bench dev -- [--saves 20]: the time from a saved file to the running operator, for each of so many saves',
  readOptions: (args) => {
    const line = readCommandLine(args, { saves: 20 })
    return line && { saves: line.number('saves') }
  },
  run: async ({ saves }, signal) => {
    const rows: string[][] = []
    for (const webhooks of [false, true]) {
      const before = load()
      const times = (await measure(saves, webhooks, signal)).toSorted((a, b) => a - b)
      const median = times[Math.floor((times.length - 1) / 2)] ?? NaN
      if (median > AIM) process.exitCode = 1
      const name = webhooks ? 'with webhooks' : 'without webhooks'
      const shown = [times[0] ?? NaN, median, times.at(-1) ?? NaN].map((time) => `${time.toFixed(0)} ms`)
      rows.push([name, ...shown, `${before} → ${load()}`])
    }
    const titles = [`${saves} saves`, 'shortest', 'median', 'longest', 'load']
    console.log(markdownTable(titles, rows).join('\n'), `\nThe aim is ${AIM} ms.`)
  },
})

async function measure(saves: number, webhooks: boolean, signal: AbortSignal): Promise<number[]> {
  // Inside the workspace, so that the packages are found; ignored by git.
  mkdirSync(join(root, '.homeostat'), { recursive: true })
  const folder = mkdtempSync(join(root, '.homeostat', 'bench-dev-'))
  await using cleanUp = new AsyncDisposableStack()
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }))
  const files = projectFiles({ name: 'pages', group: 'example.com', kind: 'Page', owns: true, webhooks })
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const stdio = ['pipe', 'pipe', 'pipe'] as ['pipe', 'pipe', 'pipe']
  const child = spawn(process.execPath, ['--conditions=source', program, 'dev'], {
    cwd: folder,
    stdio,
    signal,
  })
  const dev = followOutput(child, 'homeostat dev')
  cleanUp.defer(async () => {
    child.kill('SIGTERM')
    await dev.exited
  })
  await dev.printed(/keys {2}p pause/)
  const controller = files.get('controller.ts') ?? ''
  const times: number[] = []
  for (let count = 0; count < saves; count++) {
    // As a person who looks at what the last save did.
    await setTimeout(2000)
    const runs = dev.next(/runs \(saved controller\.ts\)/)
    const saved = performance.now()
    writeFileSync(join(folder, 'controller.ts'), `${controller}\n// ${count}\n`)
    await runs
    times.push(performance.now() - saved)
  }
  return times
}

function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1)
}
