import {
  atMostAll,
  countOrPercent,
  notNegative,
  oneOf,
  selectorText,
  validateConditions,
  validateLabelSelector,
} from '../../checks/index.ts'
import { type FieldError, invalidValue, objectOf, RawJson } from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { generationAndStatus } from '../status/generation-and-status.ts'
import { podDisruptionBudgetPrinter } from './table.ts'

/** PodDisruptionBudgets. Their own rules are checked before those of metadata. */
export const podDisruptionBudget: NativeKind = {
  group: 'policy',
  kind: 'PodDisruptionBudget',
  ...generationAndStatus,
  names: 'segment',
  unconditionalUpdate: false,
  table: podDisruptionBudgetPrinter,
  metadataLast: true,
  plainFinalizers: true,
  updateSteps: ['object'],
  validate(object) {
    const spec = objectOf(object['spec'])
    const { minAvailable, maxUnavailable, selector } = spec
    const errors: FieldError[] = []
    if (minAvailable !== undefined && maxUnavailable !== undefined) {
      const detail = 'minAvailable and maxUnavailable cannot be both set'
      const shown = RawJson.object(
        ['MinAvailable', minAvailable],
        ['Selector', selectorText(selector)],
        ['MaxUnavailable', maxUnavailable],
        ['UnhealthyPodEvictionPolicy', spec['unhealthyPodEvictionPolicy'] ?? null],
      )
      errors.push(invalidValue('spec', shown, detail))
    }
    for (const name of ['minAvailable', 'maxUnavailable']) {
      addAll(errors, countOrPercent(spec[name], `spec.${name}`), atMostAll(spec[name], `spec.${name}`))
    }
    const policies = ['AlwaysAllow', 'IfHealthyBudget']
    return [
      ...errors,
      ...validateLabelSelector(selector, 'spec.selector'),
      ...oneOf(spec['unhealthyPodEvictionPolicy'], policies, 'spec.unhealthyPodEvictionPolicy'),
    ]
  },
  validateStatus(object) {
    const status = objectOf(object['status'])
    return [
      ...validateConditions(status['conditions'], 'status.conditions'),
      ...['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'].flatMap((name) =>
        notNegative(status[name], `status.${name}`),
      ),
    ]
  },
}
