import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Types of one package that another exports again, for users who install that one alone. */
const EXPORTED_AGAIN = new Set(['Connection', 'OutputWriter'])

/** The names that a module exports itself, without those that it passes on from another package. */
function namesOf(source: string): string[] {
  const lists = source.matchAll(/^export (?:type )?\{([^}]*)\}(?: from '([^']+)')?/gm)
  return [...lists]
    .filter(([, , from]) => from === undefined || from.startsWith('.'))
    .flatMap(([, names = '']) => names.split(','))
    .map((name) =>
      name
        .trim()
        .replace(/^type /, '')
        .replace(/^.* as /, ''),
    )
    .filter((name) => name !== '')
}

it('no two packages give one name to two public things', () => {
  const owners = new Map<string, string[]>()
  for (const name of readdirSync(join(root, 'packages'))) {
    const exported = new Set(namesOf(readFileSync(join(root, 'packages', name, 'src/index.ts'), 'utf8')))
    for (const one of exported) owners.set(one, [...(owners.get(one) ?? []), name])
  }
  expect(owners.size).toBeGreaterThan(300)
  const shared = [...owners].filter(([name, packages]) => packages.length > 1 && !EXPORTED_AGAIN.has(name))
  expect(shared.map(([name, packages]) => `${name}: ${packages.join(', ')}`)).toEqual([])
})
