import { labelKeyProblems } from '@homeostat/api'
import { invalidValue, requiredValue, type FieldError } from '../field-error.ts'
import { objectOf, textOf } from '../json.ts'
import type { NativeBehaviour } from './native-behaviour.ts'

/** Events of the core group; those of `events.k8s.io` are the same objects under other names. */
export const event: NativeBehaviour = {
  default(object) {
    object['reportingComponent'] ??= ''
    object['reportingInstance'] ??= ''
  },
  validate(object) {
    const { namespace } = objectOf(object['metadata'])
    const about = objectOf(object['involvedObject'])['namespace']
    const errors: FieldError[] = []
    // What has no namespace is reported in the default one.
    if (about ? about !== namespace : namespace !== 'default' && namespace !== 'kube-system') {
      errors.push(invalidValue('involvedObject.namespace', about ?? '', 'does not match event.namespace'))
    }
    if (!object['eventTime']) return errors
    for (const name of ['reportingComponent', 'reportingInstance', 'action', 'reason']) {
      if (!object[name]) errors.push(requiredValue(name))
    }
    const reporter = textOf(object['reportingComponent'] ?? '')
    for (const problem of labelKeyProblems(reporter)) {
      errors.push(invalidValue('reportingComponent', reporter, problem))
    }
    return errors
  },
}
