import { isObject, quote } from '../schema/index.ts'

/** A type of a field: a text, a boolean, a list, or an object with these fields. */
export type ConfigurationShape =
  | 'string'
  | 'boolean'
  | readonly [ConfigurationShape]
  | { readonly [field: string]: ConfigurationShape }

const GROUP = 'apiserver.config.k8s.io'

/**
 * The first problem of the kind, the names or the types of the fields of a configuration of the API server; undefined where there
 * is none.
 */
export function configurationProblem(
  value: unknown,
  kind: string,
  versions: readonly string[],
  shape: ConfigurationShape,
): string | undefined {
  if (!isObject(value)) return 'it is not an object'
  const accepted = versions.map((version) => `${GROUP}/${version}`)
  if (value['kind'] !== kind || !accepted.includes(String(value['apiVersion']))) {
    return `it must be of kind ${kind} in ${accepted[0]}`
  }
  return problemOf(value, shape, '')
}

function problemOf(value: unknown, shape: ConfigurationShape, at: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof shape === 'string') {
    return typeof value === shape ? undefined : `${at}: must be a ${shape}`
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) return `${at}: must be a list`
    return value
      .map((one, index) => problemOf(one, shape[0], `${at}[${index}]`))
      .find((problem) => problem !== undefined)
  }
  if (!isObject(value)) return `${at}: must be an object`
  for (const [name, part] of Object.entries(value)) {
    const path = at === '' ? name : `${at}.${name}`
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (known === undefined) return `strict decoding error: unknown field ${quote(path)}`
    const problem = problemOf(part, known, path)
    if (problem !== undefined) return problem
  }
  return undefined
}

function isList(shape: ConfigurationShape): shape is readonly [ConfigurationShape] {
  return Array.isArray(shape)
}
