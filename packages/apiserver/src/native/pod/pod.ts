import { objectOf } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { dropFromPodSpec } from '../pod-spec/disabled-fields.ts'
import { defaultPod } from '../pod-spec/pod-defaults.ts'
import { validatePod } from '../pod-spec/validation/pod-validation.ts'
import { podWarnings } from '../pod-spec/pod-warnings.ts'
import { nameWarnings } from '../pod-spec/template-warnings.ts'
import { proxyAction } from '../proxy/proxy-actions.ts'
import { bindingAction, evictionAction } from './pod-actions.ts'
import { podConnectAction } from './pod-connect.ts'
import { podLogAction } from './pod-log.ts'
import { ephemeralContainers, resize } from './pod-parts.ts'
import { alignAddresses, podStrategy } from './pod-strategy.ts'
import { validatePodStatus, validatePodUpdate } from './pod-update.ts'
import { podPrinter } from './table.ts'

/**
 * Pods. `podStrategy` has the field selectors, and the fields that the server sets. Defaults, validation and warnings are in
 * `pod-spec/`, since templates of Pods share them; `pod-update.ts` checks what may change. These admission plugins act on
 * Pods, in this order: `limit-range/`, `service-account/`, `pod-security-admission.ts`, `priority-class/`,
 * `default-tolerations.ts`, `runtime-class/`, `topology-labels.ts` and `resource-quota/`; `native/admission-plugins.ts` lists them.
 */
export const pod: NativeKind = {
  group: '',
  kind: 'Pod',
  ...podStrategy,
  // Controllers update Pods often and ignore warnings.
  warnings: (pod, old) => (old ? [] : [...nameWarnings(pod, "the Pod's hostname"), ...podWarnings(pod, '')]),
  table: podPrinter,
  subresources: {
    attach: ({ podStreams }) => podConnectAction('attach', podStreams),
    binding: () => bindingAction,
    eviction: () => evictionAction,
    exec: ({ podStreams }) => podConnectAction('exec', podStreams),
    log: ({ podLogs }) => podLogAction(podLogs),
    portforward: ({ podStreams }) => podConnectAction('portforward', podStreams),
    proxy: ({ connect }) => proxyAction('pod', connect),
  },
  default(object) {
    defaultPod(object)
    alignAddresses(object)
  },
  dropDisabled: ({ spec }) => dropFromPodSpec(objectOf(spec)),
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  validateStatus: validatePodStatus,
  parts: { ephemeralcontainers: ephemeralContainers, resize },
  updateSteps: ['metadata change', 'metadata', 'object', 'change'],
}
