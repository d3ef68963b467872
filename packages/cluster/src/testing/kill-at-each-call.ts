import { HomeostatError } from '@homeostat/api'
import { isOperator, wrapTransport, type OperatorSource, type Transport } from 'homeostat'
import { differences } from './differences.ts'
import { OperatorTest, type OperatorTestOptions, type OperatorTestSettings } from './operator-test.ts'

/** The result of {@link killAtEachCall}. */
export interface KillReport<State> {
  /** The result of the scenario without a kill. */
  readonly state: State
  /** How many calls the operator sent in the scenario, including reads and watches. */
  readonly calls: number
  /** How often it was killed: at each call once before it was sent, and once before its answer came. */
  readonly kills: number
}

/**
 * Plays a scenario with an operator. Then plays it again for each call that the operator sends to the API server, and
 * kills the operator there: once before the call is sent, and once after the server has acted on it. A new process
 * continues, and the scenario must still return the same result. If it does not, fails with code `KILL_CHANGES_OUTCOME`
 * and names the call.
 */
export async function killAtEachCall<State>(
  tested: OperatorSource | OperatorTestOptions,
  scenario: (test: OperatorTest) => Promise<State>,
  settings: Omit<OperatorTestSettings, 'transport'> = {},
): Promise<KillReport<State>> {
  const start = (transport: OperatorTestSettings['transport']): Promise<OperatorTest> =>
    typeof tested === 'function' || isOperator(tested)
      ? OperatorTest.start(tested, { ...settings, transport })
      : OperatorTest.start({ ...settings, ...tested, transport })
  const { state, calls } = await play(start, scenario)
  const expected = JSON.stringify(state)
  let kills = 0
  for (let call = 1; call <= calls.length; call++) {
    for (const moment of ['before it was sent', 'before its answer came'] as const) {
      const { state: after, killed } = await play(start, scenario, { call, moment })
      if (killed) kills++
      if (JSON.stringify(after) === expected) continue
      throw new HomeostatError(
        'KILL_CHANGES_OUTCOME',
        `killed at call ${call} of ${calls.length} (${calls[call - 1]}), ${moment}, the operator ends in another state:\n${describe(differences(state, after))}`,
      )
    }
  }
  return { state, calls: calls.length, kills }
}

/** How many differences a message lists. */
const TOLD = 10

function describe(all: readonly string[]): string {
  const more = all.length > TOLD ? [`… and ${all.length - TOLD} more`] : []
  return [...all.slice(0, TOLD), ...more].map((line) => `  ${line}`).join('\n')
}

/** When the operator dies. */
interface KillMoment {
  readonly call: number
  readonly moment: 'before it was sent' | 'before its answer came'
}

async function play<State>(
  start: (transport: OperatorTestSettings['transport']) => Promise<OperatorTest>,
  scenario: (test: OperatorTest) => Promise<State>,
  kill?: KillMoment,
): Promise<{ state: State; calls: readonly string[]; killed: boolean }> {
  const calls: string[] = []
  let crashing: Promise<void> | undefined
  const transport = (inner: Transport, test: OperatorTest): Transport =>
    wrapTransport(inner, async (request) => {
      if (crashing) return inner.send(request)
      calls.push(`${request.method} ${request.path}`)
      if (calls.length !== kill?.call) return inner.send(request)
      if (kill.moment === 'before its answer came') {
        const { body } = await inner.send(request)
        if (!(body instanceof Uint8Array)) await body[Symbol.asyncIterator]().return?.()
      }
      crashing = test.crash()
      return inner.send(request) // It is dead by now, and refuses.
    })
  await using test = await start(transport)
  const state = await scenario(test)
  await crashing
  return { state, calls, killed: crashing !== undefined }
}
