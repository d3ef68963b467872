import { Session } from 'node:inspector/promises'
import type { Clock } from '@homeostat/api'
import type { Page, PageAnswer } from './page.ts'

const LONGEST_SECONDS = 300

interface Profiling {
  readonly file: string
  start(session: Session): Promise<unknown>
  stop(session: Session): Promise<{ profile: unknown }>
}

/** The kinds of profiles, by their path below `/debug`. Developer tools of browsers and editors open the files. */
const PROFILES: Readonly<Record<string, Profiling>> = {
  cpu: {
    file: 'cpu.cpuprofile',
    async start(session) {
      await session.post('Profiler.enable')
      await session.post('Profiler.start')
    },
    stop: (session) => session.post('Profiler.stop'),
  },
  heap: {
    file: 'heap.heapprofile',
    start: (session) => session.post('HeapProfiler.startSampling'),
    stop: (session) => session.post('HeapProfiler.stopSampling'),
  },
}

/**
 * The page that profiles this process: `/debug/cpu?seconds=10` shows which functions use the processor, and
 * `/debug/heap?seconds=10` which ones allocate memory. Only one profile runs at a time, and it slows the process down.
 */
export function profilePage(clock: Clock): Page {
  let busy = false
  return async ({ below, query, signal }): Promise<PageAnswer> => {
    const profiling = Object.hasOwn(PROFILES, below) ? PROFILES[below] : undefined
    if (!profiling) {
      const there = Object.keys(PROFILES).map((name) => `/debug/${name}?seconds=10`)
      return { status: 404, body: `Not found. This page serves ${there.join(', ')}.\n` }
    }
    const seconds = Number(query.get('seconds') ?? 10)
    if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) {
      return { status: 400, body: `seconds must be a number above 0 and up to ${LONGEST_SECONDS}.\n` }
    }
    if (busy) return { status: 429, body: 'A measurement is under way: try again when it has ended.\n' }
    busy = true
    const session = new Session()
    try {
      session.connect()
      await profiling.start(session)
      await clock.sleep(seconds * 1000, { signal }).catch(() => {})
      const { profile } = await profiling.stop(session)
      return {
        status: 200,
        type: 'application/json',
        headers: { 'content-disposition': `attachment; filename="${profiling.file}"` },
        body: JSON.stringify(profile),
      }
    } finally {
      session.disconnect()
      busy = false
    }
  }
}
