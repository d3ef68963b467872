import type { History } from './history.ts'
import { leavesOf } from './leaves.ts'

/** Where two runs differ. */
export interface Difference {
  /** `step 3 › Deployment/web › status.replicas` */
  readonly at: string
  /** The values of both sides. */
  readonly words: string
}

/** Everything in which our run is not the real one. */
export function differences(ours: History, real: History): Difference[] {
  const found: Difference[] = []
  const compare = (at: string, a: unknown, b: unknown): void => {
    if (JSON.stringify(a) !== JSON.stringify(b)) found.push({ at, words: `${inWords(a)}, not ${inWords(b)}` })
  }
  for (const [index, { step, problems, objects }] of real.steps.entries()) {
    const our = ours.steps[index]
    const at = `step ${index} (${step})`
    compare(`${at} › problems`, our?.problems ?? [], problems)
    for (const name of namesOf(our?.objects ?? {}, objects)) {
      const [a, b] = [our?.objects[name], objects[name]]
      compare(`${at} › ${name} › is`, a?.is, b?.is)
      for (const path of namesOf(a?.changed ?? {}, b?.changed ?? {})) {
        compare(`${at} › ${name} › ${path}`, a?.changed[path], b?.changed[path])
      }
    }
  }
  for (const name of namesOf(ours.last, real.last)) {
    const [a, b] = [ours.last[name], real.last[name]]
    if (a === undefined || b === undefined) {
      compare(`last › ${name}`, a && 'there', b && 'there')
      continue
    }
    const [x, y] = [leavesOf(a), leavesOf(b)]
    for (const path of new Set([...x.keys(), ...y.keys()])) {
      compare(`last › ${name} › ${path}`, x.get(path), y.get(path))
    }
  }
  for (const text of new Set([...ours.events, ...real.events])) {
    compare(
      `events › ${text}`,
      ours.events.includes(text) ? 'told' : undefined,
      real.events.includes(text) ? 'told' : undefined,
    )
  }
  return found
}

function namesOf(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()
}

function inWords(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 500 ? `${text.slice(0, 500)}…` : text
}
