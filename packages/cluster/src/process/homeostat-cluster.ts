import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HomeostatError } from '@homeostat/api'
import type { FlaggedOptions } from '@homeostat/apiserver/flags'
import type { ClusterConfig } from './config-file.ts'
import { HELP, readCommandLine, type CommandLine } from './command-line.ts'

const NAME = 'homeostat-cluster'

/** `homeostat-cluster`: runs a cluster until a signal ends it. Returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    const line = readCommandLine(args)
    if (line === 'help') process.stdout.write(HELP)
    else if (line === 'version') say(`${NAME} ${packageVersion()}`)
    else await serve(line)
    return 0
  } catch (error) {
    if (!(error instanceof HomeostatError)) throw error
    complain(`${NAME}: ${remedied(error)}`)
    if (error.code !== 'USAGE') return 1
    complain(`Run ${NAME} --help to see all options.`)
    return 2
  }
}

async function serve(line: CommandLine): Promise<void> {
  // A cluster keeps running when its output is closed.
  process.stdout.on('error', () => undefined)
  // Imported late, so that `--help` does not load the cluster.
  const { readConfigFile } = await import('./config-file.ts')
  const config = await readConfigFile(line.config)
  const { describeDataLoss, flaggedOptions } = await import('@homeostat/apiserver/flags')
  const { dataDir } = line
  const flagged = await flaggedOptions(line.server, { dataDir, warn: complain })
  const configured = givenTogether(config, flagged.server)
  const { serveUntilSignal } = await import('./serve-until-signal.ts')
  await serveUntilSignal({
    cluster: {
      port: line.port,
      dataDir: line.dataDir,
      kubernetesVersion: line.kubernetesVersion,
      ...configured,
      ...flagged.port,
      acceptDataLoss: line.acceptDataLoss ? (loss) => complain(describeDataLoss(loss)) : undefined,
      nodes: line.nodes ?? config.nodes,
      images: { ...config.images, ...line.images },
      hostCommands: line.hostCommands || config.hostCommands,
      hostPaths: line.hostPaths || config.hostPaths,
      processNames: config.processNames,
      separation: config.separation,
      processLimit: config.processLimit,
    },
    kubeconfig:
      line.kubeconfig ??
      join(line.dataDir ?? '.homeostat', line.dataDir ? 'kubeconfig' : 'cluster.kubeconfig'),
    quiet: line.quiet,
    pagePort: line.pagePort,
    say,
  })
}

/** The options for users and their rights, from the flags or from the config file. Fails with `USAGE` where both have some. */
function givenTogether(config: ClusterConfig, flagged: FlaggedOptions['server']): FlaggedOptions['server'] {
  const { authentication, authorization, tokenWebhook } = config
  const given = { authentication, authorization, tokenWebhook }
  for (const [name, value] of Object.entries(given)) {
    const isFlagged = name in flagged || (name === 'authorization' && flagged.alwaysAllow)
    if (value !== undefined && isFlagged) {
      throw new HomeostatError(
        'USAGE',
        `${name} is given twice, in the file of --config and by flags: leave one of them out`,
      )
    }
  }
  return { ...given, ...flagged }
}

/** The API server's message about its port, with the flag of this program. */
function remedied(error: HomeostatError): string {
  return error.code === 'PORT_IN_USE' ? `${error.message}: --port=0` : error.message
}

function packageVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`)
}
