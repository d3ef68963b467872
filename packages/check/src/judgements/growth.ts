import { isJsonObject } from '@homeostat/api'
import { pathText, type FieldPath } from '../stories/index.ts'
import type { Outcome } from '../world/index.ts'
import { says, type Fact } from './fact.ts'
import type { Finding } from './finding.ts'
import type { Trial } from './trial.ts'

/** How much more there must be: a few items may be under way. */
const MORE_ITEMS = 3
const MORE_TEXT = 20

/** The finding that a list or the number of objects is larger after a story than after its reference, which does the same half as often. */
export function judgeGrowth(trial: Trial, { state }: Outcome, reference: Outcome): Finding | undefined {
  const { story, reference: half } = trial
  const finding = (kind: string, fact: Fact): Finding => {
    const isOfChange = story.some((step) => step.step === 'repeat')
    const root = `${isOfChange ? 'change' : 'growth'} ${kind}`
    return { class: 'growth', ...says(fact), story, reference: half, differences: [], root }
  }
  const more = [...state.keys()].filter((name) => !reference.state.has(name))
  if (state.size - reference.state.size >= MORE_ITEMS) {
    const kind = more[0]?.split(' ')[0] ?? ''
    const [size, half] = [state.size, reference.state.size]
    return finding(`${kind} extra`, { fact: 'more objects', size, half, example: more[0] ?? '' })
  }
  for (const [name, object] of state) {
    for (const { path, ...grew } of grown(reference.state.get(name), object, [])) {
      const kind = name.split(' ')[0] ?? ''
      return finding(kind, { fact: 'larger', object: name, path: pathText(path), ...grew })
    }
  }
  return undefined
}

interface GrownPlace {
  readonly path: FieldPath
  readonly half: number
  readonly size: number
  readonly unit: 'items' | 'entries' | 'characters'
}

function* grown(before: unknown, now: unknown, path: FieldPath): Generator<GrownPlace> {
  if (typeof before === 'string' && typeof now === 'string') {
    if (now.length - before.length >= MORE_TEXT)
      yield { path, half: before.length, size: now.length, unit: 'characters' }
  } else if (Array.isArray(before) && Array.isArray(now)) {
    if (now.length - before.length >= MORE_ITEMS)
      yield { path, half: before.length, size: now.length, unit: 'items' }
    for (const [index, item] of before.entries()) yield* grown(item, now[index], [...path, index])
  } else if (isJsonObject(before) && isJsonObject(now)) {
    const [few, many] = [Object.keys(before).length, Object.keys(now).length]
    if (many - few >= MORE_ITEMS) yield { path, half: few, size: many, unit: 'entries' }
    for (const [key, part] of Object.entries(before)) yield* grown(part, now[key], [...path, key])
  }
}
