import { existsSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasKubectl } from '../kubectl/has-kubectl.ts'
import { runCluster } from './run-cluster.ts'

const SLOW = { timeout: 240_000 }

describe('npm run cluster', SLOW, () => {
  it('says how to reach it, keeps that to its owner, and leaves nothing behind on Ctrl-C', async () => {
    await using cluster = runCluster()
    const [, file] = await cluster.printed(
      /^Ready at https:\/\/127\.0\.0\.1:\d+ after \d+ ms\nexport KUBECONFIG=(\S+)$/m,
    )
    expect(file).toBe(cluster.kubeconfig)
    expect(statSync(cluster.kubeconfig).mode & 0o777).toBe(0o600)
    await cluster.printed(/default +service\/kubernetes +ClusterIP +10\.96\.0\.1 +443\/TCP/)
    await cluster.end('SIGINT')
    expect(await cluster.ends(0)).toContain('Stopped: nothing is left running.')
    expect(readdirSync(cluster.folder)).toEqual([])
  })

  it('ends with 0 on SIGTERM too', async () => {
    await using cluster = runCluster()
    await cluster.printed(/KUBECONFIG/)
    expect(await cluster.end('SIGTERM')).toBe(0)
  })

  it.skipIf(!hasKubectl)('runs what kubectl asks for, and shows it', async () => {
    await using cluster = runCluster(['--image', 'example/sleeper=sleep 1000', '--nodes=2'])
    await cluster.printed(/Ctrl-C/)
    expect(await cluster.kubectl('get', 'nodes', '-o', 'name')).toBe('node/homeostat-1\nnode/homeostat-2\n')
    await cluster.kubectl('create', 'deployment', 'web', '--image=example/sleeper', '--replicas=2')
    await cluster.kubectl('rollout', 'status', 'deployment/web', '--timeout=60s')
    await cluster.printed(/default +pod\/web-\S+ +1\/1 +Running/)
    expect(await cluster.kubectl('get', 'pods', '--no-headers')).toMatch(
      /^(?:web-\S+ +1\/1 +Running +0 +\S+\n){2}$/,
    )
    const nodes = await cluster.kubectl('get', 'pods', '-o', 'jsonpath={.items[*].spec.nodeName}')
    expect(nodes.split(' ').sort()).toEqual(['homeostat-1', 'homeostat-2'])
    await cluster.kubectl('delete', 'deployment', 'web')
    await cluster.printed(/default +pod\/web-\S+ +deleted/)
  })

  it('says why processes find Services by variables alone, where they do', async () => {
    await using other = runCluster(['--help'])
    await other.exited
    const file = join(other.folder, 'config.mjs')
    writeFileSync(file, 'export default { processNames: false }\n')
    await using cluster = runCluster([`--config=${file}`])
    const said =
      /^Processes other than Node find Services by environment variables .*: processNames is false\.$/m
    await expect(cluster.printed(said)).resolves.toBeDefined()
  })

  it('encrypts its data folder and writes an audit log, by the flags of kube-apiserver', async () => {
    await using other = runCluster(['--help'])
    await other.exited
    const inFolder = (name: string) => join(other.folder, name)
    const secret = Buffer.alloc(32, 1).toString('base64')
    writeFileSync(
      inFolder('encryption.yaml'),
      `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: ['*.*']
  providers:
  - aescbc: { keys: [{ name: key1, secret: ${secret} }] }
`,
    )
    writeFileSync(
      inFolder('policy.yaml'),
      'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n',
    )
    await using cluster = runCluster([
      `--data-dir=${inFolder('data')}`,
      `--encryption-provider-config=${inFolder('encryption.yaml')}`,
      `--audit-policy-file=${inFolder('policy.yaml')}`,
      `--audit-log-path=${inFolder('audit.log')}`,
    ])
    await cluster.printed(/KUBECONFIG/)
    expect(await cluster.end('SIGTERM')).toBe(0)
    const stored = readdirSync(inFolder('data'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('store.db'))
      .map((name) => readFileSync(join(inFolder('data'), name), 'latin1'))
      .join('')
    expect(stored).toContain('k8s:enc:aescbc:v1:key1:')
    expect(stored).not.toContain('"kind":"Namespace"')
    const [event = ''] = readFileSync(inFolder('audit.log'), 'utf8').split('\n')
    expect(JSON.parse(event)).toMatchObject({ kind: 'Event', apiVersion: 'audit.k8s.io/v1' })
  })

  it.skipIf(!hasKubectl)(
    'has the users and the authorizers of kube-apiserver’s flags, also when a file changes',
    async () => {
      await using other = runCluster(['--help'])
      await other.exited
      const inFolder = (name: string) => join(other.folder, name)
      const authorizers = (...types: readonly string[]): void => {
        const all = types.map((type) => ({ type, name: type.toLowerCase() }))
        const configuration = {
          apiVersion: 'apiserver.config.k8s.io/v1',
          kind: 'AuthorizationConfiguration',
          authorizers: all,
        }
        writeFileSync(inFolder('next.yaml'), JSON.stringify(configuration))
        renameSync(inFolder('next.yaml'), inFolder('authorization.yaml'))
      }
      writeFileSync(inFolder('tokens.csv'), 'secret,jane,7,"ops"\n')
      authorizers('RBAC')
      await using cluster = runCluster([
        `--token-auth-file=${inFolder('tokens.csv')}`,
        `--authorization-config=${inFolder('authorization.yaml')}`,
      ])
      await cluster.printed(/KUBECONFIG/)
      const asJane = (...args: string[]) => cluster.kubectl('--token=secret', ...args)
      expect(await asJane('auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}')).toBe('jane')
      await expect(asJane('get', 'nodes')).rejects.toThrow('forbidden')
      authorizers('AlwaysDeny')
      await cluster.printed(/its previous content stays in effect: .*missing required types: \[RBAC\]/)
      await expect(asJane('get', 'nodes')).rejects.toThrow('forbidden')
      authorizers('RBAC', 'AlwaysAllow')
      await cluster.printed(/authorization\.yaml has changed, and its new content is in effect/)
      expect(await asJane('get', 'nodes', '-o', 'name')).toContain('node/')
    },
  )

  it.skipIf(!hasKubectl)('with a data folder carries on where it was', async () => {
    await using first = runCluster(['--data-dir=data'])
    await first.printed(/Ctrl-C/)
    await first.kubectl('create', 'configmap', 'kept', '--from-literal=colour=red')
    await first.kubectl('create', 'deployment', 'web', '--image=registry.k8s.io/pause:3.10')
    await first.kubectl('rollout', 'status', 'deployment/web', '--timeout=60s')
    const uid = await first.kubectl('get', 'pods', '-o', 'jsonpath={.items[*].metadata.uid}')
    expect(await first.end('SIGINT')).toBe(0)
    await using second = runCluster(['--data-dir=data'], first.folder)
    await second.printed(/Ctrl-C/)
    expect(await second.kubectl('get', 'configmap', 'kept', '-o', 'jsonpath={.data.colour}')).toBe('red')
    await second.kubectl('rollout', 'status', 'deployment/web', '--timeout=60s')
    expect(await second.kubectl('get', 'pods', '-o', 'jsonpath={.items[*].metadata.uid}')).toBe(uid)
  })
})

describe('a mistake is explained', SLOW, () => {
  it('a port that is taken', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    await using cluster = runCluster([`--port=${port}`])
    expect(await cluster.ends(1)).toMatch(
      new RegExp(`^homeostat-cluster: port ${port} on 127.0.0.1 is in use.*--port=0\n$`),
    )
    taken.close()
  })

  it('a folder that another cluster has, which goes on', async () => {
    await using first = runCluster(['--data-dir=data'])
    await first.printed(/KUBECONFIG/)
    await using second = runCluster(['--data-dir=data'], first.folder)
    expect(await second.ends(1)).toMatch(
      new RegExp(
        `^homeostat-cluster: another cluster uses the folder \\S+ \\(process ${first.pid}\\): stop it`,
      ),
    )
    expect(existsSync(join(first.folder, 'data', 'cluster.pid'))).toBe(true)
  })

  it('a folder whose cluster was killed is taken over', async () => {
    await using first = runCluster(['--data-dir=data'])
    // Before this line it tries what separates processes, in a temporary folder that it could not remove any more.
    await first.printed(/Ctrl-C/)
    await first.end('SIGKILL')
    await using second = runCluster(['--data-dir=data'], first.folder)
    await expect(second.printed(/KUBECONFIG/)).resolves.toBeDefined()
  })

  it.each([
    [['--prot=1'], 2, "Unknown option '--prot'"],
    [['--port=http'], 2, '--port=http is not a port'],
    [['--nodes=0'], 1, 'nodes: 0 is not a number of nodes'],
    [['--nodes=a,a'], 1, 'nodes: the node a is listed twice'],
    [['--nodes=A'], 1, 'nodes: "A" is not a valid name for a node'],
    [['--image=web'], 2, '--image=web is not a mapping'],
    [['--image=web="node'], 2, '--image=web="node: the quote " is not closed'],
    [['--config=none.mjs'], 1, '--config: '],
    [['--encryption-provider-config=a'], 2, '--encryption-provider-config needs --data-dir'],
    [['--authorization-mode=Magic'], 2, 'authorization-mode "Magic" is not a valid mode'],
    [['--oidc-client-id=me'], 2, 'oidc-issuer-url and oidc-client-id must be specified together'],
    [['--authorization-config=none.yaml'], 1, '--authorization-config: cannot read none.yaml'],
    [['--client-ca-file=none.pem'], 1, '--client-ca-file: cannot read none.pem'],
    [['--audit-log-path=-'], 2, 'an audit log needs --audit-policy-file and --audit-log-path'],
    [
      ['--audit-policy-file=a', '--audit-log-path=-', '--audit-log-format=legacy'],
      2,
      '--audit-log-format=legacy is not supported',
    ],
  ])('%j', async (args, code, message) => {
    await using cluster = runCluster(args)
    const output = await cluster.ends(code)
    expect(output).toContain(`homeostat-cluster: ${message}`)
    expect(output).not.toContain('    at ')
  })

  it('a config file with an unknown option', async () => {
    await using cluster = runCluster(['--help'])
    await cluster.exited
    const file = join(cluster.folder, 'config.mjs')
    writeFileSync(file, 'export default { image: {} }\n')
    await using wrong = runCluster([`--config=${file}`])
    expect(await wrong.ends(1)).toContain(
      'it has no option "image": the options are images, nodes, hostCommands, hostPaths',
    )
  })

  it('authorizers of a config file that are wrong, or that flags name too', async () => {
    await using cluster = runCluster(['--help'])
    await cluster.exited
    const file = join(cluster.folder, 'config.mjs')
    writeFileSync(file, 'export default { authorization: { kind: "AuthorizationConfiguration" } }\n')
    await using wrong = runCluster([`--config=${file}`])
    expect(await wrong.ends(1)).toContain('the AuthorizationConfiguration is invalid')
    await using twice = runCluster([`--config=${file}`, '--authorization-mode=AlwaysAllow'])
    expect(await twice.ends(2)).toContain(
      'authorization is given twice, in the file of --config and by flags',
    )
  })

  it('help and version are for people, and end at once', async () => {
    await using help = runCluster(['--help'])
    const said = await help.ends(0)
    for (const flag of [
      '--port',
      '--nodes',
      '--data-dir',
      '--kubeconfig',
      '--image',
      '--config',
      '--host-commands',
    ]) {
      expect(said).toContain(`  ${flag}`)
    }
    await using version = runCluster(['--version'])
    expect(await version.ends(0)).toMatch(/^homeostat-cluster \d+\.\d+\.\d+\n$/)
  })
})
