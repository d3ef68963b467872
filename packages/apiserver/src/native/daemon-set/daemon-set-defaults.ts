import { ensureObject, setDefault } from '../../checks/index.ts'
import { isObject, type JsonObject } from '../../schema/index.ts'
import { defaultPodTemplate } from '../pod-spec/pod-defaults.ts'

/** The annotation with the generation of a DaemonSet's template. */
export const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation'

/** Sets the defaults of a DaemonSet. */
export function defaultDaemonSet(daemonSet: JsonObject): void {
  // The field manager of the write owns this annotation, although the server sets it.
  setDefault(ensureObject(ensureObject(daemonSet, 'metadata'), 'annotations'), TEMPLATE_GENERATION, '0')
  const spec = ensureObject(daemonSet, 'spec')
  const strategy = ensureObject(spec, 'updateStrategy')
  setDefault(strategy, 'type', 'RollingUpdate')
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = ensureObject(strategy, 'rollingUpdate')
    rolling['maxUnavailable'] ??= 1
    rolling['maxSurge'] ??= 0
  } else if (isObject(strategy['rollingUpdate'])) {
    // Go's types have zeros here, even for a strategy that does not use them.
    strategy['rollingUpdate']['maxUnavailable'] ??= 0
    strategy['rollingUpdate']['maxSurge'] ??= 0
  }
  spec['revisionHistoryLimit'] ??= 10
  defaultPodTemplate(spec)
}
