import { parseArgs } from 'node:util'
import type { Answers } from './answers.ts'
import { CreateError } from './create-error.ts'

/** The parsed command line. */
export interface CommandLine {
  /** The folder of the project, as the user wrote it. */
  readonly folder: string | undefined
  readonly given: Partial<Answers>
  /** Whether to use the defaults instead of asking. */
  readonly yes: boolean
}

export const HELP = `Usage: npm create homeostat@latest [FOLDER] [-- options]

Makes the project of a Kubernetes operator in TypeScript: a kind, a controller,
a test, an image and a workflow for CI. It asks for every value that no option
gives. It writes all files or none, and only into a folder that is new or empty.

Options:
  --name=NAME                the operator and its package
                             (default: the name of the folder)
  --group=GROUP              the API group of its kind, a domain of yours
                             (default: example.com)
  --kind=KIND                its kind (default: from the name, or Website)
  --owns, --no-owns          whether it owns native objects: a ConfigMap, a
                             Deployment and a Service (default: --owns)
  --webhooks, --no-webhooks  whether it validates its kind by a webhook
                             (default: --no-webhooks)
  --yes                      ask nothing, and take the defaults
  --version                  print the version and exit
  --help                     print this help and exit

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 ended by Ctrl-C.

Examples:
  npm create homeostat@latest my-operator
  npm create homeostat@latest website-operator -- --yes --kind=Website --webhooks
`

/** Parses the command line. Throws a `CreateError` with code `USAGE` for a wrong one. */
export function readCommandLine(
  args: readonly string[],
  platform: NodeJS.Platform = process.platform,
): CommandLine | 'help' | 'version' {
  const { values, positionals } = parse(args)
  if (values.help) return 'help'
  if (values.version) return 'version'
  if (positionals.length > 1)
    throw new CreateError('USAGE', `give one folder only, without "${positionals[1]}"`)
  const [folder] = positionals
  if (folder?.includes('\\') && platform !== 'win32')
    throw new CreateError(
      'USAGE',
      `${folder} is a path of Windows, and on this system it would be a single name: write ${folder.replace(/^[a-z]:/i, '').replaceAll('\\', '/')}`,
    )
  const { name, group, kind, owns, webhooks, yes = false } = values
  const given = Object.entries({ name, group, kind, owns, webhooks }).filter(
    ([, value]) => value !== undefined,
  )
  return { folder, given: Object.fromEntries(given), yes }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: {
        name: { type: 'string' },
        group: { type: 'string' },
        kind: { type: 'string' },
        owns: { type: 'boolean' },
        webhooks: { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        version: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new CreateError('USAGE', error instanceof Error ? error.message : String(error))
  }
}
