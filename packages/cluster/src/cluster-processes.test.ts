import { spawnSync } from 'node:child_process'
import { Deployment, Pod, Service } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Cluster } from './cluster.ts'

const namespace = 'default'
const SLOW = { timeout: 180_000 }

/** Answers with its host name. All replicas listen on one port, on all addresses that they know of. */
const SERVER = `require('http').createServer((request, response) => response.end(process.env.HOSTNAME)).listen(8080)`

/** Asks each URL of its arguments, one after the other, and prints the answers. */
const ASKER = `
  for (const url of process.argv.slice(1)) {
    const text = url.replace(/\\$(\\w+)/g, (whole, name) => process.env[name])
    const answer = await fetch(text).then((response) => response.text(), (error) => error.cause?.code ?? String(error))
    console.log(url, answer)
  }
`

let cluster: Cluster

beforeEach(async () => {
  cluster = await Cluster.start({
    images: {
      server: { command: process.execPath, args: ['-e', SERVER] },
      asker: { command: process.execPath, hostCommands: true },
    },
  })
})
afterEach(() => cluster.close())

async function serve(replicas: number): Promise<string[]> {
  const labels = { app: 'web' }
  const readinessProbe = { tcpSocket: { port: 8080 }, periodSeconds: 1 }
  await cluster.client.create(Deployment, {
    metadata: { namespace, name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: 'server', image: 'server', ports: [{ containerPort: 8080 }], readinessProbe }],
        },
      },
    },
  })
  await cluster.client.create(Service, {
    metadata: { namespace, name: 'web' },
    spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
  })
  await expect
    .poll(
      async () =>
        (await cluster.client.get(Deployment, { namespace, name: 'web' }))?.status.availableReplicas,
      {
        timeout: 60_000,
      },
    )
    .toBe(replicas)
  const { host, port } = await cluster.serviceAddress({ namespace, name: 'web' })
  // The Service follows its Pods a moment later.
  await expect
    .poll(() =>
      fetch(`http://${host}:${port}`).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  const pods = await cluster.client.list(Pod, { namespace, labels })
  return pods.map(({ metadata }) => metadata.name)
}

/** Runs a container to its end, and returns its output. */
async function run(command: string[], args: string[], name = 'asker'): Promise<string[]> {
  await cluster.client.create(Pod, {
    metadata: { namespace, name },
    spec: { restartPolicy: 'Never', containers: [{ name, image: 'asker', command, args }] },
  })
  const ended = async (): Promise<boolean> =>
    /Succeeded|Failed/.test((await cluster.client.get(Pod, { namespace, name }))?.status.phase ?? '')
  await expect.poll(ended, { timeout: 60_000 }).toBe(true)
  let text = ''
  for await (const chunk of cluster.logs({ namespace, pod: name })) text += new TextDecoder().decode(chunk)
  return text.trim().split('\n')
}

describe('processes of a cluster', SLOW, () => {
  it('that are Node reach Services and Pods by name, by address and by variables', async () => {
    const names = await serve(2)
    const { spec } = await cluster.client.getOrThrow(Service, { namespace, name: 'web' })
    const pod = await cluster.client.getOrThrow(Pod, { namespace, name: names[0] ?? '' })
    const urls = [
      'http://web/',
      'http://web.default.svc.cluster.local/',
      `http://${spec.clusterIP}/`,
      'http://$WEB_SERVICE_HOST:$WEB_SERVICE_PORT/',
    ]
    const lines = await run(
      [],
      ['--input-type=module', '-e', ASKER, ...urls, `http://${pod.status.podIP}:8080/`],
    )
    expect(lines).toHaveLength(5)
    const answers = lines.map((line) => line.split(' ')[1])
    expect(answers[4]).toBe(names[0])
    expect(new Set(answers.slice(0, 4))).toEqual(new Set(names))
  })

  const hasCurl = spawnSync('curl', ['--version']).status === 0
  it.skipIf(!hasCurl)('of any other kind reach Services by variables', async () => {
    const names = await serve(1)
    const address = '$(WEB_SERVICE_HOST):$(WEB_SERVICE_PORT)'
    expect(await run(['curl'], ['--silent', '--show-error', `http://${address}/`])).toEqual(names)
  })

  const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0
  it.skipIf(!hasKubectl)('reach the API by its Service, as the Pod’s ServiceAccount', async () => {
    const who = await run(['kubectl'], ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}'])
    expect(who).toEqual(['system:serviceaccount:default:default'])
    const server = await run(
      ['kubectl'],
      ['config', 'view', '-o', 'jsonpath={.clusters[0].cluster.server}'],
      'view',
    )
    const { host, port } = await cluster.serviceAddress({ namespace, name: 'kubernetes' })
    expect(server).toEqual([`https://${host}:${port}`])
  })
})
