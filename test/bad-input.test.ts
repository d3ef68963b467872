import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestEnvironment } from '@homeostat/apiserver/testing'
import {
  connect,
  controller,
  createClient,
  createLogger,
  createOrUpdate,
  defineKind,
  directTransport,
  loadConfig,
  Manager,
  schema as s,
  setControllerReference,
  SystemClock,
  type Client,
} from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-bad-input-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe('a kubeconfig that is wrong is refused, with the file, what is wrong in it, and a remedy', () => {
  const valid = `
current-context: dev
contexts: [{ name: dev, context: { cluster: here, user: me } }]
clusters: [{ name: here, cluster: { server: 'https://127.0.0.1:1' } }]
users: [{ name: me, user: {} }]`

  test('where the file is missing, also by the manager that should start with it', async () => {
    const path = join(folder, 'gone')
    const message = `the kubeconfig ${path} does not exist. Check the path (the option, or KUBECONFIG), or create the cluster first.`
    expect(() => loadConfig({ kubeconfig: path })).toThrow(message)
    const { KUBECONFIG } = process.env
    process.env.KUBECONFIG = path
    await expect(new Manager().start({ signal: new AbortController().signal })).rejects.toThrow(message)
    if (KUBECONFIG === undefined) delete process.env.KUBECONFIG
    else process.env.KUBECONFIG = KUBECONFIG
  })

  test('where it is not YAML', () => {
    const path = write('config', 'clusters: [')
    expect(() => loadConfig({ kubeconfig: path })).toThrow(
      expect.objectContaining({
        code: 'CONFIG_SYNTAX',
        message: expect.stringContaining(`${path} is not valid YAML`),
      }),
    )
  })

  test('where there is no such context', () => {
    const path = write('config', valid)
    expect(() => loadConfig({ kubeconfig: path, context: 'prod' })).toThrow(
      /has no context "prod".*available: dev/,
    )
  })

  test.each([
    [
      'fails',
      'echo "no such profile" >&2; exit 3',
      /the credentials of user "me" of .*config, failed with exit code 3\. .*run it by hand, or log in again/,
    ],
    [
      'prints rubbish',
      'echo rubbish',
      /printed something that is not JSON\. Run it by hand .*, and update it/,
    ],
    ['prints something else', 'echo "{}"', /printed no ExecCredential of .* Update the program/],
  ])('where its credential program %s', async (_, script, message) => {
    const program = write('program', `#!/bin/sh\n${script}\n`)
    chmodSync(program, 0o755)
    const path = write(
      'config',
      valid.replace(
        'user: {}',
        `user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: '${program}', interactiveMode: Never } }`,
      ),
    )
    const clock = new SystemClock()
    await using transport = connect(loadConfig({ kubeconfig: path }), { clock })
    const error: Error = await createClient({ transport, clock })
      .get(ConfigMap, { namespace: 'default', name: 'x' })
      .then(() => new Error('it was answered'))
      .catch((error: Error) => error)
    expect(error.message).toContain(program)
    expect(error.message).toMatch(message)
  })
})

describe('a kind or an object that cannot be is refused before anything is sent', () => {
  let env: TestEnvironment
  let client: Client

  beforeEach(async () => {
    env = await TestEnvironment.start()
    client = createClient({ transport: directTransport(env.handler, { clock: env.clock }), clock: env.clock })
  })
  afterEach(() => env.close())

  test('a schema that is not structural', () => {
    const define = () =>
      defineKind({
        group: 'example.com',
        version: 'v1',
        kind: 'Thing',
        spec: s.object({ tags: s.structural({ anyOf: [{ type: 'string' }] } as never) }),
      })
    expect(define).toThrow(
      /the kind Thing \(example.com\/v1\) cannot be defined:\n- spec\.tags: it has no type: give one/,
    )
  })

  test.each([
    ['get', () => client.get(ConfigMap, { name: 'a' } as never), 'namespace'],
    ['delete', () => client.delete(ConfigMap, { name: 'a' } as never), 'namespace'],
    ['create', () => client.create(ConfigMap, { metadata: { name: 'a' } } as never), 'metadata.namespace'],
    ['apply', () => client.apply(ConfigMap, { metadata: { name: 'a' } } as never), 'metadata.namespace'],
    ['update', () => client.update(ConfigMap, { metadata: { name: 'a' } } as never), 'metadata.namespace'],
    [
      'status.update',
      () => client.status.update(ConfigMap, { metadata: { name: 'a' } } as never),
      'metadata.namespace',
    ],
  ])('an object without a namespace, in %s', async (_, act, place) => {
    await expect(act()).rejects.toMatchObject({
      code: 'CLIENT_KEY_INVALID',
      message: `ConfigMap (configmaps) is namespaced, but no namespace was given. Give ${place}.`,
    })
    expect(env.writes).toEqual([])
  })

  test.each([
    ['get', () => client.get(ConfigMap, { namespace: 'default', name: '' })],
    ['delete', () => client.delete(ConfigMap, { namespace: 'default' } as never)],
    ['createOrUpdate', () => createOrUpdate(client, ConfigMap, { namespace: 'default' } as never, () => {})],
  ])('a key without a name, in %s', async (_, act) => {
    await expect(act()).rejects.toThrow('was requested without a name. Give name.')
    expect(env.writes).toEqual([])
  })

  test.each([
    ['apply', () => client.apply(ConfigMap, { metadata: { namespace: 'default' } } as never)],
    ['update', () => client.update(ConfigMap, { metadata: { namespace: 'default' } } as never)],
  ])('an object without a name, in %s', async (_, act) => {
    await expect(act()).rejects.toMatchObject({
      code: 'CLIENT_KEY_INVALID',
      message: 'ConfigMap (configmaps) was requested without a name. Give metadata.name.',
    })
    expect(env.writes).toEqual([])
  })

  test('an object without a name, in create: the server says so', async () => {
    await expect(client.create(ConfigMap, { metadata: { namespace: 'default' } as never })).rejects.toThrow(
      /create of configmaps .*name or generateName is required/,
    )
  })

  test('an owner in another namespace', async () => {
    const metadata = { namespace: 'a', name: 'web', uid: 'u' }
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', metadata }
    const act = createOrUpdate(client, ConfigMap, { namespace: 'default', name: 'x' }, (object) =>
      setControllerReference(owner, object),
    )
    await expect(act).rejects.toThrow(
      /Deployment a\/web cannot own default\/x, which is in the namespace default/,
    )
    expect(env.writes).toEqual([])
  })
})

describe('a controller that cannot be is refused', () => {
  const idle = controller('idle')
    .for(ConfigMap)
    .reconcile(() => {})

  test('a second one of the same name', () => {
    expect(() => new Manager().add(idle).add(idle)).toThrow(
      'two controllers or runnables are named idle: the name is the field manager of their writes, so rename one of them',
    )
  })
})

describe('a reconcile that never returns is reported, with its object and what to do', () => {
  async function stuck(options: { reconcileTimeout?: '1m' }) {
    const env = await TestEnvironment.start()
    const lines: string[] = []
    const { clock } = env
    const transport = directTransport(env.handler, { clock: env.clock })
    await createClient({ transport, clock }).create(ConfigMap, {
      metadata: { namespace: 'default', name: 'a' },
    })
    const never = controller('never')
      .for(ConfigMap)
      // Asleep, so that simulated time goes on around it.
      .reconcile(({ name }, { clock }) => (name === 'a' ? clock.sleep(1e12) : undefined), options)
    const logger = createLogger({ format: 'text', clock, write: (line) => lines.push(line) })
    const stop = new AbortController()
    const running = new Manager({ transport, clock, logger }).add(never).start({ signal: stop.signal })
    running.catch(() => {})
    const end = async () => {
      stop.abort()
      await env.advance('31s')
      try {
        await running
      } finally {
        await env.close()
      }
    }
    await env.settle()
    return { env, lines, end }
  }

  test('when its timeout has passed and it ignores its signal', async () => {
    const { env, lines, end } = await stuck({ reconcileTimeout: '1m' })
    await env.advance('66s')
    expect(lines.join('')).toMatch(
      /the reconcile of default\/a by the controller never took longer than 60000 ms and did not end within 5000 ms after its signal aborted: pass the context's signal to everything that it waits for/,
    )
    await end().catch(() => {})
  })

  test('after five minutes where it has none, once', async () => {
    const { env, lines, end } = await stuck({})
    await env.advance('10m')
    const reports = lines.filter((line) => line.includes('a reconcile has been running for minutes'))
    expect(reports).toHaveLength(1)
    expect(reports[0]).toMatch(/controller.*never.*default\/a|default\/a.*never/)
    expect(reports[0]).toContain('set reconcileTimeout')
    await end().catch(() => {})
  })

  test('when the manager stops and it holds it up', async () => {
    const { end } = await stuck({})
    await expect(end()).rejects.toThrow(
      /the reconcile of default\/a had not ended within 30s: pass the context's signal/,
    )
  })
})
