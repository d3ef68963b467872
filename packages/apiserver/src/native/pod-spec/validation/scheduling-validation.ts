import { labelKeyProblems, labelValueProblems } from '@homeostat/api'
import {
  eachObject,
  named,
  oneOf,
  operatorErrors,
  positive,
  validateLabelSelector,
} from '../../../checks/index.ts'
import {
  duplicateValue,
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
} from '../../../schema/index.ts'
import { addAll } from '../../../work/index.ts'

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** Validates tolerations. */
export function validateTolerations(value: unknown, field: string): FieldError[] {
  return eachObject(value, field, (toleration, at) => {
    const { tolerationSeconds } = toleration
    const key = textOf(toleration['key'] ?? '')
    const operator = textOf(toleration['operator'] ?? '')
    const text = textOf(toleration['value'] ?? '')
    const effect = textOf(toleration['effect'] ?? '')
    const errors = key === '' ? [] : named(key, `${at}.key`, labelKeyProblems)
    if (key === '' && operator !== 'Exists') {
      const detail =
        'operator must be Exists when `key` is empty, which means "match all values and all keys"'
      errors.push(invalidValue(`${at}.operator`, operator, detail))
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set"
      errors.push(invalidValue(`${at}.effect`, effect, detail))
    }
    if (operator === '' || operator === 'Equal') {
      const problems = labelValueProblems(text)
      if (problems.length > 0) errors.push(invalidValue(`${at}.operator`, text, problems.join(';')))
    } else if (operator === 'Exists') {
      if (text !== '') {
        errors.push(invalidValue(`${at}.operator`, text, "value must be empty when `operator` is 'Exists'"))
      }
    } else {
      const numeric = operator === 'Lt' || operator === 'Gt'
      const allowed = numeric ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists']
      errors.push(unsupportedValue(`${at}.operator`, operator, allowed))
    }
    return effect === '' ? errors : [...errors, ...oneOf(effect, EFFECTS, `${at}.effect`)]
  })
}

/** Validates the taints of a node. */
export function validateTaints(value: unknown, field: string): FieldError[] {
  const seen = new Set<string>()
  return eachObject(value, field, (taint, at) => {
    const key = textOf(taint['key'] ?? '')
    const text = textOf(taint['value'] ?? '')
    const effect = textOf(taint['effect'] ?? '')
    const errors = named(key, `${at}.key`, labelKeyProblems)
    const problems = labelValueProblems(text)
    if (problems.length > 0) errors.push(invalidValue(`${at}.value`, text, problems.join(';')))
    addAll(errors, effect === '' ? [requiredValue(`${at}.effect`)] : oneOf(effect, EFFECTS, `${at}.effect`))
    if (seen.has(`${key} ${effect}`)) {
      errors.push(
        duplicateValue(at, goTaint(key, text, effect), 'taints must be unique by key and effect pair'),
      )
    }
    seen.add(`${key} ${effect}`)
    return errors
  })
}

function goTaint(key: string, value: string, effect: string): JsonObject {
  return { Key: key, Value: value, Effect: effect, TimeAdded: null }
}

/** Validates affinity. */
export function validateAffinity(value: unknown, field: string): FieldError[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = objectOf(value)
  const errors: FieldError[] = []
  if (isObject(nodeAffinity)) {
    const { requiredDuringSchedulingIgnoredDuringExecution: must } = nodeAffinity
    const at = `${field}.nodeAffinity`
    if (isObject(must)) {
      addAll(errors, validateNodeSelector(must, `${at}.requiredDuringSchedulingIgnoredDuringExecution`))
    }
    const preferred = `${at}.preferredDuringSchedulingIgnoredDuringExecution`
    addAll(
      errors,
      eachObject(
        nodeAffinity['preferredDuringSchedulingIgnoredDuringExecution'],
        preferred,
        (term, where) => [
          ...weightErrors(term, where),
          ...nodeTermErrors(objectOf(term['preference']), `${where}.preference`, false),
        ],
      ),
    )
  }
  for (const [name, affinity] of [
    ['podAffinity', podAffinity],
    ['podAntiAffinity', podAntiAffinity],
  ] as const) {
    const { requiredDuringSchedulingIgnoredDuringExecution: must } = objectOf(affinity)
    const at = `${field}.${name}`
    addAll(
      errors,
      eachObject(must, `${at}.requiredDuringSchedulingIgnoredDuringExecution`, podTermErrors),
      eachObject(
        objectOf(affinity)['preferredDuringSchedulingIgnoredDuringExecution'],
        `${at}.preferredDuringSchedulingIgnoredDuringExecution`,
        (term, where) => [
          ...weightErrors(term, where),
          ...podTermErrors(objectOf(term['podAffinityTerm']), `${where}.podAffinityTerm`),
        ],
      ),
    )
  }
  return errors
}

function weightErrors(term: JsonObject, field: string): FieldError[] {
  const weight = Number(term['weight'] ?? 0)
  return weight > 0 && weight <= 100
    ? []
    : [invalidValue(`${field}.weight`, weight, 'must be in the range 1-100')]
}

/** Validates a node selector. */
export function validateNodeSelector(selector: JsonObject, field: string): FieldError[] {
  const terms = listOf(selector['nodeSelectorTerms'])
  const at = `${field}.nodeSelectorTerms`
  if (terms.length === 0) return [requiredValue(at, 'must have at least one node selector term')]
  return eachObject(terms, at, (term, where) => nodeTermErrors(term, where, true))
}

function nodeTermErrors(term: JsonObject, field: string, strict: boolean): FieldError[] {
  return [
    ...eachObject(term['matchExpressions'], `${field}.matchExpressions`, (one, at) =>
      expressionErrors(one, at, strict),
    ),
    ...eachObject(term['matchFields'], `${field}.matchFields`, fieldErrors),
  ]
}

function expressionErrors(requirement: JsonObject, field: string, strict: boolean): FieldError[] {
  const { operator } = requirement
  const values = listOf(requirement['values'])
  const errors: FieldError[] = []
  if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) {
      const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'"
      errors.push(requiredValue(`${field}.values`, detail))
    }
  } else addAll(errors, operatorErrors(requirement, field))
  addAll(errors, named(requirement['key'], `${field}.key`, labelKeyProblems))
  for (const [index, value] of strict ? values.entries() : []) {
    addAll(errors, named(value, `${field}.values[${index}]`, labelValueProblems))
  }
  return errors
}

function fieldErrors(requirement: JsonObject, field: string): FieldError[] {
  const { operator, key } = requirement
  const values = listOf(requirement['values'])
  const errors: FieldError[] = []
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(invalidValue(`${field}.operator`, operator ?? '', 'not a valid selector operator'))
  } else if (values.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
    errors.push(requiredValue(`${field}.values`, detail))
  }
  if (key !== 'metadata.name') {
    return [...errors, invalidValue(`${field}.key`, key ?? '', 'not a valid field selector key')]
  }
  return [
    ...errors,
    ...values.flatMap((value, index) => named(value, `${field}.values[${index}]`, subdomainProblems)),
  ]
}

function podTermErrors(term: JsonObject, field: string): FieldError[] {
  const errors = [
    ...validateLabelSelector(term['labelSelector'], `${field}.labelSelector`),
    ...validateLabelSelector(term['namespaceSelector'], `${field}.namespaceSelector`),
    ...listOf(term['namespaces']).flatMap((name) => named(name, `${field}.namespace`, labelProblems)),
    ...matchKeyErrors(term, field),
  ]
  if (!term['topologyKey']) errors.push(requiredValue(`${field}.topologyKey`, 'can not be empty'))
  return [...errors, ...named(term['topologyKey'], `${field}.topologyKey`, labelKeyProblems)]
}

/** Validates `matchLabelKeys` and `mismatchLabelKeys`. */
function matchKeyErrors(term: JsonObject, field: string): FieldError[] {
  const { labelSelector } = term
  const matched = listOf(term['matchLabelKeys']).map(textOf)
  const mismatched = listOf(term['mismatchLabelKeys']).map(textOf)
  const errors: FieldError[] = []
  for (const [name, keys] of [
    ['matchLabelKeys', matched],
    ['mismatchLabelKeys', mismatched],
  ] as const) {
    const at = `${field}.${name}`
    if (keys.length === 0) continue
    if (!isObject(labelSelector)) {
      errors.push(forbiddenValue(at, 'must not be specified when labelSelector is not set'))
    } else {
      addAll(
        errors,
        keys.flatMap((key, index) => named(key, `${at}[${index}]`, labelKeyProblems)),
      )
    }
  }
  const selected = new Set(Object.keys(objectOf(objectOf(labelSelector)['matchLabels'])))
  for (const expression of listOf(objectOf(labelSelector)['matchExpressions'])) {
    const key = textOf(objectOf(expression)['key'] ?? '')
    const index = matched.lastIndexOf(key)
    if (index >= 0 && selected.has(key)) {
      errors.push(invalidValue(`${field}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector'))
    }
    selected.add(key)
  }
  for (const [index, key] of matched.entries()) {
    if (!mismatched.includes(key)) continue
    const detail = 'exists in both matchLabelKeys and mismatchLabelKeys'
    errors.push(invalidValue(`${field}.matchLabelKeys[${index}]`, key, detail))
  }
  return errors
}

/** Validates topology spread constraints. */
export function validateTopologySpread(value: unknown, field: string): FieldError[] {
  const all = listOf(value).map(objectOf)
  return eachObject(value, field, (constraint, at, index) => {
    const { topologyKey, whenUnsatisfiable, minDomains } = constraint
    const errors = positive(constraint['maxSkew'] ?? 0, `${at}.maxSkew`)
    if (!topologyKey) errors.push(requiredValue(`${at}.topologyKey`, 'can not be empty'))
    if (whenUnsatisfiable !== 'DoNotSchedule' && whenUnsatisfiable !== 'ScheduleAnyway') {
      const allowed = ['DoNotSchedule', 'ScheduleAnyway']
      errors.push(unsupportedValue(`${at}.whenUnsatisfiable`, whenUnsatisfiable ?? '', allowed))
    }
    const again = all
      .slice(index + 1)
      .some((one) => one['topologyKey'] === topologyKey && one['whenUnsatisfiable'] === whenUnsatisfiable)
    if (again) {
      const shown = `{${textOf(topologyKey ?? '')}, ${textOf(whenUnsatisfiable ?? '')}}`
      errors.push(duplicateValue(`${at}.{topologyKey, whenUnsatisfiable}`, shown))
    }
    if (minDomains !== undefined) {
      addAll(errors, positive(minDomains, `${at}.minDomains`))
      if (whenUnsatisfiable !== 'DoNotSchedule') {
        const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${textOf(whenUnsatisfiable ?? '')}`
        errors.push(invalidValue(`${at}.minDomains`, minDomains, detail))
      }
    }
    for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
      addAll(errors, oneOf(constraint[name], ['Honor', 'Ignore'], `${at}.${name}`))
    }
    return [
      ...errors,
      ...matchKeyErrors(constraint, at),
      ...validateLabelSelector(constraint['labelSelector'], `${at}.labelSelector`),
    ]
  })
}
