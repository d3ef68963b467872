/**
 * Asks a cluster every 50 ms whether it lives, as a process of its own, and tells its parent how long the longest
 * silence was: the time between two answers.
 */
import { loadConfig, networkTransport, SystemClock } from 'homeostat'
import { bytesOf } from './bytes-of.ts'

const EVERY = 50

/** The report of the prober. */
export interface Silence {
  /** In milliseconds. */
  readonly longest: number
  readonly answers: number
  /** The longest time by which the prober itself came too late: what of the silence may be the machine's. */
  readonly late: number
}

const transport = networkTransport(loadConfig({ kubeconfig: process.argv[2] ?? '' }), {
  clock: new SystemClock(),
})
let [answered, due] = [performance.now(), performance.now()]
let [longest, answers, late, waiting] = [0, 0, 0, 0]

async function ask(): Promise<void> {
  waiting++
  try {
    const answer = await transport.send({
      method: 'GET',
      path: '/livez',
      query: new URLSearchParams(),
      headers: {},
    })
    // Only when the whole answer is there has the server spoken.
    await bytesOf(answer)
    if (answer.status !== 200) return
    const now = performance.now()
    longest = Math.max(longest, now - answered)
    answered = now
    answers++
  } catch {
    // A server that does not answer is counted as silent.
  } finally {
    waiting--
  }
}

setInterval(() => {
  const now = performance.now()
  late = Math.max(late, now - due - EVERY)
  due = now
  // A few may wait at once, so that one answer that is lost is not a silence.
  if (waiting < 4) void ask()
}, EVERY)

process.on('message', (message) => {
  const now = performance.now()
  if (message === 'begin') {
    ;[answered, longest, answers, late, due] = [now, 0, 0, 0, now]
    process.send?.('begun')
    return
  }
  const silence: Silence = { longest: Math.max(longest, now - answered), answers, late }
  process.send?.(silence)
})

await ask()
process.send?.('ready')
