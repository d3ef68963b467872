import { parseArgs } from 'node:util'
import { HomeostatError } from '@homeostat/api'
import { imageFlag, type ImageMap } from '../images/index.ts'

/** The parsed command line. */
export interface CommandLine {
  readonly port: number
  readonly nodes: number | readonly string[] | undefined
  readonly dataDir: string | undefined
  readonly acceptDataLoss: boolean
  readonly kubernetesVersion: string | undefined
  readonly kubeconfig: string | undefined
  readonly config: string | undefined
  readonly images: ImageMap
  readonly hostCommands: boolean
  readonly hostPaths: boolean
  readonly quiet: boolean
  /** The file with an EncryptionConfiguration. */
  readonly encryption: string | undefined
  /** The values of the flags of the audit log. */
  readonly audit: Readonly<Partial<Record<(typeof AUDIT)[number], string | undefined>>>
  /** The port of the page that shows the cluster; nothing where none is served. */
  readonly pagePort: number | undefined
}

const DEFAULT_PORT = 6443
const ENCRYPTION = 'encryption-provider-config'
/** The flags of the audit log, which are kube-apiserver's. */
const AUDIT = [
  'audit-policy-file',
  'audit-log-path',
  'audit-log-format',
  'audit-log-maxsize',
  'audit-log-maxbackup',
  'audit-log-maxage',
] as const

export const HELP = `Usage: homeostat-cluster [options]        (in the repository: npm run cluster -- [options])

A small Kubernetes in one process: the API, the controllers of workloads, and nodes that run Pods as processes of this
machine. It runs until Ctrl-C, and leaves nothing behind but what --data-dir keeps.

Options:
  --port=PORT            where the API listens on 127.0.0.1; 0 means any free port, or with --data-dir the one of the
                         last time (default ${DEFAULT_PORT})
  --nodes=NODES          how many nodes there are, or their names joined by commas (default 1)
  --data-dir=FOLDER      where to keep objects, volumes, certificates and tokens (default: gone with the process)
  --kubernetes-version=VERSION
                         the release of Kubernetes whose API is served: 1.33, 1.34, 1.35 or 1.36 (default 1.36)
  --accept-data-loss     start with what can be read of a damaged --data-dir; the damaged files are moved aside
  --encryption-provider-config=FILE
                         an EncryptionConfiguration: which objects are encrypted in --data-dir, and by which keys
  --audit-policy-file=FILE, --audit-log-path=FILE
                         which requests are written to the audit log, and where it is; - means the standard output. Also
                         --audit-log-format (json), -maxsize, -maxbackup and -maxage, as for kube-apiserver
  --kubeconfig=FILE      where to write the kubeconfig (default: kubeconfig in the data folder, or .homeostat/cluster.kubeconfig)
  --image=NAME=COMMAND   what runs for the image of that name: a command of this machine with its arguments, where
                         ./PATH is a path from here; may be repeated. Commands after semicolons are those that a Pod may
                         name in its own command: "NAME=COMMAND; ./migrate; psql"
  --config=FILE          a module whose default export has images, nodes, hostCommands, hostPaths, processNames, separation and
                         processLimit as Cluster.start takes them
  --host-commands        make busybox the shell of this machine, and let Pods of mapped images run any command of it and
                         give any arguments to an interpreter (node, python, sh …)
  --host-paths           let Pods mount paths of this machine
  --page                 serve a page with the objects of the cluster and what its controllers do, now and at any earlier moment;
                         its address is printed
  --page-port=PORT       where the page is served on 127.0.0.1 (default: any port that is free)
  --quiet                do not print changes of Pods and Services
  --version              print the version, and end
  --help                 print this, and end

Examples:
  npm run cluster -- --data-dir=.homeostat/data --nodes=2
  npm run cluster -- --image "example/web=node ./server.js --port 8080"
  npm run cluster -- --image "example/operator=./bin/manager; ./bin/migrate"
`

/** Reads the command line. Fails with `USAGE` where it is wrong. */
export function readCommandLine(args: readonly string[]): CommandLine | 'help' | 'version' {
  const values = parse(args)
  if (values.help) return 'help'
  if (values.version) return 'version'
  for (const name of [
    'data-dir',
    'kubernetes-version',
    'kubeconfig',
    'config',
    'nodes',
    ENCRYPTION,
    ...AUDIT,
  ] as const) {
    if (values[name] === '') throw usage(`--${name} needs a value`)
  }
  return {
    port: portOf('port', values.port) ?? DEFAULT_PORT,
    nodes: nodesOf(values.nodes),
    dataDir: values['data-dir'],
    acceptDataLoss: values['accept-data-loss'] ?? false,
    kubernetesVersion: values['kubernetes-version'],
    kubeconfig: values.kubeconfig,
    config: values.config,
    images: Object.fromEntries((values.image ?? []).map((text) => imageFlag(text, process.cwd()))),
    hostCommands: values['host-commands'] ?? false,
    hostPaths: values['host-paths'] ?? false,
    quiet: values.quiet ?? false,
    encryption: values[ENCRYPTION],
    audit: Object.fromEntries(AUDIT.map((name) => [name, values[name]])),
    pagePort: portOf('page-port', values['page-port']) ?? (values.page ? 0 : undefined),
  }
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        nodes: { type: 'string' },
        'data-dir': { type: 'string' },
        'accept-data-loss': { type: 'boolean' },
        'kubernetes-version': { type: 'string' },
        [ENCRYPTION]: { type: 'string' },
        'audit-policy-file': { type: 'string' },
        'audit-log-path': { type: 'string' },
        'audit-log-format': { type: 'string' },
        'audit-log-maxsize': { type: 'string' },
        'audit-log-maxbackup': { type: 'string' },
        'audit-log-maxage': { type: 'string' },
        kubeconfig: { type: 'string' },
        image: { type: 'string', multiple: true },
        config: { type: 'string' },
        'host-commands': { type: 'boolean' },
        'host-paths': { type: 'boolean' },
        page: { type: 'boolean' },
        'page-port': { type: 'string' },
        quiet: { type: 'boolean' },
        version: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    return values
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error))
  }
}

function portOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw usage(`--${name}=${text} is not a port: give a number from 0 to 65535, where 0 means any free port`)
}

function nodesOf(text: string | undefined): number | string[] | undefined {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  return text.split(',').map((name) => name.trim())
}

function usage(message: string): HomeostatError {
  return new HomeostatError('USAGE', message)
}
