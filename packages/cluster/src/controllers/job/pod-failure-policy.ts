import type { DeepReadonly } from '@homeostat/api'
import type { BatchV1, CoreV1, Job, Pod } from '@homeostat/api/kinds'

type Rule = DeepReadonly<BatchV1.PodFailurePolicyRule>
type ContainerStatus = DeepReadonly<CoreV1.ContainerStatus>

/** The effects of a failed Pod on its Job, by the Job's policy. */
export interface FailureEffect {
  /** Whether it counts against the limits of failures. */
  readonly counts: boolean
  /** Whether its index has failed permanently. */
  readonly failsIndex: boolean
  /** Why the whole Job fails with it. */
  readonly failsJob?: string | undefined
}

const COUNTS: FailureEffect = { counts: true, failsIndex: false }

/** The first rule that matches decides; a failure that none matches counts. */
export function failureEffect(job: Job, pod: Pod): FailureEffect {
  const rules = job.spec.podFailurePolicy?.rules ?? []
  for (const [index, rule] of rules.entries()) {
    const match = matchOf(rule, pod)
    if (match === undefined) continue
    switch (rule.action) {
      case 'Ignore':
        return { counts: false, failsIndex: false }
      case 'FailIndex':
        return { counts: true, failsIndex: true }
      case 'FailJob':
        return { ...COUNTS, failsJob: `${match} matching FailJob rule at index ${index}` }
      case 'Count':
        return COUNTS
      default:
    }
  }
  return COUNTS
}

/** A description of the part of the Pod that matches the rule. */
function matchOf(rule: Rule, pod: Pod): string | undefined {
  const { namespace, name } = pod.metadata
  if (rule.onExitCodes) {
    const container = exitedContainer(rule.onExitCodes, pod)
    const code = container?.state?.terminated?.exitCode
    return (
      container && `Container ${container.name} for pod ${namespace}/${name} failed with exit code ${code}`
    )
  }
  const condition = pod.status.conditions?.find(({ type, status }) =>
    rule.onPodConditions?.some((pattern) => pattern.type === type && (pattern.status ?? 'True') === status),
  )
  return condition && `Pod ${namespace}/${name} has condition ${condition.type}`
}

function exitedContainer(
  { containerName, operator, values }: DeepReadonly<BatchV1.PodFailurePolicyOnExitCodesRequirement>,
  { status }: Pod,
): ContainerStatus | undefined {
  return [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])].find((container) => {
    const code = container.state?.terminated?.exitCode ?? 0
    if (code === 0 || (containerName !== undefined && containerName !== container.name)) return false
    return operator === 'In' ? values.includes(code) : operator === 'NotIn' && !values.includes(code)
  })
}
