import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect, createClient, loadConfig, SystemClock, type Client } from 'homeostat'
import { ConfigMap, Pod } from 'homeostat/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'packages/cli/bin/homeostat.mjs')
/** Several processes, one after the other, on a machine that runs other tests. */
const SLOW = 300_000

let home: string
const cleanUp: (() => unknown)[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'homeostat-clusters-'))
})
afterEach(async () => {
  for (const each of cleanUp.splice(0).toReversed()) await each()
  await call('stop', '--all')
  rmSync(home, { recursive: true, force: true })
})

function start(args: readonly string[], more: Record<string, string> = {}) {
  const { NODE_TEST_CONTEXT: _, VITEST: __, ...env } = process.env
  return spawn(process.execPath, ['--conditions=source', program, 'cluster', ...args], {
    cwd: home,
    env: {
      ...env,
      HOME: home,
      XDG_STATE_HOME: join(home, 'state'),
      KUBECONFIG: join(home, 'config'),
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function call(...args: string[]) {
  const child = start(args)
  const ended = new Promise<number>((done) => child.on('exit', (code) => done(code ?? -1)))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, out, err }
}

const kubeconfigOf = (name: string): string => join(home, 'state/homeostat/clusters', name, 'kubeconfig')

function clientOf(kubeconfig: string, context?: string): Client {
  const clock = new SystemClock()
  const transport = connect(loadConfig({ kubeconfig, context }), { clock })
  cleanUp.push(() => transport.close())
  return createClient({ transport, clock, fieldManager: 'test' })
}

const key = { namespace: 'default', name: 'kept' }

describe('homeostat cluster', { timeout: SLOW }, () => {
  it('starts one in the background, keeps its objects while it is stopped, and resets it', async () => {
    const mine =
      'apiVersion: v1\nkind: Config\n# mine\nclusters: []\ncontexts: []\nusers: []\ncurrent-context: work\n'
    writeFileSync(join(home, 'config'), mine)
    expect(await call('list')).toMatchObject({ code: 0, out: expect.stringContaining('there is no cluster') })
    const started = await call('start', 'shop', '--background')
    expect(started, started.err).toMatchObject({
      code: 0,
      out: expect.stringContaining('the cluster shop is ready at https://'),
    })
    expect(readFileSync(join(home, 'config'), 'utf8')).toBe(mine)
    await clientOf(kubeconfigOf('shop')).create(ConfigMap, { metadata: key })
    const [listed] = JSON.parse((await call('list', '--json')).out) as {
      name: string
      running: boolean
      url: string
    }[]
    expect(listed).toMatchObject({ name: 'shop', running: true })
    expect(await call('start', 'shop', '--background')).toMatchObject({
      code: 1,
      err: expect.stringContaining('is already running'),
    })
    expect((await call('logs', 'shop')).out).toContain('Ready at')

    const following = call('logs', 'shop', '--follow')
    expect((await call('stop', 'shop')).out).toContain('the cluster shop is stopped')
    const followed = await following
    expect(followed, followed.err).toMatchObject({ code: 0, out: (await call('logs', 'shop')).out })
    expect((await call('list')).out).toMatch(/^shop +stopped/)

    const merged = await call('start', 'shop', '--background', '--merge')
    expect(merged, merged.err).toMatchObject({
      code: 0,
      out: expect.stringContaining('has the context homeostat-shop'),
    })
    const config = readFileSync(join(home, 'config'), 'utf8')
    expect(config).toContain('# mine')
    expect(parse(config)).toMatchObject({ 'current-context': 'work', contexts: [{ name: 'homeostat-shop' }] })
    expect(statSync(join(home, 'config')).mode & 0o077).toBe(0)
    expect(await clientOf(join(home, 'config'), 'homeostat-shop').get(ConfigMap, key)).toBeDefined()
    // Its kubeconfig of before leads to it again.
    expect(merged.out).toContain(listed?.url)

    expect((await call('reset', 'shop')).out).toContain('nothing is left of the cluster shop')
    expect(parse(readFileSync(join(home, 'config'), 'utf8'))).toEqual(parse(mine))
    expect((await call('list')).out).toContain('there is no cluster')
  })

  it('runs a loaded command for an image, and restarts for it', async () => {
    mkdirSync(join(home, 'server'))
    writeFileSync(
      join(home, 'server/serve.mjs'),
      "process.stdout.write('served\\n'); setInterval(() => {}, 1e6)\n",
    )
    expect((await call('start', '--background')).code).toBe(0)
    const loaded = await call('load', 'example/web=node ./server/serve.mjs')
    expect(loaded, loaded.err).toMatchObject({ code: 0, out: expect.stringContaining('was restarted') })
    const client = clientOf(kubeconfigOf('local'))
    const pod = { namespace: 'default', name: 'web' }
    await client.create(Pod, { metadata: pod, spec: { containers: [{ name: 'web', image: 'example/web' }] } })
    await expect
      .poll(async () => (await client.get(Pod, pod))?.status?.phase, { timeout: 90_000 })
      .toBe('Running')
    expect((await call('stop', '--all')).out).toContain('the cluster local is stopped')
  })

  it('leaves nothing behind of a cluster whose port is in use', async () => {
    const listener = createServer()
    await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening))
    cleanUp.push(() => listener.close())
    const { port } = listener.address() as AddressInfo
    expect(await call('start', 'busy', '--background', `--port=${port}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`port ${port} on 127.0.0.1 is in use by another program`),
    })
    expect((await call('list')).out).toContain('there is no cluster')
  })

  it.each([[[]], [['--background']]])(
    'leaves nothing behind when Ctrl-C is pressed before the cluster has begun: start %j',
    async (args) => {
      const hook = join(home, 'hold.mjs')
      const pidFile = join(home, 'pid')
      // The process of the cluster says that it is there, and does not go on.
      writeFileSync(
        hook,
        `import { renameSync, writeFileSync } from 'node:fs'
        if (process.argv[1]?.includes('homeostat-cluster')) {
          writeFileSync(${JSON.stringify(`${pidFile}.new`)}, String(process.pid))
          renameSync(${JSON.stringify(`${pidFile}.new`)}, ${JSON.stringify(pidFile)})
          await new Promise(() => setInterval(() => undefined, 1000))
        }`,
      )
      const child = start(['start', 'early', ...args], { NODE_OPTIONS: `--import=${hook}` })
      const ended = new Promise<number | null>((done) => child.on('exit', (code) => done(code)))
      const err = text(child.stderr)
      await expect.poll(() => existsSync(pidFile)).toBe(true)
      child.kill('SIGINT')
      expect(await ended).toBe(130)
      expect(await err).toContain('the start of the cluster early was interrupted: nothing is left running')
      expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow()
      expect((await call('list')).out).toContain('there is no cluster')
    },
  )

  it('runs in the terminal until it is told to end', async () => {
    const child = start(['start', 'terminal'])
    cleanUp.push(() => child.kill('SIGKILL'))
    const ended = new Promise<number | null>((done) => child.on('exit', (code) => done(code)))
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk))
    await expect.poll(() => out, { timeout: 90_000 }).toContain('Ready at')
    expect((await call('list')).out).toMatch(/^terminal +running/)
    child.kill('SIGINT')
    expect(await ended, out).toBe(0)
    expect((await call('list')).out).toMatch(/^terminal +stopped/)
  })

  it.each([
    [[], 2, 'name an action: homeostat cluster start|list'],
    [['begin'], 2, 'name an action'],
    [['list', '--merge'], 2, 'homeostat cluster list has no option --merge'],
    [['stop', 'a', 'b'], 2, 'takes no argument "b"'],
    [['start', '--merge'], 2, '--merge needs --background'],
    [['load', 'web'], 2, 'name an image and its command'],
    [['stop', 'gone'], 1, 'there is no cluster gone: homeostat cluster start gone creates it'],
    [['start', 'My_Cluster'], 1, '"My_Cluster" is not a valid name of a cluster'],
    [['start', 'bad', '--background', '--port=x'], 1, '--port=x is not a port'],
  ])('refuses %j with %d', async (args, code, message) => {
    const called = await call(...args)
    expect([called.code, called.out]).toEqual([code, ''])
    expect(called.err).toContain(message)
  })
})
