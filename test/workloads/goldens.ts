import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { History } from './history.ts'
import type { Scenario } from './scenario.ts'

/** How a scenario went on a real cluster. */
export interface Golden extends History {
  readonly title: string
  /** Tells when the scenario was changed since. */
  readonly asked: string
}

const FOLDER = new URL('recorded/', import.meta.url)

/** The golden of a scenario; `undefined` where none was recorded. */
export function readGolden(scenario: Scenario): Golden | undefined {
  const file = new URL(fileOf(scenario), FOLDER)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Golden) : undefined
}

/** Writes it: a line for each object in each step, so that a change shows as what it is. */
export function writeGolden(scenario: Scenario, { steps, last, events }: History): void {
  const lines = (record: Readonly<Record<string, unknown>>, indent: string): string => {
    const entries = Object.entries(record).map(
      ([name, value]) => `${indent}  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    )
    return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n${indent}}`
  }
  const shownSteps = steps.map(
    ({ step, problems, objects }) =>
      `    {\n      "step": ${JSON.stringify(step)},\n      "problems": ${JSON.stringify(problems)},\n      "objects": ${lines(objects, '      ')}\n    }`,
  )
  const told = events.map((event) => `    ${JSON.stringify(event)}`)
  const parts = [
    `  "title": ${JSON.stringify(scenario.title)}`,
    `  "asked": "${askedBy(scenario)}"`,
    `  "steps": [\n${shownSteps.join(',\n')}\n  ]`,
    `  "last": ${lines(last, '  ')}`,
    `  "events": ${told.length > 0 ? `[\n${told.join(',\n')}\n  ]` : '[]'}`,
  ]
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(new URL(fileOf(scenario), FOLDER), `{\n${parts.join(',\n')}\n}\n`)
}

/** The names of the golden files that there are. */
export function goldenFiles(): string[] {
  return existsSync(FOLDER) ? readdirSync(FOLDER).sort() : []
}

/** Removes the goldens of scenarios that are gone. */
export function removeStaleGoldens(scenarios: readonly Scenario[]): void {
  const current = new Set(scenarios.map(fileOf))
  for (const file of goldenFiles()) if (!current.has(file)) rmSync(new URL(file, FOLDER))
}

/** `deployment-scales-up-and-down.json` */
export function fileOf({ title }: Pick<Scenario, 'title'>): string {
  return `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.json`
}

/** A short sign of what a scenario does. */
export function askedBy({ kinds, quiet, steps }: Scenario): string {
  return createHash('sha256')
    .update(JSON.stringify([kinds, quiet, steps]))
    .digest('hex')
    .slice(0, 12)
}
