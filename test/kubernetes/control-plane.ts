import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HomeostatError } from '@homeostat/api'
import { findBinaries, PROGRAMS_OF_OTHERS, type Program } from './binaries.ts'
import { ProcessGroup } from './process-group.ts'

/** A real Kubernetes API that runs on this machine: etcd, kube-apiserver, and perhaps kube-controller-manager. */
export interface ControlPlane extends AsyncDisposable {
  /** The path of a kubeconfig file whose user may do everything. */
  readonly kubeconfig: string
  readonly url: string
  /** The bearer token of that user. */
  readonly token: string
  /** The certificate to trust, in PEM. */
  readonly certificateAuthority: string
  /** The processes that it consists of. */
  readonly pids: readonly number[]
  /** Whether controllers run: garbage collection, Deployments, endpoints, namespaces. Never a node. */
  readonly controllers: boolean
  /** Ends kube-apiserver at once, in the middle of whatever it does. */
  killServer(): Promise<void>
  /** Starts it again on what etcd has stored, and waits until it is ready. */
  startServer(): Promise<void>
  /**
   * Waits for what a server makes for itself only after it says that it is ready: the namespace `default`, and the
   * Service `kubernetes` in it, which shows that Services get addresses.
   */
  settled(): Promise<void>
  /** Ends all of it and removes its files. */
  stop(): Promise<void>
}

export interface ControlPlaneOptions {
  /** The folder with etcd and kube-apiserver of another release. Default: the one that `findBinaries` finds. */
  readonly directory?: string | undefined
  /**
   * Whether kube-controller-manager runs too. `'available'`: where the program is there (envtest's
   * folders have none). Default: false.
   */
  readonly controllerManager?: boolean | 'available' | undefined
  /** Whether etcd waits for the disk before it acknowledges a write. Default: false, which is faster. */
  readonly fsync?: boolean | undefined
  /** How much etcd may store, in bytes. Default: etcd's own limit. */
  readonly quotaBytes?: number | undefined
  /** Authorities, in PEM, whose client certificates log in. Default: none. */
  readonly clientAuthorities?: string | undefined
  /**
   * The address that kube-apiserver writes into the endpoints of the Service `kubernetes`; it does not accept a loopback address. It
   * listens on loopback all the same. Default: it writes none.
   */
  readonly endpointAddress?: string | undefined
  /**
   * The path of a Unix socket whose listener takes HTTP CONNECT: all connections of kube-apiserver to nodes, Pods and Services
   * go through it. Default: kube-apiserver connects by itself.
   */
  readonly egressSocket?: string | undefined
  /** Whether every Pod must name an existing ServiceAccount and gets its token. Default: false. */
  readonly serviceAccountAdmission?: boolean | undefined
  /** Further flags of kube-controller-manager. Default: none. */
  readonly controllerManagerFlags?: readonly string[] | undefined
  /** Further flags of kube-apiserver. Default: none. */
  readonly serverFlags?: readonly string[] | undefined
  /** How long it may take until it is ready, in milliseconds. Default: 180,000. */
  readonly timeout?: number | undefined
}

/** Starts a control plane on free loopback ports and waits until it is ready. What it makes then: `settled()`. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { directory, programs } = options.directory
    ? { directory: options.directory, programs: new Set<Program>(PROGRAMS_OF_OTHERS) }
    : findBinaries()
  const controllers =
    options.controllerManager === 'available'
      ? programs.has('kube-controller-manager')
      : (options.controllerManager ?? false)
  if (controllers && !programs.has('kube-controller-manager')) {
    throw new HomeostatError(
      'KUBERNETES_MISSING',
      `There is no kube-controller-manager in ${directory}: unset KUBEBUILDER_ASSETS and run "npm run kubernetes"`,
    )
  }

  const { endpointAddress, timeout = 180_000 } = options
  const group = await ProcessGroup.create()
  try {
    const [etcdPort, peerPort, apiPort] = await freePorts(3)
    const file = (name: string) => join(group.directory, name)
    const etcd = `http://127.0.0.1:${etcdPort}`
    const url = `https://127.0.0.1:${apiPort}`
    const token = randomBytes(24).toString('hex')
    await writeFile(file('tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 })
    await writeServiceAccountKeys(file('service-account'))
    const { clientAuthorities, egressSocket } = options
    if (egressSocket !== undefined) await writeFile(file('egress.yaml'), egressConfiguration(egressSocket))
    if (clientAuthorities !== undefined) await writeFile(file('client-ca.crt'), clientAuthorities)

    group.start('etcd', join(directory, 'etcd'), [
      `--data-dir=${file('etcd')}`,
      ...(options.fsync ? [] : ['--unsafe-no-fsync']),
      ...(options.quotaBytes === undefined ? [] : [`--quota-backend-bytes=${options.quotaBytes}`]),
      `--listen-client-urls=${etcd}`,
      `--advertise-client-urls=${etcd}`,
      `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
      '--log-level=warn',
    ])
    const startServer = async (): Promise<string> => {
      group.start('kube-apiserver', join(directory, 'kube-apiserver'), [
        `--etcd-servers=${etcd}`,
        '--bind-address=127.0.0.1',
        `--secure-port=${apiPort}`,
        `--cert-dir=${file('certificates')}`,
        `--token-auth-file=${file('tokens.csv')}`,
        ...(options.serverFlags?.some((flag) => flag.startsWith('--authorization-'))
          ? []
          : ['--authorization-mode=RBAC']),
        ...(options.serviceAccountAdmission ? [] : ['--disable-admission-plugins=ServiceAccount']),
        // As on some distributions: it concerns only users who may not do everything.
        '--enable-admission-plugins=OwnerReferencesPermissionEnforcement',
        '--service-account-issuer=https://kubernetes.default.svc',
        `--service-account-key-file=${file('service-account.pub')}`,
        `--service-account-signing-key-file=${file('service-account.key')}`,
        '--service-cluster-ip-range=10.96.0.0/16',
        ...(endpointAddress === undefined
          ? ['--endpoint-reconciler-type=none']
          : [`--advertise-address=${endpointAddress}`]),
        '--allow-privileged=true',
        ...(clientAuthorities === undefined ? [] : [`--client-ca-file=${file('client-ca.crt')}`]),
        ...(egressSocket === undefined ? [] : [`--egress-selector-config-file=${file('egress.yaml')}`]),
        ...(options.serverFlags ?? []),
      ])
      return ready(group, url, token, timeout)
    }
    const certificateAuthority = await startServer()
    await writeFile(file('kubeconfig'), kubeconfig(url, token, certificateAuthority), { mode: 0o600 })

    if (controllers) {
      group.start('kube-controller-manager', join(directory, 'kube-controller-manager'), [
        `--kubeconfig=${file('kubeconfig')}`,
        '--leader-elect=false',
        '--secure-port=0',
        `--root-ca-file=${file('certificates/apiserver.crt')}`,
        `--service-account-private-key-file=${file('service-account.key')}`,
        '--kube-api-qps=200',
        '--kube-api-burst=400',
        ...(options.controllerManagerFlags ?? []),
      ])
    }
    return {
      kubeconfig: file('kubeconfig'),
      url,
      token,
      certificateAuthority,
      pids: group.pids,
      controllers,
      killServer: () => group.kill('kube-apiserver'),
      startServer: async () => void (await startServer()),
      settled: () => {
        const service = () => answers(url, token, certificateAuthority, SERVICE)
        return waitFor(group, timeout, 'has not made its own Service', service)
      },
      stop: () => group.stop(),
      [Symbol.asyncDispose]: () => group.stop(),
    }
  } catch (error) {
    await group.stop()
    throw error
  }
}

/** JSON is YAML too. */
function egressConfiguration(udsName: string): string {
  const connection = { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName } } }
  return JSON.stringify({
    apiVersion: 'apiserver.k8s.io/v1beta1',
    kind: 'EgressSelectorConfiguration',
    egressSelections: [{ name: 'cluster', connection }],
  })
}

/** Below the ports that systems give to outgoing connections, so that none of those takes one in the meantime. */
const [FIRST_PORT, LAST_PORT] = [15_000, 29_999]

/** Ports that were free a moment ago. All are held until the last is found, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers: Server[] = []
  while (servers.length < count) {
    const server = createServer()
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    if (await promise) servers.push(server)
  }
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

async function writeServiceAccountKeys(path: string): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  await writeFile(`${path}.key`, privateKey, { mode: 0o600 })
  await writeFile(`${path}.pub`, publicKey)
}

const SERVICE = '/api/v1/namespaces/default/services/kubernetes'

/** Waits until the API server says that it is ready, and gives the certificate that it made for itself. */
async function ready(group: ProcessGroup, url: string, token: string, timeout: number): Promise<string> {
  let ca = ''
  await waitFor(group, timeout, 'was not ready', async () => {
    ca = await readFile(join(group.directory, 'certificates', 'apiserver.crt'), 'utf8').catch(() => '')
    return ca.trimEnd().endsWith('-----END CERTIFICATE-----') && answers(url, token, ca, '/readyz')
  })
  return ca
}

async function waitFor(
  group: ProcessGroup,
  timeout: number,
  problem: string,
  check: () => Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + timeout
  while (true) {
    await group.expectRunning()
    if (await check()) return
    if (performance.now() > deadline) {
      throw new HomeostatError(
        'KUBERNETES_NOT_READY',
        `kube-apiserver ${problem} after ${timeout / 1000} s. The end of its log:\n${await group.logTail('kube-apiserver')}`,
      )
    }
    await sleep(100)
  }
}

/** Whether a path is answered with 200. */
function answers(url: string, token: string, ca: string, path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const options = {
    ca,
    headers: { authorization: `Bearer ${token}` },
    agent: false,
    timeout: 10_000,
  } as const
  const asked = request(`${url}${path}`, options, (response) => resolve(response.resume().statusCode === 200))
  asked.on('timeout', () => asked.destroy())
  asked.on('error', () => resolve(false))
  asked.end()
  return promise
}

function kubeconfig(server: string, token: string, certificateAuthority: string): string {
  const name = 'kubernetes'
  const document = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: {
          server,
          'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64'),
        },
      },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  }
  // JSON is YAML too.
  return `${JSON.stringify(document, null, 2)}\n`
}
