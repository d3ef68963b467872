import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'

const PROGRAM = fileURLToPath(new URL('../../bin/homeostat-apiserver.mjs', import.meta.url))
// Starting a process from source takes long on a busy machine.
const SLOW = { timeout: 60_000 }

let folder: string
let running: Run[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-apiserver-'))
})
afterEach(async () => {
  for (const run of running) run.child.kill('SIGKILL')
  await Promise.all(running.map((run) => run.ended))
  running = []
  rmSync(folder, { recursive: true, force: true })
})

interface Run {
  readonly child: ChildProcessByStdio<null, Readable, Readable>
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>
  output(): string
  errors(): string
}

function start(...args: string[]): Run {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const run = { child, ended, output: () => output, errors: () => errors }
  running.push(run)
  return run
}

/** Waits until the server says that it is ready. */
async function ready(run: Run): Promise<void> {
  while (!run.output().includes('KUBECONFIG')) {
    const event = await Promise.race([once(run.child.stdout, 'data'), run.ended.then(() => 'ended')])
    if (event === 'ended') throw new Error(`it ended: ${run.errors()}`)
  }
}

async function call(method: string, path: string, kubeconfig = join(folder, 'kc')): Promise<number> {
  const config = parse(readFileSync(kubeconfig, 'utf8'))
  const { cluster } = config.clusters[0]
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = {
    authorization: `Bearer ${config.users[0].user.token}`,
    'content-type': 'application/json',
  }
  const ca = Buffer.from(cluster['certificate-authority-data'], 'base64')
  request(`${cluster.server}${path}`, { method, ca, headers, agent: false }, (answer) => {
    answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
  })
    .on('error', reject)
    .end(method === 'POST' ? '{"metadata":{"name":"kept"}}' : undefined)
  return promise
}

const MAPS = '/api/v1/namespaces/default/configmaps'

test('it serves the address of its kubeconfig, and ends with SIGTERM', SLOW, async () => {
  const run = start('--secure-port=0', '--kubeconfig=kc')
  await ready(run)
  expect(run.output()).toMatch(
    /^Ready at https:\/\/127\.0\.0\.1:\d+ after \d+ ms\nexport KUBECONFIG=\S+\/kc\n$/,
  )
  expect(statSync(join(folder, 'kc')).mode & 0o777).toBe(0o600)
  expect(await call('POST', MAPS)).toBe(201)
  run.child.kill('SIGTERM')
  expect(await run.ended).toBe(0)
  expect(run.errors()).toBe('')
})

test('with a data folder the next process has the same objects', SLOW, async () => {
  const args = ['--secure-port=0', '--kubeconfig=kc', '--data-dir=data/here']
  const first = start(...args)
  await ready(first)
  expect(await call('POST', MAPS)).toBe(201)
  const key = readFileSync(join(folder, 'data/here/service-account.key'), 'utf8')
  expect(statSync(join(folder, 'data/here/service-account.key')).mode & 0o777).toBe(0o600)
  first.child.kill('SIGKILL')
  await first.ended
  const second = start(...args)
  await ready(second)
  expect(await call('GET', `${MAPS}/kept`)).toBe(200)
  expect(readFileSync(join(folder, 'data/here/service-account.key'), 'utf8')).toBe(key)
})

test(
  'a damaged folder is refused, and served as far as it can be read if the user accepts the loss',
  SLOW,
  async () => {
    const args = ['--secure-port=0', '--kubeconfig=kc', '--data-dir=data']
    const first = start(...args)
    await ready(first)
    first.child.kill('SIGTERM')
    await first.ended
    truncateSync(join(folder, 'data/store.db'), 0)
    const refused = start(...args)
    expect(await refused.ended).toBe(1)
    expect(refused.errors()).toMatch(
      /^homeostat-apiserver: the store \S+store\.db is incomplete: the file is empty, though revision \d+ was acknowledged\. Restore a backup of the whole folder, or start once with --accept-data-loss/,
    )
    const accepted = start(...args, '--accept-data-loss')
    await ready(accepted)
    expect(accepted.errors()).toMatch(
      /^Data loss accepted: the store .*\n0 objects were read as of change 1; changes 2 to \d+ are lost\. The damaged files are in \S+damaged-\S+\.\n$/,
    )
    expect(await call('GET', MAPS)).toBe(200)
  },
)

test('a port that is in use is reported, and no file is written', SLOW, async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const run = start(`--secure-port=${port}`, '--kubeconfig=kc')
  expect(await run.ended).toBe(1)
  expect(run.errors()).toContain(`port ${port} on 127.0.0.1 is in use by another program`)
  expect(existsSync(join(folder, 'kc'))).toBe(false)
  other.close()
})

test('users of a file of tokens have their rights', SLOW, async () => {
  writeFileSync(join(folder, 'tokens'), 'secret-1,jane,7,"system:masters"\n')
  const run = start('--secure-port=0', '--kubeconfig=kc', '--token-auth-file=tokens')
  await ready(run)
  const config = readFileSync(join(folder, 'kc'), 'utf8')
  writeFileSync(join(folder, 'jane'), config.replace(/token: .*/, 'token: secret-1'))
  expect(await call('GET', MAPS, join(folder, 'jane'))).toBe(200)
  writeFileSync(join(folder, 'unknown'), config.replace(/token: .*/, 'token: secret-2'))
  expect(await call('GET', MAPS, join(folder, 'unknown'))).toBe(401)
})

test('files that it cannot read or write are named, with a remedy', SLOW, async () => {
  const runs = [
    start('--secure-port=0', '--kubeconfig=none/kc'),
    start('--secure-port=0', '--token-auth-file=none'),
    start('--secure-port=0', '--client-ca-file=none'),
    start('--secure-port=x'),
    start('--secure-prot=1'),
  ]
  expect(await Promise.all(runs.map((run) => run.ended))).toEqual([1, 1, 1, 2, 2])
  const said = runs.map((run) => run.errors().split('\n')[0])
  expect(said).toEqual([
    expect.stringMatching(/^homeostat-apiserver: --kubeconfig: cannot write \S+none\/kc: ENOENT/),
    expect.stringMatching(/^homeostat-apiserver: --token-auth-file: cannot read none: ENOENT/),
    expect.stringMatching(/^homeostat-apiserver: --client-ca-file: cannot read none: ENOENT/),
    expect.stringMatching(/^homeostat-apiserver: --secure-port=x is not a port/),
    'homeostat-apiserver: there is no option --secure-prot; did you mean --secure-port?',
  ])
})

test('help and version are printed, and the process ends', SLOW, async () => {
  const [help, version] = [start('--help'), start('--version')]
  expect(await Promise.all([help.ended, version.ended])).toEqual([0, 0])
  for (const flag of ['--data-dir', '--secure-port', '--bind-address', '--kubeconfig', '--print-assets']) {
    expect(help.output()).toContain(`  ${flag}`)
  }
  expect(version.output()).toMatch(/^homeostat-apiserver \d+\.\d+\.\d+ \(Kubernetes v1\.36\.\d\S*\)\n$/)
})

test('the stand-ins of envtest are programs in a folder', SLOW, async () => {
  const run = start('--print-assets')
  expect(await run.ended).toBe(0)
  const assets = run.output().trim()
  for (const name of ['kube-apiserver', 'etcd']) {
    const program = join(assets, name)
    expect(statSync(program).mode & 0o111).toBe(0o111)
    const help = spawn(program, ['--help'], { cwd: folder, env: {}, stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    help.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    expect((await once(help, 'close'))[0]).toBe(0)
    expect(text).not.toMatch(/^\s*--insecure-port\b/m)
    expect(text).toContain(name === 'etcd' ? '--unsafe-no-fsync' : '--service-account-signing-key-file')
  }
})

/** The flags that Go's envtest gives a kube-apiserver, and those of the test. */
function standIn(...args: string[]): Run {
  writeFileSync(join(folder, 'tokens'), 'secret,admin,1,system:masters\n')
  return start(
    '--as=kube-apiserver',
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    '--etcd-servers=http://127.0.0.1:2379',
    '--allow-privileged=true',
    '--token-auth-file=tokens',
    ...args,
  )
}

/** Sends one request to the stand-in; returns the answer's body. */
async function ask(run: Run, method: string, path: string, body?: object): Promise<any> {
  while (!run.output().includes('Ready at')) await once(run.child.stdout, 'data')
  const url = /Ready at (\S+)/.exec(run.output())?.[1] ?? ''
  const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' }
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  request(`${url}${path}`, { method, headers, rejectUnauthorized: false, agent: false }, (answer) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    answer.on('end', () => resolve(text))
  })
    .on('error', reject)
    .end(body && JSON.stringify(body))
  return JSON.parse(await promise)
}

test('the stand-in applies common flags, and names each that it cannot apply', SLOW, async () => {
  const run = standIn(
    '--service-cluster-ip-range=10.0.0.0/24',
    '--advertise-address=192.0.2.1',
    '--authorization-mode=RBAC,Node',
    '--enable-admission-plugins=OwnerReferencesPermissionEnforcement,ImagePolicyWebhook',
    '--disable-admission-plugins=ServiceAccount,LimitRanger,NamespaceLifecycle',
    '--feature-gates=AllAlpha=true,WatchList=false',
    '--runtime-config=batch/v1=false,apps/v1beta1=true',
    '--max-requests-inflight=1',
    '--goaway-chance=0.1',
  )
  const services = '/api/v1/namespaces/default/services'
  expect((await ask(run, 'GET', `${services}/kubernetes`)).spec.clusterIP).toBe('10.0.0.1')
  const made = await ask(run, 'POST', services, {
    metadata: { name: 'a' },
    spec: { ports: [{ port: 80 }] },
  })
  expect(made.spec.clusterIP).toMatch(/^10\.0\.0\.\d+$/)
  const outside = { metadata: { name: 'b' }, spec: { clusterIP: '10.96.0.9', ports: [{ port: 80 }] } }
  expect((await ask(run, 'POST', services, outside)).code).toBe(422)
  const { spec } = await ask(run, 'GET', '/apis/networking.k8s.io/v1/servicecidrs/kubernetes')
  expect(spec.cidrs).toEqual(['10.0.0.0/24'])
  const { subsets } = await ask(run, 'GET', '/api/v1/namespaces/default/endpoints/kubernetes')
  expect(subsets[0].addresses).toEqual([{ ip: '192.0.2.1' }])
  const limits = { metadata: { name: 'l' }, spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } }
  await ask(run, 'POST', '/api/v1/namespaces/default/limitranges', limits)
  const containers = [{ name: 'a', image: 'a', resources: { limits: { cpu: '2' } } }]
  const pod = { metadata: { name: 'p' }, spec: { containers } }
  expect((await ask(run, 'POST', '/api/v1/namespaces/default/pods', pod)).kind).toBe('Pod')
  const watch = '/api/v1/pods?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan'
  expect((await ask(run, 'GET', watch)).message).toContain('unless the WatchList feature gate is enabled')
  expect(run.errors().trimEnd().split('\n')).toEqual([
    'kube-apiserver: --goaway-chance has no effect: this is Homeostat’s stand-in',
    'kube-apiserver: --enable-admission-plugins: this server has no admission plugin ImagePolicyWebhook',
    'kube-apiserver: --disable-admission-plugins: NamespaceLifecycle is always on',
    'kube-apiserver: --feature-gates: AllAlpha=true has no effect: AllAlpha stays off here',
    'kube-apiserver: --runtime-config: apps/v1beta1=true has no effect: this server does not have this version',
    'kube-apiserver: --authorization-mode: Node has no effect: this server has RBAC, Webhook, AlwaysAllow and AlwaysDeny',
  ])
})

test('the stand-in refuses a network that Services cannot have', SLOW, async () => {
  const run = standIn('--service-cluster-ip-range=fd00::/108')
  expect(await run.ended).toBe(1)
  expect(run.errors()).toContain('"fd00::/108" is not a network for Services')
})

test('it serves another release of Kubernetes, and its stand-ins too', SLOW, async () => {
  const run = start('--secure-port=0', '--kubeconfig=kc', '--kubernetes-version=1.33')
  await ready(run)
  expect(await call('GET', '/apis/resource.k8s.io/v1/deviceclasses')).toBe(404)
  run.child.kill('SIGTERM')
  const assets = start('--print-assets', '--kubernetes-version=v1.34.4')
  expect(await assets.ended).toBe(0)
  expect(assets.output()).toMatch(/-1\.34\n$/)
  const standIn = readFileSync(join(assets.output().trim(), 'kube-apiserver'), 'utf8')
  expect(standIn).toContain(`'--as=kube-apiserver' '--kubernetes-version=1.34' "$@"`)
  const version = start('--as=kube-apiserver', '--kubernetes-version=1.34', '--version')
  expect(await version.ended).toBe(0)
  expect(version.output()).toBe('Kubernetes v1.34.4+homeostat\n')
})

test.each([
  ['1.20', 'Kubernetes "1.20" is not available here'],
  ['latest', 'Kubernetes "latest" is not available here'],
  ['1.34.1', 'Kubernetes "1.34.1" is not available; the only patch of 1.34 here is 1.34.4'],
])(
  'it does not serve Kubernetes %s, and names the releases that it serves',
  SLOW,
  async (version, problem) => {
    for (const program of [[], ['--as=kube-apiserver']]) {
      const run = start(...program, '--secure-port=0', `--kubernetes-version=${version}`)
      expect(await run.ended).toBe(1)
      expect(run.errors()).toContain(`apiserver: ${problem}: use 1.33, 1.34, 1.35 or 1.36\n`)
    }
  },
)
