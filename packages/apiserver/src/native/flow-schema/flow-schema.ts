import { eachObject, ensureObject, named } from '../../checks/index.ts'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  labelProblems,
  listOf,
  objectOf,
  requiredValue,
  subdomainProblems,
  textOf,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { flowControlStrategy } from '../priority-level-configuration/flow-control-strategy.ts'
import { statusErrors } from '../priority-level-configuration/status-validation.ts'
import { flowSchemaPrinter } from './table.ts'

const MOST_PRECEDENCE = 10_000

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch']

const SUBJECTS = ['Group', 'ServiceAccount', 'User']

/** FlowSchemas: which requests form a flow, and at which priority level. */
export const flowSchema: NativeKind = {
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'FlowSchema',
  ...flowControlStrategy,
  table: flowSchemaPrinter,
  default(object) {
    const spec = ensureObject(object, 'spec')
    spec['matchingPrecedence'] ||= 1000
  },
  validate(object) {
    const spec = objectOf(object['spec'])
    const { distinguisherMethod: method, matchingPrecedence } = spec
    const precedence = Number(matchingPrecedence)
    const at = 'spec.matchingPrecedence'
    const errors: FieldError[] = []
    if (precedence <= 0) errors.push(invalidValue(at, precedence, 'must be a positive value'))
    if (precedence > MOST_PRECEDENCE) {
      errors.push(invalidValue(at, precedence, `must not be greater than ${MOST_PRECEDENCE}`))
    }
    if (precedence === 1 && objectOf(object['metadata'])['name'] !== 'exempt') {
      const detail = "only the schema named 'exempt' may have matchingPrecedence 1"
      errors.push(invalidValue(at, precedence, detail))
    }
    const methods = ['ByNamespace', 'ByUser']
    if (isObject(method) && !methods.includes(textOf(method['type']))) {
      const shown = { Type: method['type'] ?? '' }
      errors.push(unsupportedValue('spec.distinguisherMethod.type', shown, methods))
    }
    const level = objectOf(spec['priorityLevelConfiguration'])['name']
    const levelAt = 'spec.priorityLevelConfiguration.name'
    if (level) addAll(errors, named(level, levelAt, subdomainProblems))
    else errors.push(requiredValue(levelAt, 'must reference a priority level'))
    return [...errors, ...eachObject(spec['rules'], 'spec.rules', ruleErrors), ...statusErrors(object)]
  },
}

function ruleErrors(rule: JsonObject, field: string): FieldError[] {
  const errors =
    listOf(rule['subjects']).length === 0
      ? [requiredValue(`${field}.subjects`, 'subjects must contain at least one value')]
      : eachObject(rule['subjects'], `${field}.subjects`, subjectErrors)
  if (listOf(rule['resourceRules']).length === 0 && listOf(rule['nonResourceRules']).length === 0) {
    const detail = 'at least one of resourceRules and nonResourceRules has to be non-empty'
    errors.push(requiredValue(field, detail))
  }
  return [
    ...errors,
    ...eachObject(rule['resourceRules'], `${field}.resourceRules`, resourceRuleErrors),
    ...eachObject(rule['nonResourceRules'], `${field}.nonResourceRules`, (one, at) => [
      ...verbErrors(one, at),
      ...urlErrors(one, at),
    ]),
  ]
}

/** The fields of a subject, by the kind of subject that has them. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
  ['Group', 'group'],
])

function subjectErrors(subject: JsonObject, field: string): FieldError[] {
  const kind = textOf(subject['kind'] ?? '')
  const part = PARTS.get(kind)
  if (part === undefined) return [unsupportedValue(`${field}.kind`, kind, SUBJECTS)]
  const errors = partErrors(subject[part], `${field}.${part}`, kind)
  for (const [other, name] of PARTS) {
    if (other === kind || subject[name] === undefined) continue
    errors.push(
      forbiddenValue(`${field}.${name}`, `${name} is forbidden when subject kind is not '${other}'`),
    )
  }
  return errors
}

function partErrors(part: unknown, field: string, kind: string): FieldError[] {
  if (!isObject(part)) {
    const name = field.slice(field.lastIndexOf('.') + 1)
    return [requiredValue(field, `${name} is required when subject kind is '${kind}'`)]
  }
  const { name, namespace } = part
  const errors: FieldError[] = []
  if (!name) errors.push(requiredValue(`${field}.name`))
  if (kind !== 'ServiceAccount') return errors
  if (name && name !== '*') addAll(errors, named(name, `${field}.name`, subdomainProblems))
  if (namespace) return [...errors, ...named(namespace, `${field}.namespace`, labelProblems)]
  return [...errors, requiredValue(`${field}.namespace`, 'must specify namespace for service account')]
}

function verbErrors(rule: JsonObject, field: string): FieldError[] {
  const verbs = listOf(rule['verbs'])
  const at = `${field}.verbs`
  if (verbs.length === 0) return [requiredValue(at, 'verbs must contain at least one value')]
  if (verbs.includes('*')) return alone(verbs, at, 'verbs')
  return verbs.every((verb) => VERBS.includes(textOf(verb))) ? [] : [unsupportedValue(at, verbs, VERBS)]
}

/** Validates that `*` is the only element of a list. */
function alone(values: readonly unknown[], field: string, what: string): FieldError[] {
  if (values.length < 2 || !values.includes('*')) return []
  return [invalidValue(field, values, `if '*' is present, must not specify other ${what}`)]
}

function urlErrors(rule: JsonObject, field: string): FieldError[] {
  const urls = listOf(rule['nonResourceURLs'])
  const at = `${field}.nonResourceURLs`
  if (urls.length === 0) return [requiredValue(at, 'nonResourceURLs must contain at least one value')]
  if (urls.includes('*')) return alone(urls, at, 'non-resource URLs')
  return urls.flatMap((one, index) => {
    const url = textOf(one)
    const problem = urlProblem(url)
    return problem === undefined ? [] : [invalidValue(`${at}[${index}]`, url, problem)]
  })
}

function urlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty'
  if (url === '/') return undefined
  if (!url.startsWith('/')) return 'must start with slash'
  if (url.includes(' ')) return 'must not contain white-space'
  if (url.includes('//')) return 'must not contain double slash'
  const star = url.indexOf('*')
  if (star >= 0 && (star !== url.length - 1 || url.at(-2) !== '/')) {
    return 'wildcard can only do suffix matching'
  }
  return undefined
}

function resourceRuleErrors(rule: JsonObject, field: string): FieldError[] {
  const errors = verbErrors(rule, field)
  for (const [name, one, many] of [
    ['apiGroups', 'api group', 'api groups'],
    ['resources', 'resource', 'resources'],
  ] as const) {
    const values = listOf(rule[name])
    const at = `${field}.${name}`
    if (values.length === 0) errors.push(requiredValue(at, `resource rules must supply at least one ${one}`))
    else addAll(errors, alone(values, at, many))
  }
  const namespaces = listOf(rule['namespaces'])
  const at = `${field}.namespaces`
  if (namespaces.length === 0 && rule['clusterScope'] !== true) {
    const detail = 'resource rules that are not cluster scoped must supply at least one namespace'
    return [...errors, requiredValue(at, detail)]
  }
  if (namespaces.includes('*')) return [...errors, ...alone(namespaces, at, 'namespaces')]
  for (const [index, namespace] of namespaces.entries()) {
    const form = (text: string): string[] =>
      labelProblems(text).map(
        (problem) => `each member of this list must be '*' or a DNS-1123 label; ${problem}`,
      )
    addAll(errors, named(namespace, `${at}[${index}]`, form))
  }
  return errors
}
