import { parseArgs, type ParseArgsOptionDescriptor } from 'node:util'
import { HomeostatError } from '@homeostat/api'
import { flagsHelp, SERVER_FLAGS, type ServerFlag } from '@homeostat/apiserver/flags'
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
  /** The value of a flag of kube-apiserver. */
  readonly server: (flag: ServerFlag) => string | undefined
  /** The port of the page that shows the cluster; nothing where none is served. */
  readonly pagePort: number | undefined
}

const DEFAULT_PORT = 6443
/** The flags of kube-apiserver that a cluster has, too. */
const SERVER: Readonly<Record<string, { readonly type: 'string' }>> = Object.fromEntries(
  Object.keys(SERVER_FLAGS).map((name): [string, { readonly type: 'string' }] => [name, { type: 'string' }]),
)

export const HELP = `Usage: homeostat-cluster [options]        (in the repository: npm run cluster -- [options])

A small Kubernetes in one process: the API, the controllers of workloads, and nodes that run Pods as processes of this
machine. It runs until Ctrl-C, and leaves nothing behind but what --data-dir keeps.

Options:
  --port=PORT            where the API listens on 127.0.0.1; 0 means the port of the last start on the same
                         --data-dir, or else any free port (default ${DEFAULT_PORT})
  --nodes=NODES          how many nodes there are, or their names joined by commas (default 1)
  --data-dir=FOLDER      where to keep objects, volumes, certificates and tokens (default: they are lost when the process ends)
  --kubernetes-version=VERSION
                         the release of Kubernetes whose API the cluster serves: 1.33, 1.34, 1.35 or 1.36 (default 1.36)
  --accept-data-loss     start with what can be read of a damaged --data-dir; the damaged files are moved aside
  --kubeconfig=FILE      where to write the kubeconfig (default: kubeconfig in the data folder, or .homeostat/cluster.kubeconfig)
  --image=NAME=COMMAND   what runs for the image of that name: a command of this machine with its arguments, where
                         ./PATH is a path from here; may be repeated. Commands after semicolons are those that a Pod may
                         name in its own command: "NAME=COMMAND; ./migrate; psql"
  --config=FILE          a module whose default export has images, nodes, hostCommands, hostPaths, processNames, separation,
                         processLimit, authentication, authorization and tokenWebhook as Cluster.start takes them
  --host-commands        make busybox the shell of this machine, and let Pods of mapped images run any command of it and
                         give any arguments to an interpreter (node, python, sh …)
  --host-paths           let Pods mount paths of this machine
  --page                 serve a page with the objects of the cluster and what its controllers do, now and at any earlier moment;
                         its address is printed
  --page-port=PORT       where the page is served on 127.0.0.1 (default: any port that is free)
  --quiet                do not print changes of Pods and Services
  --version              print the version and exit
  --help                 print this help and exit

Options of kube-apiserver, for its users and their rights, the audit log and encryption:
${flagsHelp(SERVER_FLAGS)}

Examples:
  npm run cluster -- --data-dir=.homeostat/data --nodes=2
  npm run cluster -- --image "example/web=node ./server.js --port 8080"
  npm run cluster -- --image "example/operator=./bin/manager; ./bin/migrate"
`

/** The options, as `parseArgs` takes them. */
const OPTIONS: Readonly<Record<string, ParseArgsOptionDescriptor>> = {
  ...SERVER,
  port: { type: 'string' },
  nodes: { type: 'string' },
  'data-dir': { type: 'string' },
  'accept-data-loss': { type: 'boolean' },
  'kubernetes-version': { type: 'string' },
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
}

/** Reads the command line. Fails with `USAGE` where it is wrong. */
export function readCommandLine(args: readonly string[]): CommandLine | 'help' | 'version' {
  const values = parse(args)
  const isOn = (name: string): boolean => values.get(name) === true
  const text = (name: string): string | undefined => {
    const value = values.get(name)
    return typeof value === 'string' ? value : undefined
  }
  if (isOn('help')) return 'help'
  if (isOn('version')) return 'version'
  for (const [name, value] of values) {
    if (value === '' && !name.endsWith('port')) throw usage(`--${name} needs a value`)
  }
  const images = [values.get('image') ?? []].flat().filter((image) => typeof image === 'string')
  return {
    port: portOf('port', text('port')) ?? DEFAULT_PORT,
    nodes: nodesOf(text('nodes')),
    dataDir: text('data-dir'),
    acceptDataLoss: isOn('accept-data-loss'),
    kubernetesVersion: text('kubernetes-version'),
    kubeconfig: text('kubeconfig'),
    config: text('config'),
    images: Object.fromEntries(images.map((image) => imageFlag(image, process.cwd()))),
    hostCommands: isOn('host-commands'),
    hostPaths: isOn('host-paths'),
    quiet: isOn('quiet'),
    server: text,
    pagePort: portOf('page-port', text('page-port')) ?? (isOn('page') ? 0 : undefined),
  }
}

function parse(args: readonly string[]): ReadonlyMap<string, unknown> {
  try {
    return new Map(Object.entries(parseArgs({ args: [...args], options: OPTIONS }).values))
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
