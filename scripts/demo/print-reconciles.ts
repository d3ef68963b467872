import type { ReconcileReport, Transport } from 'homeostat'
import { ReconcileLog } from '../../packages/cli/src/dev/operator/reconcile-log.ts'

const { FORCE_COLOR, NO_COLOR } = process.env
const colours = FORCE_COLOR ? FORCE_COLOR !== '0' : process.stdout.isTTY && !NO_COLOR
const paint = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text)
export const bold = paint(1)
export const dim = paint(2)
const red = paint(31)
const green = paint(32)
const cyan = paint(36)

/** Prints what an operator does as it happens: for each reconcile why it ran, what it wrote and how it ended. */
export class ReconcilePrinter {
  readonly #log: ReconcileLog
  #printed = 0

  constructor(controllers: readonly { readonly name: string }[]) {
    this.#log = new ReconcileLog(controllers)
  }

  /** How many reconciles it has printed. */
  get printed(): number {
    return this.#printed
  }

  /** A transport that notes the writes that it carries. */
  observe(transport: Transport): Transport {
    return this.#log.observe(transport)
  }

  /** Prints a reconcile that has ended. */
  print(report: ReconcileReport): void {
    const summary = this.#log.summarize(report)
    if (!summary) return
    this.#printed++
    const { subject, cause, moreCauses, writes, error, next } = summary
    const more = moreCauses > 0 ? ` ${dim(`and ${moreCauses} more`)}` : ''
    const lines = [`${bold(subject)}  ${dim('because')} ${cause}${more}`]
    for (const { what, failedWith } of writes) {
      lines.push(`  ${failedWith === undefined ? green(what) : red(`${what}: ${failedWith}`)}`)
    }
    if (writes.length === 0) lines.push(dim('  nothing to do: no request sent'))
    if (error !== undefined) lines.push(`  ${red(error)}`)
    if (next !== undefined) lines.push(cyan(`  looks again in ${next}`))
    console.log(lines.join('\n'))
  }
}
