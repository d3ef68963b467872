import { spawn } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const program = resolve(import.meta.dirname, '../../bin/create-homeostat.mjs')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'create-homeostat-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs it as a process that reads its answers from a pipe. */
async function create(args: readonly string[], input = '') {
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, stdio: 'pipe' })
  child.stdin.end(input)
  const ended = new Promise<number>((done) => child.on('close', (code) => done(code ?? -1)))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, out, err }
}

const read = (path: string): string => readFileSync(join(folder, path), 'utf8')

describe('create-homeostat', () => {
  it('prints its help and its version', async () => {
    expect(await create(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('Examples:') })
    expect((await create(['--version'])).out).toMatch(/^create-homeostat \d+\.\d+\.\d+\n$/)
  })

  it('asks the questions that no option answers, and asks again after a wrong answer', async () => {
    const answers = ['Wrong Name', 'shop', '', 'lower', 'Shop', 'maybe', 'no', 'yes', ''].join('\n')
    const { code, out } = await create(['my-shop'], answers)
    expect(code, out).toBe(0)
    expect(out).toContain('Name of the operator (my-shop): ')
    expect(out).toContain('"Wrong Name" is not a valid name of an operator')
    expect(out).toContain('"lower" is not a valid kind')
    expect(out).toContain('answer yes or no')
    expect(read('my-shop/operator.ts')).toContain("operator('shop', {")
    expect(read('my-shop/kind.ts')).toContain("kind: 'Shop'")
    expect(read('my-shop/controller.ts')).not.toContain('Deployment')
    expect(readdirSync(join(folder, 'my-shop'))).toContain('admission.ts')
  })

  it('does not ask a question that an option answers', async () => {
    const { code, out } = await create(['page', '--group=a.example.com', '--no-owns'], '\n\n\n')
    expect(code, out).toBe(0)
    expect(out.match(/\): /g)).toHaveLength(3)
    expect(out).not.toContain('API group')
  })

  it('names the kind with its group in the README, since Kubernetes may have a kind of the same name', async () => {
    expect((await create(['cron', '--yes', '--group=jobs.example.com', '--kind=CronJob'])).code).toBe(0)
    expect(read('cron/README.md')).toContain('kubectl get cronjob.jobs.example.com -A')
  })

  it('writes into an empty folder, in which a repository was made', async () => {
    mkdirSync(join(folder, '.git'))
    const { code, out } = await create(['.', '--yes', '--name=here'])
    expect(code, out).toBe(0)
    expect(out).not.toContain('cd ')
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['.git', '.gitignore', 'operator.ts']))
    expect(
      readdirSync(folder).filter((name) => name.startsWith('.create') || name.startsWith('.here')),
    ).toEqual([])
  })

  it.each([
    [['a', 'b'], 'give one folder only'],
    [['a', '--name=A_b'], '--name: "A_b" is not a valid name of an operator'],
    [['a', '--name=vitest'], 'vitest is a package that the project depends on'],
    [['a', '--group=local'], '--group: "local" is not a valid API group'],
    [['a', '--group=apps.k8s.io'], 'belongs to the Kubernetes project'],
    [['a', '--kind=my-kind'], '--kind: "my-kind" is not a valid kind'],
    [['a', '--kind=ConfigMap'], 'already use the name ConfigMap'],
    [['a', '--kind=WebHooks'], 'already use the name WebHooks'],
    [['a', '--kind=Promise'], 'already use the name Promise'],
    [['a', '--knd=X'], "Unknown option '--knd'"],
    ...(process.platform === 'win32'
      ? []
      : ([
          [['C:\\work\\shop'], 'C:\\work\\shop is a path of Windows'],
          [['.\\shop', '--yes'], 'write ./shop'],
        ] as [string[], string][])),
  ])('refuses %j with 2, asks nothing and writes nothing', async (args, message) => {
    const { code, out, err } = await create(args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
    expect(err).toContain('--help')
    expect(readdirSync(folder)).toEqual([])
  })

  it('says which Node it needs, in an old one', async () => {
    const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } })`
    const child = spawn(process.execPath, [
      '--import',
      `data:text/javascript,${encodeURIComponent(old)}`,
      program,
    ])
    const ended = new Promise<number>((done) => child.on('close', (code) => done(code ?? -1)))
    expect(await text(child.stderr)).toContain('needs Node 22.19 or newer; this is Node 20.11.0')
    expect(await ended).toBe(1)
  })

  it.skipIf(process.platform === 'win32')('makes a folder that others may read', async () => {
    mkdirSync(join(folder, 'usual'))
    await create(['shop', '--yes'])
    const [mode, usual] = ['shop', 'usual'].map((name) => statSync(join(folder, name)).mode)
    expect(mode).toBe(usual)
    expect(readdirSync(folder).toSorted()).toEqual(['shop', 'usual'])
  })

  it('quotes a folder with spaces in the next steps', async () => {
    expect((await create(['my shop', '--yes'])).out).toContain('  cd "my shop"\n')
  })

  it('does not change a folder that is not empty', async () => {
    mkdirSync(join(folder, 'full'))
    writeFileSync(join(folder, 'full/notes.txt'), 'mine')
    writeFileSync(join(folder, 'file'), 'mine')
    const { code, out, err } = await create(['full'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('is not empty: it has notes.txt')
    expect(readdirSync(join(folder, 'full'))).toEqual(['notes.txt'])
    expect(await create(['file', '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is a file'),
    })
  })

  it('writes nothing when its input ends before the last answer', async () => {
    const { code, err } = await create(['cancelled'], 'one\n')
    expect([code, err]).toEqual([130, expect.stringContaining('cancelled: nothing was written')])
    expect(readdirSync(folder)).toEqual([])
  })

  it.skipIf(process.platform === 'win32').each([1, 2, 3, 4, 5])(
    'writes nothing after Ctrl-C at question %d',
    async (last) => {
      const child = spawn(process.execPath, [program, 'stopped'], { cwd: folder, stdio: 'pipe' })
      const ended = new Promise<NodeJS.Signals | null>((done) =>
        child.on('close', (_, signal) => done(signal)),
      )
      let asked = 0
      for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
        asked += String(text).match(/\): /g)?.length ?? 0
        if (asked === last) break
        child.stdin.write('\n')
      }
      child.kill('SIGINT')
      expect(await ended).toBe('SIGINT')
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it('reports why it cannot write, also to root', async () => {
    writeFileSync(join(folder, 'file'), 'mine')
    const { code, err } = await create(['file/inner', '--yes', '--name=a'])
    expect([code, err]).toEqual([1, expect.stringContaining(`cannot write ${join(folder, 'file', 'inner')}`)])
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'says where it may not write',
    async () => {
      chmodSync(folder, 0o500)
      expect(await create(['a', '--yes'])).toMatchObject({
        code: 1,
        err: expect.stringContaining('cannot write'),
      })
    },
  )
})
