import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Comparable } from './comparable.ts'
import type { Scenario } from './scenario.ts'

/** The answers of the real server in one scenario, and the requests. */
export interface Golden {
  /** Tells when the scenario was changed since. */
  readonly asked: string
  readonly answers: readonly Comparable[]
}

export type Goldens = Record<string, Golden>

/** The real server's answers to the scenarios of a topic, by their titles. */
export function readGoldens(topic: string): Goldens {
  const file = fileOf(topic)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Goldens) : {}
}

/** Writes them: a line for each answer, so that a change shows as what it is. */
export function writeGoldens(topic: string, goldens: Goldens): void {
  const scenarios = Object.entries(goldens).map(([title, { asked, answers }]) => {
    const lines = answers.map((answer) => `      ${JSON.stringify(answer)}`)
    return `  ${JSON.stringify(title)}: {\n    "asked": "${asked}",\n    "answers": [\n${lines.join(',\n')}\n    ]\n  }`
  })
  mkdirSync(new URL('recorded/', import.meta.url), { recursive: true })
  writeFileSync(fileOf(topic), `{\n${scenarios.join(',\n')}\n}\n`)
}

/** A short sign of what a scenario asks. */
export function askedBy(scenario: Scenario): string {
  const text = JSON.stringify([scenario.times, scenario.steps], (_, value: unknown) =>
    typeof value === 'function' ? 'function' : value,
  )
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

function fileOf(topic: string): URL {
  return new URL(`recorded/${topic}.json`, import.meta.url)
}
