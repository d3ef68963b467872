import { type JsonObject, labelProblems, objectOf, textOf } from '../../schema/index.ts'
import { podWarnings } from './pod-warnings.ts'

type Warnings = (object: JsonObject, old: JsonObject | undefined) => string[]

/**
 * The warnings for a workload: for its name, where it is a part of Pod names, and for its template, where it is new.
 */
export function templateWarnings(path: string, names: boolean): Warnings {
  return (object, old) => {
    const generation = (of: JsonObject): unknown => objectOf(of['metadata'])['generation']
    if (old && generation(object) === generation(old)) return []
    const inner = path.split('.').reduce((part, key) => objectOf(part[key]), object)
    return [
      ...(names && !old ? nameWarnings(object, 'Pod names and hostnames') : []),
      ...podWarnings(inner, path),
    ]
  }
}

export function nameWarnings(object: JsonObject, use: string): string[] {
  const problems = labelProblems(textOf(objectOf(object['metadata'])['name'] ?? ''))
  if (problems.length === 0) return []
  return [
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
  ]
}
