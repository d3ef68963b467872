import { copyJson, isObject, objectOf } from '../json.ts'
import type { NativeBehaviour } from './native-behaviour.ts'

/** Nodes. */
export const node: NativeBehaviour = {
  default(object) {
    const status = objectOf(object['status'])
    if (isObject(status['capacity'])) status['allocatable'] ??= copyJson(status['capacity'])
    const { podCIDR, podCIDRs } = objectOf(object['spec'])
    if (podCIDR && !podCIDRs) objectOf(object['spec'])['podCIDRs'] = [podCIDR]
  },
}
