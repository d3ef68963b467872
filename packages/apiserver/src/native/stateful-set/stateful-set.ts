import {
  eachObject,
  isEmptySelector,
  notNegative,
  objectsIn,
  optionalLabel,
  selectorText,
  validateLabelSelector,
} from '../../checks/index.ts'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  RawJson,
  requiredValue,
  textOf,
  unsupportedValue,
  validateAnnotations,
  validateLabels,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { validateClaimSpec } from '../persistent-volume-claim/persistent-volume-claim.ts'
import { dropFromTemplate } from '../pod-spec/disabled-fields.ts'
import { validatePodAnnotations } from '../pod-spec/validation/pod-annotations.ts'
import { validatePodTemplate } from '../pod-spec/validation/pod-validation.ts'
import { statusCounts } from '../workload/workload-status.ts'
import { generationAndStatus } from '../status/generation-and-status.ts'
import { differsBeyond, selectorMismatch } from '../workload/workload-validation.ts'
import { defaultStatefulSet } from './stateful-set-defaults.ts'
import { statefulSetWarnings } from './stateful-set-warnings.ts'
import { statefulSetPrinter } from './table.ts'

const CHANGEABLE = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
]

/** StatefulSets. */
export const statefulSet: NativeKind = {
  group: 'apps',
  kind: 'StatefulSet',
  ...generationAndStatus,
  names: 'label',
  warnings: statefulSetWarnings,
  table: statefulSetPrinter,
  default: defaultStatefulSet,
  dropDisabled(object) {
    const { rollingUpdate } = objectOf(objectOf(object['spec'])['updateStrategy'])
    // `maxUnavailable` is off by default.
    delete objectOf(rollingUpdate)['maxUnavailable']
    dropFromTemplate(object)
  },
  validate,
  validateUpdate(object, old) {
    if (!differsBeyond(objectOf(object['spec']), objectOf(old['spec']), CHANGEABLE)) return []
    const detail =
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
    return [forbiddenValue('spec', detail)]
  },
  validateStatus: statusCounts({
    counts: [
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
      'observedGeneration',
      'collisionCount',
    ],
    atMostReplicas: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
    ready: 'status.readyReplicas',
    collisions: true,
  }),
}

/** Errors that the old object already has, such as an invalid `serviceName`, which is immutable, are not reported. */
function validate(object: JsonObject, old?: JsonObject): FieldError[] {
  const spec = objectOf(object['spec'])
  const errors = policyErrors(spec)
  addAll(errors, strategyErrors(objectOf(spec['updateStrategy']), 'spec.updateStrategy'))
  const retention = objectOf(spec['persistentVolumeClaimRetentionPolicy'])
  for (const when of ['whenDeleted', 'whenScaled']) {
    if (retention[when] === 'Retain' || retention[when] === 'Delete') continue
    const field = `spec.persistentVolumeClaimRetentionPolicy.${when}`
    errors.push(unsupportedValue(field, retention[when] ?? '', ['Retain', 'Delete']))
  }
  if (!old) {
    addAll(
      errors,
      eachObject(spec['volumeClaimTemplates'], 'spec.volumeClaimTemplates', (claim, at) =>
        validateClaimSpec(objectOf(claim['spec']), `${at}.spec`),
      ),
    )
  }
  addAll(
    errors,
    notNegative(spec['replicas'], 'spec.replicas'),
    notNegative(spec['minReadySeconds'], 'spec.minReadySeconds'),
    notNegative(objectOf(spec['ordinals'])['start'], 'spec.ordinals.start'),
  )
  if (!old) addAll(errors, optionalLabel(spec['serviceName'], 'spec.serviceName'))
  return [...errors, ...selectorErrors(spec), ...restartErrors(objectOf(objectOf(spec['template'])['spec']))]
}

function policyErrors(spec: JsonObject): FieldError[] {
  const { podManagementPolicy } = spec
  if (podManagementPolicy === 'OrderedReady' || podManagementPolicy === 'Parallel') return []
  const detail = "must be 'OrderedReady' or 'Parallel'"
  return [invalidValue('spec.podManagementPolicy', podManagementPolicy, detail)]
}

function strategyErrors(strategy: JsonObject, field: string): FieldError[] {
  const { type, rollingUpdate } = strategy
  const at = `${field}.rollingUpdate`
  if (type === 'OnDelete') {
    if (!isObject(rollingUpdate)) return []
    const shown = RawJson.object(['Partition', rollingUpdate['partition'] ?? 0], ['MaxUnavailable', null])
    return [invalidValue(at, shown, "only allowed for updateStrategy 'RollingUpdate'")]
  }
  if (type !== 'RollingUpdate') {
    const shown = RawJson.object(['Type', type], ['RollingUpdate', null])
    return [invalidValue(field, shown, "must be 'RollingUpdate' or 'OnDelete'")]
  }
  if (!isObject(rollingUpdate)) return []
  return notNegative(rollingUpdate['partition'], `${at}.partition`)
}

function selectorErrors(spec: JsonObject): FieldError[] {
  const { selector } = spec
  const field = 'spec.selector'
  const wrong = validateLabelSelector(selector, field)
  const errors = isObject(selector) ? [...wrong] : [requiredValue(field)]
  if (isObject(selector) && isEmptySelector(selector)) {
    errors.push(invalidValue(field, {}, 'empty selector is invalid for statefulset'))
  }
  if (wrong.length > 0) return [...errors, invalidValue(field, selectorText(selector), '')]
  return [...errors, ...templateErrors(spec)]
}

function templateErrors(spec: JsonObject): FieldError[] {
  const template = identified(spec)
  const { labels, annotations } = objectOf(template['metadata'])
  return [
    ...selectorMismatch(spec['selector'], template),
    ...validatePodTemplate(template, 'spec.template'),
    ...validateLabels(labels, 'spec.template.labels'),
    ...validateAnnotations(annotations, 'spec.template.annotations'),
    ...validatePodAnnotations(annotations, objectOf(template['spec']), 'spec.template.annotations'),
  ]
}

/** The template as its Pods get it, with a volume for each claim template. */
function identified(spec: JsonObject): JsonObject {
  const template = objectOf(spec['template'])
  const pod: JsonObject = { ...objectOf(template['spec']) }
  delete pod['hostname']
  delete pod['subdomain']
  const claims = new Map(
    objectsIn(spec['volumeClaimTemplates']).map((claim) => {
      const name = textOf(objectOf(claim['metadata'])['name'] ?? '')
      return [name, { name, persistentVolumeClaim: { claimName: name } }]
    }),
  )
  if (claims.size > 0) {
    const others = listOf(pod['volumes']).filter((volume) => !claims.has(textOf(objectOf(volume)['name'])))
    pod['volumes'] = [...claims.values(), ...others]
  }
  return { ...template, spec: pod }
}

function restartErrors(pod: JsonObject): FieldError[] {
  const errors: FieldError[] = []
  if (pod['restartPolicy'] !== 'Always') {
    errors.push(unsupportedValue('spec.template.spec.restartPolicy', pod['restartPolicy'] ?? '', ['Always']))
  }
  if (pod['activeDeadlineSeconds'] !== undefined) {
    const detail = 'activeDeadlineSeconds in StatefulSet is not Supported'
    errors.push(forbiddenValue('spec.template.spec.activeDeadlineSeconds', detail))
  }
  return errors
}
