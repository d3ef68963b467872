import { ensureObject, setDefault } from '../../checks/index.ts'
import { isObject, type JsonObject } from '../../schema/index.ts'
import { defaultPodTemplate } from '../pod-spec/pod-defaults.ts'

/** The annotation that counts the templates of a DaemonSet. */
export const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation'

/** What Kubernetes fills into a DaemonSet. */
export function defaultDaemonSet(daemonSet: JsonObject): void {
  // How often the template changed is not for the writer to say, but counts as written.
  setDefault(ensureObject(ensureObject(daemonSet, 'metadata'), 'annotations'), TEMPLATE_GENERATION, '0')
  const spec = ensureObject(daemonSet, 'spec')
  const strategy = ensureObject(spec, 'updateStrategy')
  setDefault(strategy, 'type', 'RollingUpdate')
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = ensureObject(strategy, 'rollingUpdate')
    rolling['maxUnavailable'] ??= 1
    rolling['maxSurge'] ??= 0
  } else if (isObject(strategy['rollingUpdate'])) {
    // Numbers that mean nothing for another strategy are never absent.
    strategy['rollingUpdate']['maxUnavailable'] ??= 0
    strategy['rollingUpdate']['maxSurge'] ??= 0
  }
  spec['revisionHistoryLimit'] ??= 10
  defaultPodTemplate(spec)
}
