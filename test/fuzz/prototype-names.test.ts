import { describe, expect, it } from 'vitest'
import { answerDifferences } from './answer-differences.ts'
import { startOurs } from './both-servers.ts'
import { comparableAnswer } from './comparable-answer.ts'
import { getAt, type Path, type Tree } from './json-tree.ts'
import { fieldsOf, kindsWithPodsFirst, withValueAt } from './native-fields.ts'
import { makeNamespace } from './recorded.ts'
import type { FuzzedKind } from './seeds.ts'

/** A place in an object of a native kind that takes a name: a text, a key of a map, or any key of an object. */
interface Place {
  readonly kind: FuzzedKind
  readonly path: Path
  readonly what: 'text' | 'key of a map' | 'unknown field'
}

function places(): Place[] {
  const seen = new Set<string>()
  return kindsWithPodsFirst().flatMap((kind) =>
    fieldsOf(kind, seen).flatMap(({ path, schema }): Place[] => {
      if (schema.type === 'string') return [{ kind, path, what: 'text' }]
      if (typeof schema.additionalProperties === 'object') return [{ kind, path, what: 'key of a map' }]
      return schema.properties ? [{ kind, path, what: 'unknown field' }] : []
    }),
  )
}

/** An object of the place's kind in which the name stands there. A value of a map is a text that most maps take. */
function named({ kind, path, what }: Place, name: string): Tree {
  if (what === 'text') return withValueAt(kind, path, name)
  return withValueAt(kind, [...path, name], what === 'key of a map' ? '1' : { [name]: name })
}

describe.each([
  ['__proto__', '__protp__'],
  ['constructor', 'constructos'],
  ['toString', 'toStrinh'],
])('%s', (name, other) => {
  it(`is answered like ${other} as a text and as a key of a map`, async () => {
    await using server = await startOurs()
    await makeNamespace(server)
    const wrong: string[] = []
    const asked = places().filter(({ what, path }) => what !== 'unknown field' && path[0] !== 'stringData')
    for (const place of asked) {
      const path = `${place.kind.path}?dryRun=All`
      const ask = async (key: string) => {
        const answer = await server.ask({ method: 'POST', path, body: named(place, key) }, 'recorded')
        const text = answer.text.replaceAll(key, 'KEY')
        const warning = answer.warning.replaceAll(key, 'KEY')
        return comparableAnswer({ ...answer, text, warning }, { since: 0 })
      }
      const lines = answerDifferences(await ask(name), await ask(other))
      if (lines.length > 0) wrong.push(`${place.kind.name}, ${place.path.join('.')}: ${lines.join(' | ')}`)
    }
    expect(asked.length).toBeGreaterThan(1_000)
    expect(wrong).toEqual([])
  })

  it('is a name like any other in every place of every native kind that takes one', async () => {
    const inherited = Object.getOwnPropertyNames(Object.prototype).sort()
    await using server = await startOurs()
    await makeNamespace(server)
    const failed: string[] = []
    const all = places()
    for (const place of all) {
      const { kind, path, what } = place
      const body = named(place, name)
      const request = { method: 'POST', path: `${kind.path}?dryRun=All`, body } as const
      const { code, text } = await server.ask(request, 'recorded')
      const shown = `${kind.name}, ${what} ${path.join('.')}: ${code} ${text.slice(0, 200)}`
      if (code >= 500) failed.push(shown)
      // A name that is accepted as the key of a map is answered as one.
      const kept = what !== 'key of a map' || code !== 201 || hasKey(getAt(JSON.parse(text), path), name)
      if (!kept && !DROPPED.test(`${kind.name} ${path.join('.')}`)) failed.push(`dropped: ${shown}`)
    }
    expect(all.length).toBeGreaterThan(1_500)
    expect(failed).toEqual([])
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(inherited)
  })
})

/** Maps in a part that a create does not write, that become another map, and that nothing reads any more. */
const DROPPED = / status\b| stringData$|\.deprecatedTopology$/

function hasKey(map: unknown, key: string): boolean {
  return typeof map === 'object' && map !== null && Object.hasOwn(map, key)
}
