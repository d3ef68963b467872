import { ensureObject, setDefault } from '../../checks/index.ts'
import type { JsonObject } from '../../schema/index.ts'
import { defaultPodTemplate } from '../pod-spec/pod-defaults.ts'

/** Sets the defaults of a Deployment. */
export function defaultDeployment(deployment: JsonObject): void {
  const spec = ensureObject(deployment, 'spec')
  spec['replicas'] ??= 1
  const strategy = ensureObject(spec, 'strategy')
  setDefault(strategy, 'type', 'RollingUpdate')
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = ensureObject(strategy, 'rollingUpdate')
    rolling['maxUnavailable'] ??= '25%'
    rolling['maxSurge'] ??= '25%'
  }
  spec['revisionHistoryLimit'] ??= 10
  spec['progressDeadlineSeconds'] ??= 600
  defaultPodTemplate(spec)
}
