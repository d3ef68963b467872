import { isJsonObject } from '@homeostat/api'
import { pathText, type FieldPath } from '../stories/index.ts'
import type { Outcome } from '../world/index.ts'
import type { Finding } from './finding.ts'
import type { Trial } from './trial.ts'

/** How much more there must be: a few items may be under way. */
const MORE_ITEMS = 3
const MORE_TEXT = 20

/** The finding that a list or the number of objects is larger after a story than after its reference, which does the same half as often. */
export function judgeGrowth(trial: Trial, { state }: Outcome, reference: Outcome): Finding | undefined {
  const { story, reference: half } = trial
  const finding = (kind: string, summary: string): Finding => {
    const isOfChange = story.some((step) => step.step === 'repeat')
    const root = `${isOfChange ? 'change' : 'growth'} ${kind}`
    return { class: 'growth', summary, story, reference: half, differences: [], root }
  }
  const more = [...state.keys()].filter((name) => !reference.state.has(name))
  if (state.size - reference.state.size >= MORE_ITEMS) {
    const kind = more[0]?.split(' ')[0] ?? ''
    return finding(
      `${kind} extra`,
      `there are ${state.size} objects at the end and ${reference.state.size} after half of the repetitions: ${more[0]}`,
    )
  }
  for (const [name, object] of state) {
    for (const { path, size, before, what } of grown(reference.state.get(name), object, [])) {
      const kind = name.split(' ')[0] ?? ''
      return finding(
        kind,
        `${pathText(path)} of the ${name} has ${size} ${what} at the end and ${before} after half of the repetitions`,
      )
    }
  }
  return undefined
}

interface GrownPlace {
  readonly path: FieldPath
  readonly before: number
  readonly size: number
  readonly what: 'items' | 'entries' | 'characters'
}

function* grown(before: unknown, now: unknown, path: FieldPath): Generator<GrownPlace> {
  if (typeof before === 'string' && typeof now === 'string') {
    if (now.length - before.length >= MORE_TEXT)
      yield { path, before: before.length, size: now.length, what: 'characters' }
  } else if (Array.isArray(before) && Array.isArray(now)) {
    if (now.length - before.length >= MORE_ITEMS)
      yield { path, before: before.length, size: now.length, what: 'items' }
    for (const [index, item] of before.entries()) yield* grown(item, now[index], [...path, index])
  } else if (isJsonObject(before) && isJsonObject(now)) {
    const [few, many] = [Object.keys(before).length, Object.keys(now).length]
    if (many - few >= MORE_ITEMS) yield { path, before: few, size: many, what: 'entries' }
    for (const [key, part] of Object.entries(before)) yield* grown(part, now[key], [...path, key])
  }
}
