import type { KindStrategy } from '../../registry/index.ts'
import {
  eachObject,
  ensureObject,
  named,
  objectsIn,
  setDefault,
  validateLabelSelector,
} from '../../checks/index.ts'
import {
  equalJson,
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  RawJson,
  requiredValue,
  segmentProblems,
  subdomainProblems,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'

const GROUP = 'rbac.authorization.k8s.io'

/** The strategy of Roles (`namespaced`) and ClusterRoles. */
export function roleStrategy(namespaced: boolean): KindStrategy {
  return {
    // A name such as `system:masters` is allowed, and a PUT creates a role that does not exist.
    names: 'whole segment',
    createOnUpdate: true,
    updateSteps: ['metadata', 'object', 'metadata change'],
    validate: (object) => [
      ...eachObject(object['rules'], 'rules', (rule, field) => ruleErrors(rule, field, namespaced)),
      ...aggregationErrors(object['aggregationRule']),
    ],
  }
}

/** Validates an aggregation rule, which needs at least one selector of roles. */
function aggregationErrors(value: unknown): FieldError[] {
  if (!isObject(value)) return []
  const field = 'aggregationRule.clusterRoleSelectors'
  const selectors = listOf(value['clusterRoleSelectors'])
  const errors =
    selectors.length === 0
      ? [requiredValue(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil')]
      : []
  return [
    ...errors,
    ...eachObject(selectors, field, (selector, at) => {
      const wrong = validateLabelSelector(selector, at)
      return wrong.length > 0 ? [...wrong, invalidValue(at, null, 'invalid label selector.')] : []
    }),
  ]
}

function ruleErrors(rule: JsonObject, field: string, namespaced: boolean): FieldError[] {
  const groups = listOf(rule['apiGroups'])
  const resources = listOf(rule['resources'])
  const urls = listOf(rule['nonResourceURLs'])
  const errors: FieldError[] = []
  if (listOf(rule['verbs']).length === 0)
    errors.push(requiredValue(`${field}.verbs`, 'verbs must contain at least one value'))
  if (urls.length > 0) {
    if (namespaced) {
      const detail = 'namespaced rules cannot apply to non-resource URLs'
      errors.push(invalidValue(`${field}.nonResourceURLs`, urls, detail))
    }
    if (groups.length > 0 || resources.length > 0 || listOf(rule['resourceNames']).length > 0) {
      const detail = 'rules cannot apply to both regular resources and non-resource URLs'
      errors.push(invalidValue(`${field}.nonResourceURLs`, urls, detail))
    }
    return errors
  }
  if (groups.length === 0) {
    errors.push(requiredValue(`${field}.apiGroups`, 'resource rules must supply at least one api group'))
  }
  if (resources.length === 0) {
    errors.push(requiredValue(`${field}.resources`, 'resource rules must supply at least one resource'))
  }
  return errors
}

/** The strategy of RoleBindings and ClusterRoleBindings. */
export function roleBindingStrategy(namespaced: boolean): KindStrategy {
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']
  return {
    names: 'whole segment',
    createOnUpdate: true,
    updateSteps: ['metadata', 'object', 'metadata change', 'change'],
    default(object) {
      setDefault(ensureObject(object, 'roleRef'), 'apiGroup', GROUP)
      for (const subject of objectsIn(object['subjects'])) {
        if (subject['kind'] === 'User' || subject['kind'] === 'Group') setDefault(subject, 'apiGroup', GROUP)
      }
    },
    validate(object) {
      const { apiGroup, kind, name } = objectOf(object['roleRef'])
      const errors: FieldError[] = []
      if (apiGroup !== GROUP) errors.push(unsupportedValue('roleRef.apiGroup', apiGroup, [GROUP]))
      if (!kinds.includes(String(kind))) errors.push(unsupportedValue('roleRef.kind', kind ?? '', kinds))
      if (name) addAll(errors, named(name, 'roleRef.name', segmentProblems))
      else errors.push(requiredValue('roleRef.name'))
      return [
        ...errors,
        ...eachObject(object['subjects'], 'subjects', (one, field) => subjectErrors(one, field, namespaced)),
      ]
    },
    validateUpdate(object, old) {
      if (equalJson(object['roleRef'], old['roleRef'])) return []
      const { apiGroup, kind, name } = objectOf(object['roleRef'])
      const shown = RawJson.object(['APIGroup', apiGroup], ['Kind', kind], ['Name', name])
      return [invalidValue('roleRef', shown, 'cannot change roleRef')]
    },
  }
}

function subjectErrors(subject: JsonObject, field: string, namespaced: boolean): FieldError[] {
  const { kind, name, namespace, apiGroup = '' } = subject
  const errors = name ? [] : [requiredValue(`${field}.name`)]
  if (kind === 'ServiceAccount') {
    if (name) addAll(errors, named(name, `${field}.name`, subdomainProblems))
    if (apiGroup !== '') errors.push(unsupportedValue(`${field}.apiGroup`, apiGroup, ['']))
    if (!namespaced && !namespace) errors.push(requiredValue(`${field}.namespace`))
  } else if (kind === 'User' || kind === 'Group') {
    if (apiGroup !== GROUP) errors.push(unsupportedValue(`${field}.apiGroup`, apiGroup, [GROUP]))
  } else {
    errors.push(unsupportedValue(`${field}.kind`, kind ?? '', ['ServiceAccount', 'User', 'Group']))
  }
  return errors
}
