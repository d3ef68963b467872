import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { ApiServer } from '@homeostat/apiserver'
import {
  connect,
  createClient,
  defineKind,
  loadConfig,
  schema as s,
  SystemClock,
  type Client,
} from 'homeostat'
import { ConfigMap, CustomResourceDefinition, Pod } from 'homeostat/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { hasBrowser, openBrowser } from '../browser.ts'
import { followOutput } from '../program-output.ts'

const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'packages/cli/bin/homeostat.mjs')
/** A process that compiles what it loads, on a machine that runs other tests. */
const SLOW = 300_000

const Note = defineKind({
  group: 'dev.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string() }),
})
const key = { namespace: 'default', name: 'sample' }

const KIND = `
import { defineKind, schema as s } from 'homeostat'
export const Note = defineKind({
  group: 'dev.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string() }),
})
`
const CONTROLLER = `
import { controller, controllerReference } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { Note } from './kind.ts'
export const notes = controller('notes')
  .for(Note)
  .owns(ConfigMap)
  .writes(ConfigMap, 'apply')
  .reconcile(async (key, { client }) => {
    const note = await client.get(Note, key)
    if (!note) return
    const metadata = { ...key, ownerReferences: [controllerReference(note)] }
    await client.apply(ConfigMap, { metadata, data: { text: 'first ' + note.spec.text } })
  })
`
const OPERATOR = `
import { operator, sample } from 'homeostat'
import { notes } from './controller.ts'
import { Note } from './kind.ts'
export default operator('notes', {
  controllers: [notes],
  samples: [sample(Note, { metadata: { namespace: 'default', name: 'sample' }, spec: { text: 'hello' } })],
})
`

let folder: string
const cleanUp: (() => unknown)[] = []
beforeEach(() => {
  // Inside the workspace, so that the packages are found; ignored by git.
  mkdirSync(join(root, '.homeostat'), { recursive: true })
  folder = mkdtempSync(join(root, '.homeostat', 'dev-'))
  write('kind.ts', KIND)
  write('controller.ts', CONTROLLER)
  write('operator.ts', OPERATOR)
})
afterEach(async () => {
  for (const each of cleanUp.splice(0).toReversed()) await each()
  rmSync(folder, { recursive: true, force: true })
})

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
}

/** Starts it as a process that reads keys from a pipe. All processes that it starts write down their pids. */
function start(...args: string[]) {
  const pids = join(folder, 'pids')
  write(
    'pid.mjs',
    `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(pids)}, process.pid + ' ')\n`,
  )
  const { NODE_TEST_CONTEXT: _, VITEST: __, KUBECONFIG: ___, ...env } = process.env
  const child = spawn(process.execPath, ['--conditions=source', program, 'dev', ...args], {
    cwd: folder,
    env: { ...env, NODE_OPTIONS: `--import=${join(folder, 'pid.mjs')}` },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // Where it ended already there is nothing to read the keys.
  child.stdin.on('error', () => undefined)
  cleanUp.push(() => child.kill('SIGKILL'))
  return {
    ...followOutput(child, 'homeostat dev'),
    press: (keys: string) => child.stdin.write(keys),
    interrupt: () => child.kill('SIGINT'),
    pids: () => readFileSync(pids, 'utf8').trim().split(' ').map(Number),
  }
}

function clientOf(kubeconfig: string): Client {
  const clock = new SystemClock()
  const transport = connect(loadConfig({ kubeconfig }), { clock })
  cleanUp.push(() => transport.close())
  return createClient({ transport, clock, fieldManager: 'test' })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const text = async (client: Client): Promise<string | undefined> =>
  (await client.get(ConfigMap, key))?.data?.['text']
async function untilText(client: Client, expected: string): Promise<void> {
  await expect.poll(() => text(client), { timeout: SLOW }).toBe(expected)
}

describe('homeostat dev', { timeout: SLOW }, () => {
  it('applies the samples when the webhooks of the operator are installed', async () => {
    write(
      'operator.ts',
      OPERATOR.replace('import { operator,', 'import { admission, operator,').replace(
        'controllers: [notes],',
        "controllers: [notes],\n  webhooks: [admission(Note).defaults(({ spec }) => ({ spec: { text: spec.text + ', defaulted' } }))],",
      ),
    )
    const dev = start()
    await dev.printed(/the sample Note default\/sample is applied/)
    const client = clientOf(join(folder, '.homeostat/dev.kubeconfig'))
    expect((await client.getOrThrow(Note, key)).spec.text).toBe('hello, defaulted')
  })

  it('restarts the operator at a save, keeps the cluster, and leaves nothing behind', async () => {
    const dev = start()
    await dev.printed(/notes runs \(started\)/)
    const kubeconfig = join(folder, '.homeostat/dev.kubeconfig')
    await dev.printed(/dev\.kubeconfig/)
    const client = clientOf(kubeconfig)
    await untilText(client, 'first hello')
    const uid = (await client.getOrThrow(Note, key)).metadata.uid
    await dev.printed(/applies configmaps sample/)

    // A change of the code.
    write('controller.ts', CONTROLLER.replace('first', 'second'))
    await untilText(client, 'second hello')
    expect((await client.getOrThrow(Note, key)).metadata.uid).toBe(uid)

    // A user's edit of a sample is kept by the next version.
    await client.patch(Note, key, { type: 'merge', body: { spec: { text: 'edited' } } })
    await untilText(client, 'second edited')

    // A syntax error: the last version goes on.
    const failed = dev.next(
      /controller\.ts:\d+[^]*The last version keeps running\. Waiting for the next save\./,
    )
    write('controller.ts', `${CONTROLLER}\nexport const = 3\n`)
    await failed
    await client.delete(ConfigMap, key)
    await untilText(client, 'second edited')

    // A schema that a stored object does not fit, and a type that is not allowed.
    const warned = dev.next(/warning: the stored Note default\/sample no longer fits: spec\.text/)
    write('kind.ts', KIND.replace('s.string()', 's.string().maxLength(3)'))
    write('operator.ts', OPERATOR.replace("'hello'", "'hi'"))
    write('controller.ts', CONTROLLER.replace('first', 'third'))
    await warned
    await untilText(client, 'third hi')
    const definition = await client.getOrThrow(CustomResourceDefinition, { name: 'notes.dev.example.com' })
    expect(JSON.stringify(definition.spec.versions)).toContain('"maxLength":3')

    // A schema that the server refuses.
    const refused = dev.next(/self\.nope[^]*Waiting for the next save/)
    write('kind.ts', KIND.replace('s.string() }', "s.string() }).rule('self.nope == 1', 'no'"))
    await refused
    const back = dev.next(/notes runs \(saved kind\.ts/)
    write('kind.ts', KIND)
    await back

    dev.interrupt()
    expect(await dev.ends(0)).toContain('stopped: nothing is left running')
    expect(existsSync(kubeconfig)).toBe(false)
    expect(dev.pids().length).toBeGreaterThan(5)
    await expect.poll(() => dev.pids().filter(isAlive)).toEqual([])
  })

  it('runs without an input, and prints a kubeconfig for any folder', async () => {
    const child = spawn(process.execPath, ['--conditions=source', program, 'dev'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    cleanUp.push(() => child.kill('SIGKILL'))
    const dev = followOutput(child, 'homeostat dev')
    const [, kubeconfig] = await dev.printed(/KUBECONFIG ?= ?"?(.*dev\.kubeconfig)/)
    expect(kubeconfig).toBe(join(folder, '.homeostat/dev.kubeconfig'))
    await dev.printed(/notes runs \(started\)/)
    child.kill('SIGTERM')
    expect(await dev.ends(0)).toContain('stopped: nothing is left running')
  })

  it('pauses, steps and crashes the operator, and deletes a child, by keys', async () => {
    const dev = start()
    await dev.printed(/keys {2}p pause/)
    const client = clientOf(join(folder, '.homeostat/dev.kubeconfig'))
    await untilText(client, 'first hello')

    const paused = dev.next(/paused: reconciles wait/)
    dev.press('p')
    await paused
    const held = dev.next(/waits: notes default\/sample/)
    await client.patch(Note, key, { type: 'merge', body: { spec: { text: 'later' } } })
    await held
    expect(await text(client)).toBe('first hello')
    dev.press('s')
    await untilText(client, 'first later')
    const resumed = dev.next(/resumed/)
    dev.press('p')
    await resumed

    const uid = (await client.getOrThrow(ConfigMap, key)).metadata.uid
    const deleted = dev.next(/deleted ConfigMap default\/sample/)
    dev.press('d')
    await deleted
    await expect
      .poll(async () => (await client.get(ConfigMap, key))?.metadata.uid ?? uid, { timeout: SLOW })
      .not.toBe(uid)

    const again = dev.next(/crashed[^]*notes runs \(crash\)/)
    dev.press('c')
    await again
    await client.patch(Note, key, { type: 'merge', body: { spec: { text: 'after' } } })
    await untilText(client, 'first after')
    dev.press('q')
    await dev.ends(0)
    await expect.poll(() => dev.pids().filter(isAlive)).toEqual([])
  })

  it.skipIf(!hasBrowser)(
    `crashes the operator and makes its API slow from its page${hasBrowser ? '' : ' (skipped: no Chromium on the PATH)'}`,
    async () => {
      const dev = start()
      const [, address = ''] = await dev.printed(/(http:\/\/127\.0\.0\.1:\d+\/\?token=\S+)/)
      const client = clientOf(join(folder, '.homeostat/dev.kubeconfig'))
      await untilText(client, 'first hello')
      await using browser = await openBrowser()
      const page = await browser.context.newPage()
      page.setDefaultTimeout(SLOW)
      await page.goto(address)
      await page.getByRole('treeitem', { name: /ConfigMap sample/ }).waitFor()
      const crashed = dev.next(/crashed[^]*notes runs \(crash\)/)
      await page.getByRole('button', { name: 'Crash' }).click()
      await crashed
      await page.getByRole('status').getByText('Running').waitFor()
      await page.getByRole('combobox', { name: 'API' }).selectOption('slow')
      await page.getByText('The API answers each request of the operator two seconds late.').waitFor()
      await client.patch(Note, key, { type: 'merge', body: { spec: { text: 'late' } } })
      await untilText(client, 'first late')
      // The reconcile that wrote it has waited for the API. It may end after its write is seen.
      const details = page.getByRole('region', { name: 'Details' })
      const took = async (): Promise<string> => {
        const close = details.getByRole('button', { name: 'Close' })
        if ((await close.count()) > 0) await close.click()
        await details
          .getByRole('button', { name: /wrote ConfigMap/ })
          .first()
          .click()
        return details.locator('dt:text-is("Took") + dd').innerText()
      }
      await expect.poll(took, { timeout: SLOW }).toMatch(/^[2-9](\.\d)? s$/)
      await page.getByRole('combobox', { name: 'API' }).selectOption('normal')
      await page.getByText('two seconds late').waitFor({ state: 'detached' })
      dev.press('q')
      await dev.ends(0)
    },
  )

  it('waits for a save where the first version cannot be loaded, and shows errors of types', async () => {
    write('operator.ts', 'export default 3\n')
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2024',
      lib: ['es2024', 'esnext'],
      strict: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      types: ['node'],
      customConditions: ['source'],
    }
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['kind.ts', 'wrong.ts'] }))
    write('wrong.ts', "export const wrong: number = 'text'\n")
    const dev = start()
    await dev.printed(/has no operator as its default export/)
    await dev.printed(/Waiting for the next save/)
    await dev.printed(/types wrong\.ts\(1,14\): error TS2322/)
    write('operator.ts', OPERATOR)
    await dev.printed(/notes runs \(saved operator\.ts\)/)
    write('wrong.ts', 'export const wrong: number = 1\n')
    await dev.printed(/types no errors/)
    dev.interrupt()
    await dev.ends(0)
    await expect.poll(() => dev.pids().filter(isAlive)).toEqual([])
  })

  it('runs a program of this machine for an image', async () => {
    write('page.mjs', "console.log('the page is here')\n")
    const dev = start('--image=example/page=node ./page.mjs')
    await dev.printed(/notes runs \(started\)/)
    const client = clientOf(join(folder, '.homeostat/dev.kubeconfig'))
    const containers = [{ name: 'page', image: 'example/page:1' }]
    await client.create(Pod, { metadata: key, spec: { containers, restartPolicy: 'Never' } })
    const phase = async () => (await client.getOrThrow(Pod, key)).status?.phase
    await expect.poll(phase, { timeout: SLOW }).toBe('Succeeded')
  })

  it('says that a port is in use', async () => {
    const server = createServer()
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    cleanUp.push(() => server.close())
    const { port } = server.address() as AddressInfo
    const dev = start(`--port=${port}`)
    expect(await dev.ends(1)).toMatch(new RegExp(`${port}.*in use`))
    expect(existsSync(join(folder, '.homeostat/dev.kubeconfig'))).toBe(false)
  })

  it('says that the port of the page is in use', async () => {
    const server = createServer()
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    cleanUp.push(() => server.close())
    const { port } = server.address() as AddressInfo
    const dev = start(`--page-port=${port}`)
    expect(await dev.ends(1)).toContain(`homeostat: port ${port} is in use by another program`)
    expect(existsSync(join(folder, '.homeostat/dev.kubeconfig'))).toBe(false)
  })

  it.each([/a Kubernetes is ready/, /see it work/, /is defined/, /runs \(started\)/])(
    'leaves nothing behind when Ctrl-C is pressed after %s',
    async (pattern) => {
      const dev = start()
      await dev.printed(pattern)
      dev.interrupt()
      expect(await dev.ends(0)).toContain('stopped: nothing is left running')
      expect(existsSync(join(folder, '.homeostat/dev.kubeconfig'))).toBe(false)
      await expect.poll(() => dev.pids().filter(isAlive)).toEqual([])
    },
  )

  it('says that no server answers, and waits', async () => {
    const kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'gone',
      contexts: [{ name: 'gone', context: { cluster: 'gone', user: 'me' } }],
      // A port that no program may listen on without special rights.
      clusters: [{ name: 'gone', cluster: { server: 'https://127.0.0.1:9' } }],
      users: [{ name: 'me', user: {} }],
    }
    write('gone.kubeconfig', JSON.stringify(kubeconfig))
    const dev = start('--context=gone', `--kubeconfig=${join(folder, 'gone.kubeconfig')}`)
    await dev.printed(/https:\/\/127\.0\.0\.1:9 refused the connection[^]*Waiting for the next save/)
    dev.interrupt()
    expect(await dev.ends(0)).toContain('stopped: nothing is left running')
  })

  it('says which right the user of a context does not have, and waits', async () => {
    await using server = await ApiServer.start()
    const text = (await server.listen()).kubeconfig()
    const { 'current-context': context } = parse(text) as { 'current-context': string }
    // As a user who may do nothing.
    write('guest.kubeconfig', text.replace(/^( +)token:/m, '$1as: a-guest\n$1token:'))
    const dev = start(`--context=${context}`, `--kubeconfig=${join(folder, 'guest.kubeconfig')}`)
    await dev.printed(
      /User "a-guest" cannot get resource "customresourcedefinitions"[^]*Waiting for the next save/,
    )
    dev.interrupt()
    expect(await dev.ends(0)).toContain('stopped: nothing is left running')
  })

  it('works on the cluster of a context, and applies samples only when asked', async () => {
    await using server = await ApiServer.start()
    const text = (await server.listen()).kubeconfig()
    write('other.kubeconfig', text)
    const { 'current-context': context } = parse(text) as { 'current-context': string }
    const client = clientOf(join(folder, 'other.kubeconfig'))
    const args = [`--context=${context}`, `--kubeconfig=${join(folder, 'other.kubeconfig')}`]
    const dev = start(...args)
    await dev.printed(/notes runs \(started\)/)
    await dev.printed(/keys {2}p pause/)
    expect(await client.list(Note, { namespace: 'default' })).toEqual([])
    await client.create(Note, { metadata: key, spec: { text: 'hello' } })
    await untilText(client, 'first hello')
    dev.press('q')
    await dev.ends(0)
    expect(existsSync(join(folder, '.homeostat'))).toBe(false)

    await client.delete(Note, key)
    const asked = start(...args, '--samples')
    await asked.printed(/the sample Note default\/sample is applied/)
    asked.press('q')
    await asked.ends(0)
  })

  it.each([
    [['--port=x'], '--port=x is not a port'],
    [['--context=a', '--port=1'], '--port cannot be used with --context'],
    [['--samples'], '--kubeconfig and --samples need --context=NAME'],
  ])('refuses %j with 2', async (args, message) => {
    const dev = start(...args)
    expect(await dev.ends(2)).toContain(message)
  })
})
