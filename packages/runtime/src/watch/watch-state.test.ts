import { type Status, HomeostatError } from '@homeostat/api'
import { ConfigMap } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../requests/index.ts'
import {
  initialState,
  step,
  versionOf,
  type Progress,
  type WatchOutcome,
  type WatchState,
  type WatchStep,
} from './watch-state.ts'

const NAMES = { server: 'https://here', resource: 'configmaps' }
const RECORD = { listBy: 'list', failures: 0, shortStreams: 0, expirations: 0 } as const
const LISTING: WatchState = { ...RECORD, type: 'listing' }
const MISSING: WatchState = { ...RECORD, type: 'missing' }
const LISTED: WatchState = { ...RECORD, type: 'listed', version: '7' }
const WATCHING: WatchState = { ...RECORD, type: 'watching', version: '7' }
const STATES = { LISTING, MISSING, LISTED, WATCHING }

const expired = apiError({ code: 410, reason: 'Expired' })
const notServed = apiError({ code: 404, reason: 'NotFound' })
const busy = apiError({ code: 503, reason: 'ServiceUnavailable' })

function apiError(status: Partial<Status>): ApiError {
  return new ApiError({ kind: 'Status', apiVersion: 'v1', status: 'Failure', ...status } as Status, {
    verb: 'watch',
    kind: ConfigMap,
  })
}

function progress(state: WatchState, more: Partial<Progress> = {}): Progress {
  return { version: versionOf(state), listed: false, changed: false, heard: false, lived: 0, ...more }
}

function after(state: WatchState, outcome: Omit<WatchOutcome, 'progress'>, more: Partial<Progress> = {}) {
  return step(state, { ...outcome, progress: progress(state, more) } as WatchOutcome, NAMES)
}

function fails(state: WatchState, error: Error, more: Partial<Progress> = {}): WatchStep {
  return after(state, { type: 'failed', error } as WatchOutcome, more)
}

function ends(state: WatchState, end: 'ended' | 'silent' | 'overdue', more: Partial<Progress> = {}) {
  return after(state, { type: 'ended', end } as WatchOutcome, more)
}

describe('all objects', () => {
  it.each([LISTING, MISSING])('W1, W9: lead from $type to listed, with their version', (state) => {
    const next = after(state, { type: 'listed' }, { version: '9', listed: true })
    expect(next).toEqual({ state: { ...LISTED, version: '9' }, wait: { type: 'none' } })
  })

  it('W3: on a watch lead to watching when a change came after them', () => {
    const state: WatchState = { ...LISTING, listBy: 'watch-list' }
    const seen = { version: '9', listed: true, heard: true, lived: 60_000 }
    expect(ends(state, 'ended', seen).state.type).toBe('listed')
    expect(ends(state, 'ended', { ...seen, changed: true }).state.type).toBe('watching')
  })

  it('W3: are asked for on the watch once an answer broke off, and not in one answer again', () => {
    const next = fails(LISTING, new HomeostatError('LIST_BROKEN_OFF', 'it broke off'))
    expect(next.state).toEqual({ ...LISTING, listBy: 'watch-list', failures: 1 })
    expect(fails(next.state, busy).state.listBy).toBe('watch-list')
  })

  it.each([400, 405, 406, 415, 422, 501])('W3: come in pages after %i to a watch-list, at once', (code) => {
    const next = fails({ ...LISTING, listBy: 'watch-list' }, apiError({ code }))
    expect(next).toMatchObject({ state: { type: 'listing', listBy: 'pages' }, wait: { type: 'none' } })
    expect(next.tell).toBeUndefined()
  })

  it('W3: come in pages when a watch-list sends nothing more', () => {
    const next = ends({ ...LISTING, listBy: 'watch-list' }, 'silent', { heard: true })
    expect(next).toMatchObject({ state: { type: 'listing', listBy: 'pages' }, wait: { type: 'none' } })
  })
})

describe('the end of a stream', () => {
  it('W4: keeps the last version and asks again at once', () => {
    const next = ends(LISTED, 'ended', { version: '9', changed: true, heard: true, lived: 5_000 })
    expect(next.state).toEqual({ ...WATCHING, version: '9', shortStreams: 1 })
    expect(next.wait).toEqual({ type: 'none' })
  })

  it.each(['silent', 'overdue'] as const)('W7, W8: as %s is not a failure', (end) => {
    expect(ends(WATCHING, end)).toMatchObject({ state: WATCHING, wait: { type: 'none' } })
  })

  it('W6: within a second and without any event is a failure', () => {
    const next = ends(WATCHING, 'ended', { lived: 999 })
    expect(next.tell?.error).toMatchObject({ code: 'WATCH_ENDED_EARLY' })
    expect(ends(WATCHING, 'ended', { lived: 1_000 }).tell).toBeUndefined()
    expect(ends(WATCHING, 'ended', { lived: 999, heard: true }).tell).toBeUndefined()
  })

  it('W6: within ten seconds, like the one before, is a failure', () => {
    const first = ends(WATCHING, 'ended', { lived: 9_999, heard: true })
    expect(first.tell).toBeUndefined()
    expect(ends(first.state, 'ended', { lived: 9_999, heard: true }).tell?.type).toBe('failed')
    expect(ends(first.state, 'ended', { lived: 10_000, heard: true }).tell).toBeUndefined()
  })

  it('W6: before all objects came is a failure, and they are asked for again', () => {
    const next = ends({ ...LISTING, listBy: 'watch-list' }, 'ended', { heard: true, lived: 60_000 })
    expect(next).toMatchObject({ state: { type: 'listing', listBy: 'watch-list' }, tell: { type: 'failed' } })
  })
})

describe('an expired version', () => {
  it('W5: leads from watching to a list at once, without a report', () => {
    const next = fails(WATCHING, expired)
    expect(next).toMatchObject({ state: { ...LISTING, expirations: 1 }, wait: { type: 'none' } })
    expect(next.tell).toBeUndefined()
  })

  it('W5: is reported, and waits, right after a list and the second time', () => {
    for (const state of [LISTED, { ...WATCHING, expirations: 1 }]) {
      const next = fails(state, expired)
      expect(next.state.type).toBe('listing')
      expect(next).toMatchObject({ tell: { type: 'failed' }, wait: { type: 'back-off' } })
    }
  })

  it('W5: no longer counts once a stream lasted for ten seconds', () => {
    const next = fails({ ...WATCHING, expirations: 3 }, expired, { lived: 10_000 })
    expect(next).toMatchObject({ state: { type: 'listing', expirations: 1 }, wait: { type: 'none' } })
  })
})

describe('a kind that is not served', () => {
  it.each([LISTING, LISTED, WATCHING])(
    'W9: is reported once, from $type on, and requested every second',
    (state) => {
      const next = fails(state, notServed)
      const wait = { type: 'fixed', milliseconds: 1_000 }
      expect(next).toMatchObject({ state: MISSING, tell: { type: 'missing', error: notServed }, wait })
      expect(fails(next.state, notServed)).toEqual({ state: MISSING, wait })
    },
  )

  it('W9: stays missing through other failures, until a list', () => {
    expect(fails(MISSING, busy)).toMatchObject({ state: { type: 'missing' }, tell: { type: 'failed' } })
    expect(fails(MISSING, expired).state.type).toBe('missing')
  })
})

describe('failures', () => {
  it.each(Object.values(STATES))('W6, W12: are reported, and change only the count of $type', (state) => {
    const next = fails(state, busy)
    expect(next.state).toEqual({ ...state, failures: 1 })
    expect(next.tell).toEqual({ type: 'failed', error: busy })
  })

  it('W6: wait 800 ms, doubled up to 30 s', () => {
    let state: WatchState = WATCHING
    const waits = [800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]
    for (const milliseconds of waits) {
      const next = fails(state, busy)
      expect(next.wait).toEqual({ type: 'back-off', milliseconds, least: 0 })
      state = next.state
    }
    expect(fails(state, busy, { lived: 10_000 }).wait).toMatchObject({ milliseconds: 800 })
  })

  it('W6: start from 800 ms again after a stream of ten seconds, even without a list', () => {
    const next = ends({ ...LISTING, listBy: 'watch-list', failures: 5 }, 'ended', { lived: 10_000 })
    expect(next.wait).toMatchObject({ milliseconds: 800 })
  })

  it('W6: wait as long as the server asks, up to ten minutes', () => {
    const asking = (retryAfterSeconds: number) => apiError({ code: 429, details: { retryAfterSeconds } })
    expect(fails(WATCHING, asking(60)).wait).toMatchObject({ least: 60_000 })
    expect(fails(WATCHING, asking(86_400)).wait).toMatchObject({ least: 600_000 })
    expect(fails(WATCHING, asking(-1)).wait).toMatchObject({ least: 0 })
  })
})

it('a step changes neither the state nor the outcome that it is given', () => {
  for (const state of Object.values(STATES)) {
    for (const error of [expired, notServed, busy]) {
      const frozen = Object.freeze({ ...state })
      const outcome = Object.freeze({
        type: 'failed' as const,
        error,
        progress: Object.freeze(progress(state)),
      })
      expect(step(frozen, outcome, NAMES)).toEqual(step(frozen, outcome, NAMES))
    }
  }
})

it('a watch begins with a list, in one answer unless asked otherwise', () => {
  expect(initialState()).toEqual(LISTING)
  expect(initialState('watch-list')).toEqual({ ...LISTING, listBy: 'watch-list' })
})
