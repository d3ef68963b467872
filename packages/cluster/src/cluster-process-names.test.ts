import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { type CoreV1, Namespace, Pod, Service, ServiceAccount, StatefulSet } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Cluster } from './cluster.ts'
import type { ContainerModule } from './images/index.ts'
import { PodNamespaces } from './kubelet/index.ts'

const namespace = 'default'
const SLOW = { timeout: 60_000 }
const namespaces = new PodNamespaces()
const problem = await namespaces.namesProblem()
await namespaces.close()
const where = problem === undefined ? '' : ` (not here: ${problem})`
const programs = ['getent', 'curl', 'python3', 'sh']
const missing = programs.filter((program) => spawnSync('which', [program]).status !== 0)

/** Sends its Pod's name to each client, as HTTP. */
const greeter: ContainerModule = async (container) => {
  const { address, pod, signal } = container
  const answer = `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${pod.name}\n`
  const server = createServer((socket) => socket.on('error', () => undefined).end(answer))
  await new Promise<void>((resolve) => server.listen(container.port(8080), address, resolve))
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await new Promise((resolve) => server.close(resolve))
}

let cluster: Cluster

async function start(options: { processNames?: boolean } = {}): Promise<void> {
  cluster = await Cluster.start({
    ...options,
    images: { greeter: { module: greeter }, tools: { command: 'sh', hostCommands: true } },
  })
}
afterEach(() => cluster.close())

async function makeNamespace(name: string): Promise<void> {
  await cluster.client.create(Namespace, { metadata: { name } })
  const account = { namespace: name, name: 'default' }
  await expect.poll(() => cluster.client.get(ServiceAccount, account)).toBeDefined()
}

/** A Pod that greets, and a Service of the same name for it. */
async function serve(name: string, where = namespace): Promise<void> {
  await cluster.client.create(Pod, {
    metadata: { namespace: where, name, labels: { app: name } },
    spec: { containers: [{ name: 'greeter', image: 'greeter', ports: [{ containerPort: 8080 }] }] },
  })
  await cluster.client.create(Service, {
    metadata: { namespace: where, name },
    spec: { selector: { app: name }, ports: [{ port: 8080 }] },
  })
}

async function create(name: string, script: string, more: Partial<CoreV1.PodSpec> = {}): Promise<void> {
  const container = { name, image: 'tools', args: ['-c', script] }
  await cluster.client.create(Pod, {
    metadata: { namespace, name },
    spec: { restartPolicy: 'Never', containers: [container], ...more },
  })
}

async function output(name: string): Promise<string> {
  const phase = async () => (await cluster.client.get(Pod, { namespace, name }))?.status.phase
  await expect.poll(phase).toMatch(/Succeeded|Failed/)
  let text = ''
  for await (const chunk of cluster.logs({ namespace, pod: name })) text += new TextDecoder().decode(chunk)
  return text.replaceAll(/[ \t]+/g, ' ')
}

/** Runs a script of the machine's shell in a Pod to its end, and returns its output. */
async function run(name: string, script: string, more: Partial<CoreV1.PodSpec> = {}): Promise<string> {
  await create(name, script, more)
  return output(name)
}

describe.skipIf(problem !== undefined || missing.length > 0)(
  `processes that are not Node${where}${missing.join(', ')}`,
  SLOW,
  () => {
    beforeEach(() => start())

    it('resolve and reach Services by all forms of their names', async () => {
      await makeNamespace('shop')
      await serve('web')
      await serve('till', 'shop')
      const names = ['web', 'web.default', 'web.default.svc', 'web.default.svc.cluster.local', 'till.shop']
      const wait =
        'until curl -sf http://web:8080/ && curl -sf http://till.shop.svc:8080/; do sleep 0.05; done'
      const fetch = 'import urllib.request as r; print(r.urlopen("http://web.default.svc:8080/").read())'
      const text = await run(
        'asker',
        `(${wait}) >/dev/null
        for name in ${names.join(' ')}; do curl -sS "http://$name:8080/"; done
        python3 -c '${fetch}'
        getent -s files hosts till || echo no short name
        getent hosts localhost | head -n 1
        getent hosts "$HOSTNAME"; echo "$HOMEOSTAT_POD_ADDRESS asker"`,
      )
      const lines = text.trim().split('\n')
      expect(lines.slice(0, 5)).toEqual(['web', 'web', 'web', 'web', 'till'])
      expect(lines.slice(5, 7)).toEqual([String.raw`b'web\n'`, 'no short name'])
      expect(lines[7]).toMatch(/localhost/)
      expect(lines[8]).toBe(lines[9])
      const { host } = await cluster.serviceAddress({ namespace, name: 'web' })
      expect(await run('lookup', 'getent hosts web')).toMatch(
        new RegExp(`^${host} web.default.svc.cluster.local web`),
      )
    })

    it('follow Services that come and go while they run', async () => {
      await create(
        'waiter',
        `getent -s files hosts late || echo not yet
        until getent -s files hosts late >/dev/null; do getent hosts localhost >/dev/null || echo lost; sleep 0.01; done
        echo there
        while getent -s files hosts late >/dev/null; do getent hosts localhost >/dev/null || echo lost; sleep 0.01; done
        echo gone`,
      )
      const said = async () => {
        let text = ''
        for await (const chunk of cluster.logs({ namespace, pod: 'waiter' }))
          text += new TextDecoder().decode(chunk)
        return text
      }
      await expect.poll(said, { timeout: 60_000 }).toBe('not yet\n')
      await serve('late')
      await expect.poll(said, { timeout: 60_000 }).toBe('not yet\nthere\n')
      await cluster.client.delete(Service, { namespace, name: 'late' })
      expect(await output('waiter')).toBe('not yet\nthere\ngone\n')
    })

    it('reach the Pods of a headless Service, and each by its own name', async () => {
      const labels = { app: 'db' }
      await cluster.client.create(Service, {
        metadata: { namespace, name: 'db' },
        spec: { clusterIP: 'None', selector: labels, ports: [{ port: 8080 }] },
      })
      await cluster.client.create(StatefulSet, {
        metadata: { namespace, name: 'db' },
        spec: {
          serviceName: 'db',
          replicas: 2,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: 'db', image: 'greeter', ports: [{ containerPort: 8080 }] }] },
          },
        },
      })
      const text = await run(
        'asker',
        `until curl -sf http://db-1.db:8080/ >/dev/null; do sleep 0.05; done
        curl -sS http://db-0.db.default.svc.cluster.local:8080/ http://db-1.db.default:8080/
        getent ahostsv4 db | grep -c STREAM`,
      )
      expect(text).toBe('db-0\ndb-1\n2\n')
    })

    it('know the aliases of their Pod, but no unassigned address of the cluster', async () => {
      const { spec } = await cluster.client.getOrThrow(Service, { namespace, name: 'kubernetes' })
      const { host } = await cluster.serviceAddress({ namespace, name: 'kubernetes' })
      const hostAliases = [
        { ip: '127.1.2.3', hostnames: ['printer', 'printer.office'] },
        { ip: spec.clusterIP ?? '', hostnames: ['api'] },
        { ip: '10.244.3.250', hostnames: ['unassigned'] },
      ]
      const text = await run(
        'asker',
        'getent hosts printer.office api; getent -s files hosts unassigned || echo none',
        {
          hostAliases,
        },
      )
      expect(text).toBe(`127.1.2.3 printer printer.office\n${host} api\nnone\n`)
    })

    it('see the same names as commands of probes and hooks', async () => {
      await serve('web')
      const wait = 'until getent hosts web; do sleep 0.05; done'
      const named = { exec: { command: ['getent', 'hosts', 'web'] } }
      await create('probed', 'sleep 60', {
        containers: [
          {
            name: 'probed',
            image: 'tools',
            args: ['-c', 'sleep 60'],
            readinessProbe: { ...named, periodSeconds: 1 },
            lifecycle: {
              postStart: { exec: { command: ['python3', '-c', `import os; os.system("${wait}")`] } },
            },
          },
        ],
      })
      const ready = async () => {
        const pod = await cluster.client.get(Pod, { namespace, name: 'probed' })
        return pod?.status.conditions?.find(({ type }) => type === 'Ready')?.status
      }
      await expect.poll(ready).toBe('True')
    })

    it('leave nothing mounted', async () => {
      const before = readFileSync('/proc/self/mountinfo', 'utf8')
      expect(await cluster.processNamesProblem()).toBeUndefined()
      expect(await run('one', 'getent hosts kubernetes.default.svc')).toContain(
        'kubernetes.default.svc.cluster.local',
      )
      expect(readFileSync('/proc/self/mountinfo', 'utf8')).toBe(before)
    })
  },
)

describe('a cluster without names for processes', SLOW, () => {
  beforeEach(() => start({ processNames: false }))

  it('reports why, and its processes find Services by variables', async () => {
    expect(await cluster.processNamesProblem()).toBe('processNames is false')
    const { host } = await cluster.serviceAddress({ namespace, name: 'kubernetes' })
    const script = 'grep -c kubernetes.default.svc /etc/hosts; echo "$KUBERNETES_SERVICE_HOST"'
    expect(await run('one', script)).toBe(`0\n${host}\n`)
  })
})
