import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, renameSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SystemClock } from '@homeostat/api'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRunning, processFact } from '../../../test/process-facts.ts'
import { runProcess } from '../process/process-run.ts'
import type { Run } from '../process/run.ts'
import { PodNamespaces, type PodNamespace } from './pod-namespaces.ts'
import { ProcessGuard } from './process-guard.ts'

const namespaces = new PodNamespaces()
const problem = await namespaces.namesProblem()
const unseparated = await namespaces.separationProblem()
const where = problem === undefined ? '' : ` (not here: ${problem})`

const module = fileURLToPath(new URL('./pod-namespaces.ts', import.meta.url))
const unprivileged = { uid: 65_534, gid: 65_534, cwd: '/', env: { PATH: process.env['PATH'] } }
/** Only root can run a program as another user. */
const readableUnprivileged =
  process.getuid?.() === 0 && spawnSync('head', ['-c1', module], unprivileged).status === 0

let folder: string
let hosts: string
let namespace: PodNamespace | undefined
let guard: ProcessGuard
let output: string
let written: (() => void) | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeostat-hosts-'))
  hosts = join(folder, 'hosts')
  guard = new ProcessGuard(folder)
  output = ''
  await writeFile(hosts, '127.0.0.1 localhost\n127.9.128.1 web\n')
  if (problem === undefined) namespace = await namespaces.make({ hosts })
})
afterAll(() => namespaces.close())
afterEach(async () => {
  namespace?.close()
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
  const around = { clock: new SystemClock(), guard, namespace }
  return runProcess({ argv, env, folder, stdin: input, stdout: writer, stderr: writer, ...around })
}

async function* bytes(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

async function outputMatching(pattern: RegExp): Promise<string> {
  while (!pattern.test(output)) await new Promise<void>((resolve) => (written = resolve))
  return pattern.exec(output)?.[1] ?? ''
}

/** The numbers that the machine knows them by: processes of the test's guard with the name. */
function processesNamed(name: string): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    const [environment, command] = [processFact(pid, 'environ'), processFact(pid, 'comm')]
    return environment.includes(folder) && command.trim() === name ? [Number(pid)] : []
  })
}

/** The number of namespaces that this process holds open. */
function heldNamespaces(): number {
  const links = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`)
    } catch {
      return ''
    }
  })
  return links.filter((link) => /^(?:mnt|user|pid):/.test(link)).length
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

  it('is ended by signals as any other, with all that it has started', async () => {
    const started = run(['sh', '-c', 'setsid sleep 60 & echo ready.; exec sleep 60'])
    await expect.poll(() => processesNamed('sleep')).toHaveLength(2)
    const sleeping = processesNamed('sleep')
    started.terminate()
    expect(await started.exited).toMatchObject({ exitCode: 143, signal: 15 })
    expect(sleeping.map(isRunning)).toEqual([false, false])
    output = ''
    const graceful = run([
      'sh',
      '-c',
      'trap "echo bye; exit 3" TERM; echo ready.; while :; do sleep 0.02; done',
    ])
    await outputMatching(/ready\./)
    graceful.terminate()
    expect(await graceful.exited).toMatchObject({ exitCode: 3 })
    // The signal may also have ended the sleep that the shell waits for, which the shell then says.
    expect(output).toMatch(/bye\n(Terminated\n)?$/)
  })

  it('runs as the same user, without further capabilities', async () => {
    await run(['sh', '-c', 'id -u; id -g; grep -E "^Cap(Inh|Prm|Eff|Amb)" /proc/self/status']).exited
    const own = readFileSync('/proc/self/status', 'utf8')
    expect(output).toContain(`${process.getuid?.()}\n${process.getgid?.()}\n`)
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb']) {
      const [has, had] = [output, own].map((text) =>
        BigInt(`0x${new RegExp(`${set}:\t(\\w+)`).exec(text)?.[1]}`),
      )
      expect((has ?? 0n) & ~(had ?? 0n)).toBe(0n)
    }
  })

  it('loads what its variables name, which the programs that start it do not', async () => {
    expect(await run(['true'], { LD_PRELOAD: '/no-such-library.so', A: 'b' }).exited).toMatchObject({
      exitCode: 0,
    })
    // The loader complains once for each program.
    expect(output.match(/no-such-library/g) ?? []).toHaveLength(/musl/.test(output) ? 0 : 1)
  })

  it('reports a program that cannot start as any other does', async () => {
    expect(await run(['no-such-program']).exited).toMatchObject({ reason: 'StartError' })
  })

  it.skipIf(unseparated !== undefined)(
    `sees its own folders and nothing else of the cluster's, whatever it tries (${unseparated ?? 'here'})`,
    async () => {
      const data = await realpath(folder)
      const secret = join(await realpath(tmpdir()), `homeostat-secret-${process.pid}`)
      for (const path of ['nodes/a/own', 'nodes/a/other', 'volumes/own', 'volumes/other', 'api']) {
        await mkdir(join(data, path), { recursive: true })
        await writeFile(join(data, path, 'token'), path)
      }
      await writeFile(secret, 'secret')
      await using hiding = new PodNamespaces({ folder: data, secrets: [secret, join(data, 'kubeconfig')] })
      await writeFile(join(data, 'kubeconfig'), 'secret')
      const folders = [join(data, 'nodes/a/own'), join(data, 'volumes/own')]
      namespace?.close()
      namespace = await hiding.make({ hosts, folders })
      const seen = `find ${data} -type f -exec cat {} +; cat ${secret}`
      const ways = [
        '',
        `umount ${data};`,
        `cd /proc/1/root; cd /proc/1/cwd; cd /proc/${process.pid}/root;`,
        `nsenter -t 1 -m -- sh -c '${seen}';`,
        `unshare -rm sh -c 'umount ${data}; ${seen}';`,
        `mount --bind / /mnt;`,
        `mknod /tmp/homeostat-device b 1 1 && exit 1;`,
      ]
      for (const way of ways) {
        output = ''
        await run(['sh', '-c', `exec 2>/dev/null; ${way} ${seen}`]).exited
        expect(new Set(output.match(/nodes\/a\/own|volumes\/own|.+/g)), way).toEqual(
          new Set(['nodes/a/own', 'volumes/own']),
        )
      }
      await writeFile(join(data, 'nodes/a/own/late'), 'later')
      output = ''
      await run(['cat', join(data, 'nodes/a/own/late')]).exited
      expect(output).toBe('later')
      await rm(secret)
    },
  )

  it.skipIf(unseparated !== undefined)('sees and signals no process but its own', async () => {
    const outside = run(['sleep', '60'])
    const neighbour = (await namespaces.make({ hosts })) as PodNamespace
    const script = `kill -KILL ${process.pid}; echo /proc/[0-9]*; cat /proc/*/environ | tr '\\0' '\\n' | grep -c HOME=`
    const { program, args } = neighbour.enter('/bin/sh', ['-c', script], folder)
    const { stdout } = spawnSync(program, args, { encoding: 'utf8', env: {} })
    expect(stdout).toMatch(/^\/proc\/1( \/proc\/\d+){2,3}\n0\n$/)
    neighbour.close()
    outside.kill()
    expect(await outside.exited).toMatchObject({ signal: 9 })
  })

  it.skipIf(unseparated !== undefined)('ends when its namespaces are closed', async () => {
    const started = run(['sh', '-c', 'setsid sleep 60 & exec sleep 60'])
    await expect.poll(() => processesNamed('sleep')).toHaveLength(2)
    namespace?.close()
    expect(await started.exited).toMatchObject({ signal: 9 })
    await expect.poll(() => processesNamed('sleep').filter(isRunning)).toEqual([])
  })

  it('leaves nothing on the machine', async () => {
    const before = [readFileSync('/proc/self/mountinfo', 'utf8'), heldNamespaces()]
    const another = await namespaces.make({ hosts })
    expect(another?.valid).toBe(true)
    expect(heldNamespaces()).toBeGreaterThan(Number(before[1]))
    another?.close()
    another?.close()
    expect([readFileSync('/proc/self/mountinfo', 'utf8'), heldNamespaces()]).toEqual(before)
    expect(readFileSync('/etc/hosts', 'utf8')).not.toContain('127.9.128.1')
  })

  it('sees the hosts file of the machine again once that file is replaced, which is detected', async () => {
    const place = join(folder, 'place')
    await writeFile(place, 'old')
    await using other = new PodNamespaces({ place })
    const there = (await other.make({ hosts })) as PodNamespace
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

  it('whose file cannot be mounted is refused with a message', async () => {
    await expect(namespaces.make({ hosts: join(folder, 'nothing') })).rejects.toMatchObject({
      code: 'NAMESPACE_NOT_MADE',
      message: expect.stringMatching(/nothing/) as string,
    })
    await expect(namespaces.make({ hosts: `${hosts}\n` })).rejects.toMatchObject({
      code: 'NAMESPACE_NOT_MADE',
    })
  })

  it('is one of many that are made at once, whatever becomes of others, and after all was closed', async () => {
    await using other = new PodNamespaces()
    const files = Array.from({ length: 5 }, (_, index) => join(folder, `hosts ${index}`))
    for (const file of files) await writeFile(file, `127.0.0.1 ${file}\n`)
    const seen = async (): Promise<string[]> => {
      const made = await Promise.allSettled(
        [join(folder, 'nothing'), ...files].map((file) => other.make({ hosts: file })),
      )
      return made.map((result) => {
        if (result.status === 'rejected') return 'none'
        const made = result.value as PodNamespace
        const { program, args } = made.enter('/bin/cat', ['/etc/hosts'], folder)
        const text = execFileSync(program, args, { encoding: 'utf8' })
        made.close()
        return text
      })
    }
    const expected = ['none', ...files.map((file) => `127.0.0.1 ${file}\n`)]
    expect(await seen()).toEqual(expected)
    await other.close()
    expect(await seen()).toEqual(expected)
  })

  it.skipIf(!readableUnprivileged)(
    'works without root, for a user who has no capability at all',
    async () => {
      await chmod(folder, 0o755)
      const program = `
      import { PodNamespaces } from ${JSON.stringify(module)}
      import { spawnSync } from 'node:child_process'
      import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
      import { tmpdir } from 'node:os'
      const data = realpathSync(mkdtempSync(tmpdir() + '/homeostat-data-'))
      mkdirSync(data + '/own')
      writeFileSync(data + '/secret', 'secret')
      const namespaces = new PodNamespaces({ folder: data })
      console.log(await namespaces.namesProblem(), await namespaces.separationProblem())
      const mount = await namespaces.make({ hosts: ${JSON.stringify(hosts)}, folders: [data + '/own'] })
      const script = 'id -u; id -g; getent hosts web; grep -E "^Cap(Inh|Prm|Eff|Amb)" /proc/self/status'
      const { program, args } = mount.enter('/bin/sh', ['-c', script], ${JSON.stringify(folder)})
      console.log(spawnSync(program, args, { encoding: 'utf8' }).stdout.trim())
      const look = 'ls ' + data + '; umount ' + data + '; unshare -rm umount ' + data + '; nsenter -t 1 -m ls ' + data + '; ls ' + data + '; echo /proc/[0-9]*'
      const looking = mount.enter('/bin/sh', ['-c', look], data + '/own')
      console.log(spawnSync(looking.program, looking.args, { encoding: 'utf8' }).stdout)
      await namespaces.close()
      rmSync(data, { recursive: true })
    `
      const args = ['--conditions=source', '--input-type=module-typescript', '-e', program]
      const { stdout, stderr } = spawnSync(process.execPath, args, { ...unprivileged, encoding: 'utf8' })
      expect(stderr).toBe('')
      expect(
        stdout
          .replaceAll(/[ \t]+/g, ' ')
          .trim()
          .split('\n'),
      ).toEqual([
        'undefined undefined',
        '65534',
        '65534',
        '127.9.128.1 web',
        ...['Inh', 'Prm', 'Eff', 'Amb'].map((set) => `Cap${set}: ${'0'.repeat(16)}`),
        'own',
        'own',
        expect.stringMatching(/^\/proc\/1( \/proc\/\d+){2,3}$/),
      ])
    },
  )
})
