import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { HomeostatError } from '@homeostat/api'
import { DEFAULT_RELEASE, releaseOf, RELEASES, VERSION, type Release } from '../version/index.ts'
import { packageVersion } from './package-version.ts'
import { assetsFolder } from './assets.ts'
import { writeSecret } from './flags/files.ts'
import { FLOW_FLAGS, maxRequestsInFlight } from './operation-flags.ts'
import { flaggedOptions, SERVER_FLAGS } from './server-flags.ts'
import { flagsHelp, parseFlags, portOf, type Flag, type FlagValues } from './flags/flags.ts'
import { exitCodeOf } from './exit-code.ts'
import { complain, say } from './flags/say.ts'
import { describeDataLoss } from './data-loss.ts'

const NAME = 'homeostat-apiserver'
const DEFAULT_PORT = 6443

const FLAGS = {
  'secure-port': {
    value: 'PORT',
    help: `where to listen; 0 means the port of the last start on the same --data-dir, or else any free port (default ${DEFAULT_PORT})`,
  },
  'bind-address': {
    value: 'ADDRESS',
    help: 'the address to listen on (default 127.0.0.1, which only this machine reaches)',
  },
  kubeconfig: { value: 'FILE', help: 'where to write the kubeconfig (default homeostat.kubeconfig)' },
  'data-dir': {
    value: 'FOLDER',
    help: 'where to keep objects, certificates and tokens (default: in memory, until the process ends)',
  },
  'kubernetes-version': {
    value: 'VERSION',
    help: `the release of Kubernetes whose API is served: ${Object.keys(RELEASES).join(', ')} (default ${DEFAULT_RELEASE})`,
  },
  'accept-data-loss': {
    help: 'start with what can be read of a damaged --data-dir; the damaged files are moved aside',
  },
  ...SERVER_FLAGS,
  ...FLOW_FLAGS,
  'print-assets': {
    help: 'print the path of a folder with stand-ins for envtest’s kube-apiserver and etcd, and end. They serve --kubernetes-version',
  },
  version: { help: 'print the version and exit' },
  help: { help: 'print this help and exit' },
} satisfies Record<string, Flag>

const HELP = `Usage: ${NAME} [options]

A Kubernetes API in one process. It listens with TLS, and writes a kubeconfig file whose user may do everything.

Options:
${flagsHelp(FLAGS)}

Examples:
  ${NAME} --secure-port=0 --kubeconfig=kc & kubectl --kubeconfig=kc get namespaces
  KUBEBUILDER_ASSETS=$(${NAME} --print-assets) go test ./...
`

/** `homeostat-apiserver`: serves until it gets a signal. */
export function run(args: readonly string[]): Promise<number> {
  return exitCodeOf(NAME, async () => {
    const flags = parseFlags(args, FLAGS)
    if (flags.help) process.stdout.write(HELP)
    else if (flags.version) say(`${NAME} ${packageVersion()} (Kubernetes ${VERSION.gitVersion})`)
    else if (flags['print-assets']) say(assetsFolder(release(flags['kubernetes-version'])))
    else await serve(flags)
  })
}

async function serve(flags: FlagValues<keyof typeof FLAGS>): Promise<void> {
  const kubeconfig = resolve(flags.kubeconfig ?? 'homeostat.kubeconfig')
  const dataDir = flags['data-dir'] && makeFolder(flags['data-dir'])
  const flagged = await flaggedOptions((flag) => flags[flag], { dataDir, warn: complain })
  // Imported late, so that `--help` is fast.
  const { serveUntilSignal } = await import('./serve-until-signal.ts')
  await serveUntilSignal({
    server: {
      dataDir,
      kubernetesVersion: flags['kubernetes-version'],
      maxRequestsInFlight: maxRequestsInFlight((flag) => flags[flag]),
      ...flagged.server,
      acceptDataLoss: flags['accept-data-loss'] ? (loss) => complain(describeDataLoss(loss)) : undefined,
    },
    port: {
      port: portOf(flags['secure-port'], DEFAULT_PORT),
      host: flags['bind-address'],
      ...flagged.port,
    },
    ready(port) {
      writeSecret('kubeconfig', kubeconfig, port.kubeconfig())
      const took = Math.round(process.uptime() * 1_000)
      say(`Ready at ${port.url} after ${took} ms\nexport KUBECONFIG=${shellWord(kubeconfig)}`)
      if (port.formerPort !== undefined) say(movedPort(port.formerPort))
    },
  })
}

/** The release that a flag names, if it does. */
function release(version: string | undefined): Release | undefined {
  return version === undefined ? undefined : releaseOf(version)
}

function makeFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return resolve(path)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new HomeostatError('FOLDER_NOT_MADE', `--data-dir: cannot create ${path}: ${why}`, { cause })
  }
}

function movedPort(former: number): string {
  return `This server listened on port ${former} before: programs that use its kubeconfig need the new one, or --secure-port=${former} once that port is free.`
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
