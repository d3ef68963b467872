import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followOutput } from '../program-output.ts'

const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'packages/cli/bin/homeostat.mjs')

/** An operator that leaves in its ConfigMap what the spec no longer has, unless it is `right`. */
const operatorOf = (kept: string): string => `
import { existsSync } from 'node:fs'
import { controller, controllerReference, createOrUpdate, defineKind, operator, sample, schema as s } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'

const Note = defineKind({
  group: 'check.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string(), label: s.string().optional() }),
})
const notes = controller('notes')
  .for(Note)
  .owns(ConfigMap)
  .writes(ConfigMap, 'createOrUpdate')
  .reconcile(async (key, { client }) => {
    // Where a test interrupts the check, it cannot end before the test sees that something is kept.
    if (existsSync(process.env.SLOW_ONCE_THIS_EXISTS ?? '')) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    }
    const note = await client.get(Note, key)
    if (!note) return
    const { text, label } = note.spec
    await createOrUpdate(client, ConfigMap, key, (child) => {
      child.data = { ${kept}text, ...(label !== undefined && { label }) }
      child.metadata.ownerReferences = [controllerReference(note)]
    })
  })
export default operator('notes', {
  controllers: [notes],
  samples: [sample(Note, { metadata: { name: 'one', namespace: 'default' }, spec: { text: 'a', label: 'b' } })],
})
`
const wrong = operatorOf('...child.data, ')
const right = operatorOf('')

/** An operator that ignores when a request fails. */
const careless = `
import { controller, controllerReference, defineKind, operator, sample, schema as s } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'

const spec = s.object({ text: s.string(), ids: s.map(s.string()).optional() })
const Note = defineKind({ group: 'check.example.com', version: 'v1', kind: 'Note', spec })
const notes = controller('notes').for(Note).owns(ConfigMap).writes(ConfigMap, 'apply').reconcile(async (key, { client }) => {
  const note = await client.get(Note, key)
  if (!note) return
  const data = { text: note.spec.text, ids: Object.keys(note.spec.ids ?? {}).sort().join() }
  const metadata = { ...key, ownerReferences: [controllerReference(note)] }
  await client.apply(ConfigMap, { metadata, data }).catch(() => {})
})
const metadata = { name: 'one', namespace: 'default' }
const ids = { id: 'İ', ID: 'i', ıd: 'I', z: 'ä', ä: 'z' }
export default operator('notes', { controllers: [notes], samples: [sample(Note, { metadata, spec: { text: 'a', ids } })] })
`

/** Tests of a project whose packages are the sources of the workspace. */
const VITEST_CONFIG = `
const resolve = { conditions: ['source'] }
export default { resolve, ssr: { resolve: { ...resolve, externalConditions: ['source'] } }, test: { include: ['*.check.ts'] } }
`

/** Within the workspace, where its packages are found; ignored by git. */
const inside = join(root, '.homeostat')
let folder: string
let cache: string
beforeAll(() => {
  mkdirSync(inside, { recursive: true })
  folder = mkdtempSync(join(inside, 'check-'))
  cache = join(folder, 'cache')
  writeFileSync(join(folder, 'operator.ts'), wrong)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function start(args: readonly string[], more: NodeJS.ProcessEnv = {}, cwd = folder) {
  const { NODE_TEST_CONTEXT: _, VITEST: __, ...env } = process.env
  const child = spawn(process.execPath, ['--conditions=source', program, ...args], {
    cwd,
    env: { ...env, NO_COLOR: '1', CI: '1', XDG_CACHE_HOME: cache, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  return { child, out: () => out, ...followOutput(child, `homeostat ${args[0]}`) }
}

async function call(...args: string[]): Promise<{ code: number | null; out: string; output: string }> {
  const started = start(args)
  const code = await started.exited
  return { code, out: started.out(), output: await started.ends(code) }
}

interface Report {
  readonly findings: readonly {
    readonly class: string
    readonly run: number
    readonly summary: string
    readonly line?: string
  }[]
}

describe('homeostat check', () => {
  it('RU1, RU2, RU19: gives the same report with any number of jobs, and each finding again by the number of its run', async () => {
    const reports = []
    for (const jobs of [1, 2, 4]) reports.push((await call('check', '--json', `--jobs=${jobs}`)).out)
    expect(new Set(reports).size).toBe(1)
    const { findings } = JSON.parse(reports[0]!) as Report
    expect(findings.map((finding) => finding.class)).toContain('history')
    for (const { run, class: found, summary } of findings) {
      const again = await call('check', '--json', `--replay=${run}`)
      expect(again.code).toBe(1)
      expect(JSON.parse(again.out)).toMatchObject({ findings: [{ class: found, summary }] })
    }
  })

  it('RE1: gives the same report on a machine with another folder, time zone and language', async () => {
    const machines: [folder: string, env: NodeJS.ProcessEnv][] = [
      ['project', { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' }],
      ['другая папка/my project', { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }],
    ]
    const reports: string[] = []
    for (const [jobs, [name, env]] of machines.entries()) {
      const project = join(folder, name)
      mkdirSync(project, { recursive: true })
      writeFileSync(join(project, 'operator.ts'), careless)
      const started = start(['check', '--json', '--seed=7', `--jobs=${jobs + 1}`], env, project)
      const code = await started.exited
      expect(code, await started.ends(code)).toBe(1)
      reports.push(started.out())
    }
    const { findings } = JSON.parse(reports[0]!) as Report
    const [failed] = findings.filter((finding) => finding.class === 'failed-request')
    expect(failed?.line).toMatch(/^operator\.ts:\d+:\d+$/)
    expect(reports[1]).toBe(reports[0])
  })

  it('ST20: shows what differs between the story and how it should end', async () => {
    const { out } = await call('check', '--only=history')
    expect(out).toContain('1. the user creates the Note default/one as {"spec":{"text":"a","label":"b"}}\n')
    expect(out).toContain('- the user creates the Note default/one as {"spec":{"text":"a"}}\n')
  })

  it('RU19: says which runs there are, where the given one is not', async () => {
    const { code, output } = await call('check', '--replay=99999')
    expect([code, output]).toEqual([1, expect.stringMatching(/there is no run 99999: .* runs 1 to \d+\n$/)])
  })

  it('tells the same as SARIF and as JUnit', async () => {
    const sarif = JSON.parse((await call('check', '--only=history', '--format=sarif')).out)
    expect(sarif).toMatchObject({
      version: '2.1.0',
      runs: [{ tool: { driver: { rules: [{ id: 'history' }] } }, results: [{ ruleId: 'history' }] }],
    })
    const junit = (await call('check', '--only=history', '--format=junit')).out
    expect(junit).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites tests="\d+" failures="1">/)
    expect(junit).toMatch(/<failure message="data.label of the ConfigMap default\/one is there[^"]*"/)
  })

  it('RE14: writes a test that fails until the operator is right', async () => {
    writeFileSync(join(folder, 'vitest.config.ts'), VITEST_CONFIG)
    const { output } = await call('check', '--only=history', '--write-test=found.check.ts')
    expect(output).toContain(`wrote ${join(folder, 'found.check.ts')}`)
    const failed = await call('test')
    expect(failed.output).toMatch(/1 failed/)
    expect(failed.output).toContain('data.label of the ConfigMap default/one is there')
    writeFileSync(join(folder, 'operator.ts'), right)
    try {
      const passed = await call('test')
      expect([passed.code, passed.output]).toEqual([0, expect.stringMatching(/1 passed/)])
    } finally {
      writeFileSync(join(folder, 'operator.ts'), wrong)
    }
  })

  it('writes the story of each finding as a recording, and says how to open it', async () => {
    const { code, output } = await call('check', '--only=history', '--recordings=found')
    const file = join(folder, 'found/1-history.json')
    expect(code).toBe(1)
    expect(output).toContain(`wrote ${file}\nto step through a story, choose Open recording`)
    const { format, story, entries } = JSON.parse(readFileSync(file, 'utf8'))
    expect(format).toBe('homeostat-recording/1')
    expect(story.summary).toContain('data.label of the ConfigMap default/one is there')
    const texts: string[] = story.steps.map(({ text }: { text: string }) => text)
    expect(texts[0]).toBe('the user creates the Note default/one as {"spec":{"text":"a","label":"b"}}')
    expect(entries.at(-1).sequence).toBeGreaterThanOrEqual(story.steps.at(-1).until)
  })

  it('RU17, RU18: is ended by Ctrl-C with what it has found, and goes on with --resume', async () => {
    const whole = await call('check', '--json')
    const memory = join(cache, 'homeostat/check')
    const kept = (): string[] => (existsSync(memory) ? readdirSync(memory) : [])
    rmSync(memory, { recursive: true, force: true })
    const interrupted = start(['check', '--jobs=1'], { SLOW_ONCE_THIS_EXISTS: memory })
    await expect
      .poll(() => kept().some((name) => name.endsWith('.json')), { timeout: 90_000, interval: 20 })
      .toBe(true)
    interrupted.child.kill('SIGINT')
    // 1 with a finding, 130 without.
    const code = await interrupted.exited
    expect([1, 130]).toContain(code)
    expect(await interrupted.ends(code)).toContain('the check was ended early: not everything was tried')
    const resumed = await call('check', '--json', '--resume')
    expect(resumed.out).toBe(whole.out)
    expect(kept()).toEqual([])
  })

  it('ends after --seconds with what it has found, and goes on with --resume', async () => {
    const whole = await call('check', '--json')
    // Each reconcile takes so long that the whole check would take many minutes.
    const ended = start(['check', '--jobs=2', '--seconds=1'], { SLOW_ONCE_THIS_EXISTS: folder })
    const code = await ended.exited
    expect([0, 1]).toContain(code)
    expect(await ended.ends(code)).toContain('the check was ended early: not everything was tried')
    expect((await call('check', '--json', '--resume')).out).toBe(whole.out)
  })

  it('RU18: goes on with --resume after it was killed', async () => {
    const whole = await call('check', '--json')
    const memory = join(cache, 'homeostat/check')
    rmSync(memory, { recursive: true, force: true })
    /** How many parts of the check the killed process would have to do again if they were lost. */
    const keptParts = (): number => {
      const [file] = existsSync(memory) ? readdirSync(memory).filter((name) => name.endsWith('.json')) : []
      return file ? JSON.parse(readFileSync(join(memory, file), 'utf8')).chunks.length : 0
    }
    const killed = start(['check', '--jobs=2'], { SLOW_ONCE_THIS_EXISTS: memory })
    await expect.poll(keptParts, { timeout: 90_000, interval: 20 }).toBeGreaterThanOrEqual(2)
    killed.child.kill('SIGKILL')
    await killed.ends(null)
    const resumed = start(['check', '--json', '--resume'])
    await resumed.printed(/^continuing after [1-9]\d* of \d+ trials/m)
    await resumed.ends(1)
    expect(resumed.out()).toBe(whole.out)
    expect(readdirSync(memory)).toEqual([])
  })

  it('says what it does before it loads the operator, and then how far it is', async () => {
    const go = join(folder, 'go')
    const wait = `
import { existsSync } from 'node:fs'
while (!existsSync(${JSON.stringify(go)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
`
    writeFileSync(join(folder, 'late.ts'), `${wait}export { default } from './operator.ts'\n`)
    const started = start(['check', '--operator=late.ts', '--only=history'])
    await started.printed(/^checking late\.ts$/m)
    writeFileSync(go, '')
    await started.printed(/^0 of \d+ trials, /m)
    expect(await started.ends(1)).toMatch(
      /^loading the checker\nchecking late\.ts\n0 of (\d+) trials, [^]*\n\1 of \1 trials, [^]*\(history\)\n/,
    )
  })

  it('still checks where nothing can be kept', async () => {
    rmSync(cache, { recursive: true, force: true })
    writeFileSync(cache, 'a file, where the cache should be')
    const { code, output } = await call('check', '--only=history')
    expect(code).toBe(1)
    expect(output).toContain('--resume will not be able to continue this check')
    expect(readFileSync(cache, 'utf8')).toBe('a file, where the cache should be')
  })
})
