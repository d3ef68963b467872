import { execIn, type ContainerPlace } from '../process/index.ts'
import type { CheckResult } from '../probes/index.ts'

/** How much of the output of a probe's command is kept. */
const LONGEST_OUTPUT = 10_240

/**
 * Runs the command of a probe in a container. It succeeds when the command ends with 0. Otherwise the output is its
 * message.
 */
export async function execCheck(
  place: ContainerPlace,
  command: readonly string[],
  timeoutSeconds: number,
  signal: AbortSignal,
): Promise<CheckResult> {
  let output = ''
  const writer = {
    write(text: string | Uint8Array) {
      if (output.length >= LONGEST_OUTPUT) return
      output += typeof text === 'string' ? text : Buffer.from(text).toString('utf8')
      output = output.slice(0, LONGEST_OUTPUT)
    },
  }
  const exit = await execIn(place, { command, stdout: writer, stderr: writer, signal })
  if (signal.aborted) {
    const shown = JSON.stringify(command.join(' '))
    return { outcome: 'failure', message: `command timed out: ${shown} timed out after ${timeoutSeconds}s` }
  }
  if (exit.reason === 'StartError') return { outcome: 'error', message: exit.message ?? '' }
  return { outcome: exit.exitCode === 0 ? 'success' : 'failure', message: output }
}
