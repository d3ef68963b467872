import type { ApiRequest, Clock } from '@homeostat/api'
import {
  createLogger,
  wrapTransport,
  type LogFields,
  type Logger,
  type LogLevel,
  type LogMethod,
  type Transport,
} from 'homeostat'

/** One thing that an operator did. Its fields are rendered only when a test fails. */
interface Line {
  readonly time: number
  readonly level: LogLevel
  readonly fields: LogFields
  readonly message: string
}

/** How many lines are kept. */
const MOST_LINES = 60
/** Fields that identify a reconcile in a long log; a test's report leaves them out. */
const LEFT_OUT = new Set(['reconcileID', 'duration', 'server'])

/**
 * The last log lines of an operator, with its writes between them, for a test that fails. Recording them costs very
 * little.
 */
export class OperatorStory {
  readonly #clock: Pick<Clock, 'now'>
  readonly #lines: Line[] = []
  #dropped = 0

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** A logger that adds to the story, and passes each line on to another. */
  logger(inner: Logger, bound: LogFields = {}): Logger {
    const at = (level: LogLevel): LogMethod => {
      return (first: string | LogFields, second?: string): void => {
        const [fields, message] = typeof first === 'string' ? [{}, first] : [first, second ?? '']
        if (level !== 'debug') this.#add(level, { ...bound, ...fields }, message)
        inner[level](fields, message)
      }
    }
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (fields) => this.logger(inner.child(fields), { ...bound, ...fields }),
    }
  }

  /** The transport, whose writes are in the story with the code of their answer. */
  wrap(inner: Transport): Transport {
    return wrapTransport(inner, async (request) => {
      if (isRead(request)) return inner.send(request)
      try {
        const response = await inner.send(request)
        this.#addWrite(request, String(response.status))
        return response
      } catch (error) {
        this.#addWrite(request, error instanceof Error ? error.message : String(error))
        throw error
      }
    })
  }

  /** The story as text; empty where nothing has happened. */
  toString(): string {
    if (this.#lines.length === 0) return ''
    let text = ''
    let time = 0
    const log = createLogger({
      format: 'text',
      clock: { now: () => time },
      write: (line) => (text += line),
    })
    for (const line of this.#lines) {
      time = line.time
      const fields = Object.entries(line.fields).filter(([name]) => !LEFT_OUT.has(name))
      log[line.level](Object.fromEntries(fields), line.message)
    }
    const more = this.#dropped > 0 ? ` (${this.#dropped} lines before that are left out)` : ''
    return [
      `── what the operator did last, in simulated time${more} ──`,
      text.trimEnd(),
      '── the end of what the operator did; logs: true prints all of it ──',
    ].join('\n')
  }

  #addWrite({ method, path, sender }: ApiRequest, answer: string): void {
    this.#add('info', sender === undefined ? {} : { controller: sender }, `${method} ${path} (${answer})`)
  }

  #add(level: LogLevel, fields: LogFields, message: string): void {
    this.#lines.push({ time: this.#clock.now(), level, fields, message })
    if (this.#lines.length <= MOST_LINES) return
    this.#lines.shift()
    this.#dropped++
  }
}

function isRead({ method, path }: ApiRequest): boolean {
  return method === 'GET' || method === 'HEAD' || path.startsWith('/apis/coordination.k8s.io/')
}
