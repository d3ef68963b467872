import {
  amountOf,
  atMostAll,
  countOrPercent,
  isEmptySelector,
  notNegative,
  validateLabelSelector,
} from '../../checks/index.ts'
import {
  equalJson,
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  objectOf,
  requiredValue,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { dropFromTemplate } from '../pod-spec/disabled-fields.ts'
import { templateWarnings } from '../pod-spec/template-warnings.ts'
import { statusCounts } from '../workload/workload-status.ts'
import {
  selectorMismatch,
  shownStrategy,
  validateRunningTemplate,
  validateSelectorUpdate,
} from '../workload/workload-validation.ts'
import { defaultDaemonSet } from './daemon-set-defaults.ts'
import { daemonSetStrategy } from './daemon-set-strategy.ts'
import { daemonSetPrinter } from './table.ts'

const warnings = templateWarnings('spec.template', false)

function templateOf(object: JsonObject): unknown {
  return objectOf(object['spec'])['template']
}

/** DaemonSets. */
export const daemonSet: NativeKind = {
  group: 'apps',
  kind: 'DaemonSet',
  ...daemonSetStrategy,
  // An update that does not change the template gets no warnings.
  warnings: (object, old) =>
    old && equalJson(templateOf(object), templateOf(old)) ? [] : warnings(object, old),
  table: daemonSetPrinter,
  default: defaultDaemonSet,
  dropDisabled: dropFromTemplate,
  validate(object) {
    const spec = objectOf(object['spec'])
    const template = objectOf(spec['template'])
    const { selector } = spec
    const errors = validateLabelSelector(selector, 'spec.selector')
    if (errors.length === 0) addAll(errors, selectorMismatch(selector, template))
    if (isObject(selector) && isEmptySelector(selector)) {
      errors.push(invalidValue('spec.selector', {}, 'empty selector is invalid for daemonset'))
    }
    return [
      ...errors,
      ...validateRunningTemplate(template, 'DaemonSet'),
      ...notNegative(spec['minReadySeconds'], 'spec.minReadySeconds'),
      ...daemonStrategyErrors(objectOf(spec['updateStrategy']), 'spec.updateStrategy'),
      ...notNegative(spec['revisionHistoryLimit'], 'spec.revisionHistoryLimit'),
    ]
  },
  updateSteps: ['metadata change', 'change', 'object'],
  validateUpdate: validateSelectorUpdate,
  validateStatus: statusCounts({
    counts: [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ],
    collisions: true,
  }),
}

function daemonStrategyErrors(strategy: JsonObject, field: string): FieldError[] {
  const { type, rollingUpdate } = strategy
  if (type === 'OnDelete') return []
  if (type !== 'RollingUpdate') {
    return [unsupportedValue(field, shownStrategy(strategy), ['RollingUpdate', 'OnDelete'])]
  }
  const at = `${field}.rollingUpdate`
  if (!isObject(rollingUpdate)) return [requiredValue(at)]
  const { maxSurge, maxUnavailable } = rollingUpdate
  const errors = [
    ...countOrPercent(maxUnavailable, `${at}.maxUnavailable`),
    ...countOrPercent(maxSurge, `${at}.maxSurge`),
    ...atMostAll(maxUnavailable, `${at}.maxUnavailable`),
    ...atMostAll(maxSurge, `${at}.maxSurge`),
  ]
  const [gone, more] = [amountOf(maxUnavailable) !== 0, amountOf(maxSurge) !== 0]
  if (gone && more) {
    const detail = 'may not be set when maxUnavailable is non-zero'
    errors.push(invalidValue(`${at}.maxSurge`, maxSurge, detail))
  } else if (!gone && !more) {
    errors.push(requiredValue(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'))
  }
  return errors
}
