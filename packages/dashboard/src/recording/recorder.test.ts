import { SimulatedClock } from '@homeostat/api'
import { expect, it } from 'vitest'
import type { Entry, RecordedObject, Recording } from './entry.ts'
import { MomentState } from './moment-state.ts'
import { Recorder, type RecorderOptions } from './recorder.ts'

const MANY = 1000

function objectOf(index: number, text = ''): RecordedObject {
  const uid = `uid-${index % 7}`
  const metadata = { name: uid, uid, resourceVersion: String(index), creationTimestamp: '' }
  const content = { data: { text } }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, ...content }
}

/** A recorder to which many things happened, and everything that its listener heard. */
function recorded(options: Partial<RecorderOptions>, text?: string) {
  const recorder = new Recorder({ clock: new SimulatedClock(), ...options })
  const heard: Entry[] = []
  recorder.listen((_, entry) => heard.push(entry))
  for (let index = 0; index < MANY; index++) {
    if (index % 10 === 9) recorder.add({ type: 'gone', uid: `uid-${(index - 1) % 7}` })
    else recorder.add({ type: 'object', object: objectOf(index, text) })
  }
  return { recorder, heard, recording: JSON.parse(recorder.json()) as Recording }
}

/** The objects at the end of a recording. */
function objectsOf({ start, entries }: Recording): unknown {
  const state = new MomentState(start)
  for (const entry of entries) state.apply(entry)
  return [...state.objects.values()].toSorted((a, b) => (a.metadata.uid < b.metadata.uid ? -1 : 1))
}

it('keeps at most so many entries, and what happened before as the moment at its start', () => {
  const { recording } = recorded({ limit: 50 })
  const whole = recorded({}).recording
  expect(whole.entries).toHaveLength(MANY)
  expect(recording.entries.length).toBeLessThanOrEqual(50)
  expect(recording.entries.length).toBeGreaterThanOrEqual(45)
  expect(recording.entries).toEqual(whole.entries.slice(-recording.entries.length))
  expect(objectsOf(recording)).toEqual(objectsOf(whole))
})

it('keeps at most so many characters', () => {
  const { recorder, recording } = recorded({ maxCharacters: 100_000 }, 'x'.repeat(5000))
  expect(JSON.stringify(recording.entries).length).toBeLessThanOrEqual(100_000)
  expect(recording.entries.length).toBeGreaterThan(10)
  // The moment at the start has each object once.
  expect(recorder.json().length).toBeLessThan(100_000 + 8 * 6000)
  expect(objectsOf(recording)).toEqual(objectsOf(recorded({}, 'x'.repeat(5000)).recording))
})

it('tells its listeners each entry once, in order', () => {
  const { heard } = recorded({ limit: 50 })
  expect(heard.map(({ sequence }) => sequence)).toEqual(Array.from({ length: MANY }, (_, index) => index + 1))
})

it('gives the entries after a number, as long as it has them all', () => {
  const { recorder } = recorded({ limit: 50 })
  expect(recorder.sequence).toBe(MANY)
  expect(recorder.after(MANY - 3)?.map(({ sequence }) => sequence)).toEqual([MANY - 2, MANY - 1, MANY])
  expect(recorder.after(MANY)).toEqual([])
  // Entries that are gone, and a number of another recorder.
  expect(recorder.after(10)).toBeUndefined()
  expect(recorder.after(MANY + 1)).toBeUndefined()
  expect(recorder.after(Number.NaN)).toBeUndefined()
})
