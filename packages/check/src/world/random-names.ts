import type { NormalisedObject } from './normalise.ts'
import { compare, type State } from './state.ts'

/** Names of one kind in one namespace that an operator chose at random. */
export interface RandomNames {
  /** The prefix of the names of these objects in states: `Job default/nightly-`. */
  readonly prefix: string
  /** Names that begin so and are the same in each run. */
  readonly fixed: ReadonlySet<string>
}

/** The names that differ between two runs of one story, where both have the same number of objects of the kind. */
export function randomNames(one: State, other: State): RandomNames[] {
  const fixed = new Set([...one.keys()].filter((name) => other.has(name)))
  const only = (state: State) =>
    Map.groupBy(
      [...state.keys()].filter((name) => !fixed.has(name)),
      placeOf,
    )
  const others = only(other)
  return [...only(one)].flatMap(([place, names]) => {
    const differently = others.get(place) ?? []
    return differently.length === names.length
      ? [{ prefix: commonPrefix([...names, ...differently], place), fixed }]
      : []
  })
}

/**
 * The state with numbers in place of what was chosen at random, also where other objects mention the names. An object gets the
 * number of the one in `like` that differs least from it.
 */
export function withStableNames(
  state: State,
  random: readonly RandomNames[],
  like: State = new Map(),
): State {
  const names = random.flatMap(({ prefix, fixed }) => {
    const left = [...state.keys()].filter((name) => name.startsWith(prefix) && !fixed.has(name))
    const { length } = left
    return Array.from({ length }, (_, index): readonly [string, string] => {
      const stable = `${prefix}<${index + 1}>`
      const distances = left.map((name) => distance(state.get(name), like.get(stable)))
      const [name = ''] = left.splice(distances.indexOf(Math.min(...distances)), 1)
      return [name, stable]
    })
  })
  if (names.length === 0) return state
  const renamed = [...state].map(([name, object]): [string, NormalisedObject] => {
    let text = JSON.stringify([name, object])
    for (const [from, to] of names) text = text.replaceAll(lastPart(from), lastPart(to))
    return JSON.parse(text) as [string, NormalisedObject]
  })
  return new Map(renamed.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** In how many places two objects differ. */
function distance(one: NormalisedObject | undefined, other: NormalisedObject | undefined): number {
  if (!one || !other) return 0
  return compare(new Map([['', one]]), new Map([['', other]])).length
}

/** `Job default/` of `Job default/nightly-x7`. */
function placeOf(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf('/'), name.indexOf(' ')) + 1)
}

function lastPart(name: string): string {
  return name.slice(placeOf(name).length)
}

/** Their common prefix, up to a dash or a dot, since two random names may begin with the same letter. */
function commonPrefix(names: readonly string[], place: string): string {
  const [first = ''] = names
  let length = first.length
  while (!names.every((name) => name.startsWith(first.slice(0, length)))) length--
  const shared = first.slice(0, length)
  return shared.slice(0, Math.max(shared.lastIndexOf('-') + 1, shared.lastIndexOf('.') + 1, place.length))
}
