import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Note, showOperator, type ShownOperator } from './shown-operator.ts'
import { readStream } from './read-stream.ts'

const text = readFileSync(join(import.meta.dirname, '../../docs/stream.md'), 'utf8')

/** The names in the row of a table whose first cell is this. */
function documented(name: string): ReadonlySet<string> {
  const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))
  expect(row, `docs/stream.md has no row for ${name}`).toBeDefined()
  return new Set(Array.from(row?.matchAll(/`([A-Za-z]+)`/g) ?? [], ([, word = '']) => word))
}

let shown: ShownOperator

beforeEach(async () => {
  shown = await showOperator()
})
afterEach(() => shown[Symbol.asyncDispose]())

it('sends what its page documents: events, entries and their parts', async () => {
  const address = new URL(shown.dashboard.address)
  const entered = await fetch(address)
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  const at = (name: string) => ({ namespace: 'default', name })
  await shown.client.create(Note, { metadata: at('one'), spec: { text: 'hello' } })
  await shown.client.create(Note, { metadata: at('two'), spec: { text: 'fail' } })
  await shown.client.create(Note, { metadata: at('gone'), spec: { text: 'deleted soon' } })
  // An object that goes before the page has seen it leaves no entry.
  await readStream(address.origin, { cookie }, '"spec":{"text":"deleted soon"}')
  const first = readStream(
    address.origin,
    { cookie },
    'wrong names are found by the end of the test',
    '"type":"gone"',
    '"type":"disturbance"',
    '"type":"queue"',
    '"type":"retry"',
    '"type":"ended"',
    '"line"',
    '"resourceVersion"',
  )
  await shown.client.delete(Note, at('gone'))
  shown.dashboard.operatorDisturbed({ isPaused: true, api: 'slow' })
  await shown.client.create(Note, {
    metadata: at('last'),
    spec: { text: 'wrong names are found by the end of the test' },
  })
  const events = parse(await first)
  expect(events.map(({ event }) => event).slice(0, 2)).toEqual(['viewer', 'recording'])
  for (const { event, id } of events) {
    expect(text).toContain(`| \`${event}\` |`)
    if (event !== 'viewer') expect(id).toMatch(/^[\d-]+\.\d+$/)
  }
  const [viewer, recording, ...later] = events
  expect(Object.keys(viewer?.data).filter((name) => !documented('viewer').has(name))).toEqual([])
  expect(recording?.data.format).toBe(/`(homeostat-recording\/\d+)`/.exec(text)?.[1])
  for (const name of Object.keys(recording?.data.start)) expect(text).toContain(`\`${name}\``)
  const entries: any[] = [recording?.data.entries, ...later.map(({ data }) => data)].flat()
  const types = new Set(entries.map(({ type }) => String(type)))
  expect([...types].toSorted()).toEqual([
    'disturbance',
    'ended',
    'gone',
    'object',
    'operator',
    'queue',
    'started',
  ])
  const missing = new Set<string>()
  const compare = (row: string, value: object): void => {
    for (const name of Object.keys(value))
      if (!documented(row).has(name) && !['type', 'sequence', 'at'].includes(name))
        missing.add(`${row}: ${name}`)
  }
  for (const entry of entries) {
    compare(entry.type, entry)
    for (const part of ['causes', 'writes', 'reads', 'logs', 'requests'])
      for (const each of entry[part] ?? []) compare(part, each)
  }
  expect([...missing]).toEqual([])
})

/** The whole events of a stream. */
function parse(stream: string): { event: string; id: string | undefined; data: any }[] {
  const blocks = stream.split('\n\n').slice(0, -1)
  return blocks.map((block) => {
    const field = (name: string): string | undefined =>
      block
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2)
    return { event: field('event') ?? '', id: field('id'), data: JSON.parse(field('data') ?? 'null') }
  })
}
