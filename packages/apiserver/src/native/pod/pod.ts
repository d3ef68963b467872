import { objectOf } from '../../schema/json.ts'
import { dropFromPodSpec } from '../pod-template/disabled-fields.ts'
import type { NativeBehaviour } from '../kind/native-behaviour.ts'
import { defaultPod, defaultPodTemplate } from '../pod-template/pod-defaults.ts'
import { ephemeralContainers, resize } from './pod-parts.ts'
import { validatePodStatus, validatePodUpdate } from './pod-update.ts'
import { validatePod, validatePodTemplate } from '../pod-template/pod-validation.ts'

/** Pods. */
export const pod: NativeBehaviour = {
  default: defaultPod,
  dropDisabled: ({ spec }) => dropFromPodSpec(objectOf(spec)),
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  validateStatus: validatePodStatus,
  parts: { ephemeralcontainers: ephemeralContainers, resize },
  updateSteps: ['metadata change', 'metadata', 'object', 'change'],
}

/** PodTemplates: a template and nothing else. */
export const podTemplate: NativeBehaviour = {
  default: defaultPodTemplate,
  dropDisabled: ({ template }) => dropFromPodSpec(objectOf(objectOf(template)['spec'])),
  validate: (object) => validatePodTemplate(objectOf(object['template']), 'template'),
}
