import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { EXAMPLE_NAMES, type ExampleName } from './examples.ts'

export interface DemoOptions {
  readonly example: ExampleName
  readonly follow: boolean
  readonly port: number
  readonly folder: string
  readonly open: boolean
}

const CHOICE = `${EXAMPLE_NAMES.slice(0, -1).join(', ')} or ${EXAMPLE_NAMES.at(-1)}`

export const USAGE = `Usage: npm run demo [-- options]

Starts a local Kubernetes in this process, runs an operator on it, and shows the loop at work.

  --example NAME   ${CHOICE} (default: ${EXAMPLE_NAMES[0]})
  --port NUMBER    where the rendered page is served on 127.0.0.1; 0 for any free port (default: 3000)
  --dir PATH       where the kubeconfig is written while the demo runs (default: .homeostat)
  --open           open the page that shows the loop in a browser
  --no-follow      end when the example has reached its goal, rather than follow it until Ctrl-C
  --help           this text`

/** A mistake on the command line: its message is all that the user needs to see. */
export class UsageError extends Error {}

/** Reads the command line; `undefined` when only help was asked for. */
export function parseOptions(args: readonly string[]): DemoOptions | undefined {
  const { values } = parse(args)
  if (values.help) return undefined
  const example = EXAMPLE_NAMES.find((name) => name === values.example)
  if (!example) throw new UsageError(`there is no example "${values.example}": choose ${CHOICE}`)
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`"${values.port}" is not a port: give a number from 0 to 65535`)
  }
  return { example, follow: !values['no-follow'], port, folder: resolve(values.dir), open: values.open }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        example: { type: 'string', default: EXAMPLE_NAMES[0] },
        port: { type: 'string', default: '3000' },
        dir: { type: 'string', default: '.homeostat' },
        open: { type: 'boolean', default: false },
        'no-follow': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
