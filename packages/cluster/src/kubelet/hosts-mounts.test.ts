import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, renameSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SystemClock } from '@homeostat/api'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRunning } from '../../test/process-facts.ts'
import { HostsMounts, type HostsMount } from './hosts-mounts.ts'
import { ProcessGuard } from './process-guard.ts'
import { runProcess } from './process-run.ts'
import type { Run } from './run.ts'

const mounts = new HostsMounts()
const problem = await mounts.problem()
const where = problem === undefined ? '' : ` (not here: ${problem})`

const module = fileURLToPath(new URL('./hosts-mounts.ts', import.meta.url))
const nobody = { uid: 65_534, gid: 65_534, cwd: '/', env: { PATH: process.env['PATH'] } }
/** Root alone can be somebody else. */
const readableByNobody = process.getuid?.() === 0 && spawnSync('head', ['-c1', module], nobody).status === 0

let folder: string
let hosts: string
let names: HostsMount
let guard: ProcessGuard
let output: string
let written: (() => void) | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeostat-hosts-'))
  hosts = join(folder, 'hosts')
  guard = new ProcessGuard(folder)
  output = ''
  await writeFile(hosts, '127.0.0.1 localhost\n127.9.128.1 web\n')
  if (problem === undefined) names = await mounts.mount(hosts)
})
afterAll(() => mounts.close())
afterEach(async () => {
  if (problem === undefined) names.close()
  await guard.close()
  await rm(folder, { recursive: true })
})

function run(argv: [string, ...string[]], env: Record<string, string> = {}, stdin?: Iterable<string>): Run {
  const writer = {
    write(text: string | Uint8Array) {
      output += text.toString()
      written?.()
    },
  }
  const input = stdin && bytes(stdin)
  const around = { clock: new SystemClock(), guard, names }
  return runProcess({ argv, env, folder, stdin: input, stdout: writer, stderr: writer, ...around })
}

async function* bytes(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

async function outputMatching(pattern: RegExp): Promise<string> {
  while (!pattern.test(output)) await new Promise<void>((resolve) => (written = resolve))
  return pattern.exec(output)?.[1] ?? ''
}

/** Of this very process. */
function heldNamespaces(): number {
  const links = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`)
    } catch {
      return ''
    }
  })
  return links.filter((link) => /^(?:mnt|user):/.test(link)).length
}

describe.skipIf(problem !== undefined)(`a process with a hosts file of its own${where}`, () => {
  it('resolves the names in it, and those that are written over it later', async () => {
    expect(await run(['getent', 'hosts', 'web']).exited).toMatchObject({ exitCode: 0 })
    expect(output).toMatch(/^127\.9\.128\.1 +web\n$/)
    const waiting = run(['sh', '-c', 'echo ready; until getent hosts late; do sleep 0.02; done'])
    await outputMatching(/ready/)
    await writeFile(hosts, '127.9.128.2 late\n', { flag: 'a' })
    expect(await waiting.exited).toMatchObject({ exitCode: 0 })
    expect(output).toMatch(/127\.9\.128\.2 +late\n$/)
  })

  it('has its folder, its variables, its arguments, its input and its exit code as any other', async () => {
    const odd = { 'a.b': 'c', HOME: '/nowhere' }
    expect(await run(['env'], odd).exited).toMatchObject({ exitCode: 0 })
    const { name, value } = guard.mark
    expect(output.trim().split('\n').sort()).toEqual(['HOME=/nowhere', `${name}=${value}`, 'a.b=c'])
    output = ''
    const script = 'pwd -P; cat; printf "%s|" "$@"; exit 7'
    const args = ['--', '-x', '$(id)', "a'b", '']
    expect(await run(['sh', '-c', script, 'sh', ...args], {}, ['in\n']).exited).toMatchObject({ exitCode: 7 })
    expect(output).toBe(`${folder}\nin\n${args.map((word) => `${word}|`).join('')}`)
  })

  it('is the leader of its group, which ends with it, and has its mark', async () => {
    const started = run(['sh', '-c', 'setsid sleep 60 & echo "$$ $! $(ps -o pgid= -p $$)."; exec sleep 60'])
    const [leader, stray, group] = (await outputMatching(/^(.*)\.$/m)).split(/ +/).map(Number)
    expect(group).toBe(leader)
    expect(readFileSync(`/proc/${leader}/comm`, 'utf8')).toMatch(/^(?:sh|sleep)\n$/)
    started.terminate()
    expect(await started.exited).toMatchObject({ exitCode: 143, signal: 15 })
    expect([isRunning(leader ?? 0), isRunning(stray ?? 0)]).toEqual([false, false])
  })

  it('is the user that it is, with no capability more', async () => {
    await run(['sh', '-c', 'id -u; id -g; grep -E "^Cap(Inh|Prm|Eff|Amb)" /proc/self/status']).exited
    const own = execFileSync('grep', ['-E', '^Cap(Inh|Prm|Eff|Amb)', '/proc/self/status'], {
      encoding: 'utf8',
    })
    expect(output).toBe(`${process.getuid?.()}\n${process.getgid?.()}\n${own}`)
  })

  it('says what it cannot start as any other does', async () => {
    expect(await run(['no-such-program']).exited).toMatchObject({ reason: 'StartError' })
  })

  it('leaves nothing on the machine', async () => {
    const before = [readFileSync('/proc/self/mountinfo', 'utf8'), heldNamespaces()]
    const another = await mounts.mount(hosts)
    expect(another.valid).toBe(true)
    expect(heldNamespaces()).toBeGreaterThan(Number(before[1]))
    another.close()
    another.close()
    expect([readFileSync('/proc/self/mountinfo', 'utf8'), heldNamespaces()]).toEqual(before)
    expect(readFileSync('/etc/hosts', 'utf8')).not.toContain('127.9.128.1')
  })

  it('sees that of the machine again once somebody has put another in its place, which is noticed', async () => {
    const place = join(folder, 'place')
    await writeFile(place, 'old')
    const there = await new HostsMounts(place).mount(hosts)
    const cat = there.enter('/bin/cat', [place], folder)
    expect([there.valid, execFileSync(cat.program, cat.args).toString()]).toEqual([
      true,
      readFileSync(hosts, 'utf8'),
    ])
    await writeFile(`${place}.new`, 'new')
    renameSync(`${place}.new`, place)
    expect([there.valid, execFileSync(cat.program, cat.args).toString()]).toEqual([false, 'new'])
    there.close()
  })

  it('whose file cannot be mounted is refused in words', async () => {
    await expect(mounts.mount(join(folder, 'nothing'))).rejects.toMatchObject({
      code: 'HOSTS_NOT_MOUNTED',
      message: expect.stringMatching(/^a mount namespace could not be made \(.*nothing/) as string,
    })
    await expect(mounts.mount(`${hosts}\n`)).rejects.toMatchObject({ code: 'HOSTS_NOT_MOUNTED' })
  })

  it('is one of many that are made at once, whatever becomes of others, and after all was closed', async () => {
    await using other = new HostsMounts()
    const files = Array.from({ length: 5 }, (_, index) => join(folder, `hosts ${index}`))
    for (const file of files) await writeFile(file, `127.0.0.1 ${file}\n`)
    const seen = async (): Promise<string[]> => {
      const made = await Promise.allSettled(
        [join(folder, 'nothing'), ...files].map((file) => other.mount(file)),
      )
      return made.map((result) => {
        if (result.status === 'rejected') return 'none'
        const { program, args } = result.value.enter('/bin/cat', ['/etc/hosts'], folder)
        const text = execFileSync(program, args, { encoding: 'utf8' })
        result.value.close()
        return text
      })
    }
    const expected = ['none', ...files.map((file) => `127.0.0.1 ${file}\n`)]
    expect(await seen()).toEqual(expected)
    await other.close()
    expect(await seen()).toEqual(expected)
  })

  it.skipIf(!readableByNobody)('works without root, for a user who has no capability at all', async () => {
    await chmod(folder, 0o755)
    const program = `
      import { HostsMounts } from ${JSON.stringify(module)}
      import { spawnSync } from 'node:child_process'
      const mounts = new HostsMounts()
      console.log(await mounts.problem())
      const mount = await mounts.mount(${JSON.stringify(hosts)})
      const script = 'id -u; id -g; getent hosts web; grep -E "^Cap(Inh|Prm|Eff|Amb)" /proc/self/status'
      const { program, args } = mount.enter('/bin/sh', ['-c', script], ${JSON.stringify(folder)})
      console.log(spawnSync(program, args, { encoding: 'utf8' }).stdout)
    `
    const args = ['--conditions=source', '--input-type=module-typescript', '-e', program]
    const { stdout, stderr } = spawnSync(process.execPath, args, { ...nobody, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(
      stdout
        .replaceAll(/[ \t]+/g, ' ')
        .trim()
        .split('\n'),
    ).toEqual([
      'undefined',
      '65534',
      '65534',
      '127.9.128.1 web',
      ...['Inh', 'Prm', 'Eff', 'Amb'].map((set) => `Cap${set}: ${'0'.repeat(16)}`),
    ])
  })
})
