import type { DeepReadonly } from '@homeostat/api'
import type { CoreV1, Pod } from '@homeostat/api/kinds'

type Spec = DeepReadonly<CoreV1.Container>

/** Whether an init container runs beside the others rather than before them. */
export function isSidecar(spec: Spec): boolean {
  return spec.restartPolicy === 'Always'
}

/**
 * Whether a container that ended with this code is started again: by the first of its own rules that matches, by its
 * own policy, or by the Pod's. An init container is done when it succeeded, whatever the Pod's policy says.
 */
export function shouldRestart(pod: Pod, spec: Spec, exitCode: number, init: boolean): boolean {
  if (init && exitCode === 0 && !isSidecar(spec)) return false
  if (spec.restartPolicy !== undefined && ruleMatches(spec, exitCode)) return true
  switch (spec.restartPolicy ?? pod.spec.restartPolicy ?? 'Always') {
    case 'Never':
      return false
    case 'OnFailure':
      return exitCode !== 0
    default:
      return true
  }
}

function ruleMatches(spec: Spec, exitCode: number): boolean {
  const rule = spec.restartPolicyRules?.find(({ exitCodes }) => {
    const listed = exitCodes?.values?.includes(exitCode) ?? false
    return exitCodes?.operator === 'In' ? listed : exitCodes?.operator === 'NotIn' && !listed
  })
  return rule?.action === 'Restart'
}
