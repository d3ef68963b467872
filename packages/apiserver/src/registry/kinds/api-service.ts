import { timestamp } from '@homeostat/api'
import { isObject } from '../../schema/json.ts'
import type { KindRules } from '../kind-rules.ts'
import { specOf } from '../server-object.ts'
import { keepMetadata } from './clear-status.ts'

/** An APIService that this server answers itself is there at once. */
export const apiServiceRules: KindRules = {
  names: 'segment',
  prepareCreate(object, { clock }) {
    if (isObject(specOf(object)['service'])) {
      object['status'] = {}
      return
    }
    const condition = {
      type: 'Available',
      status: 'True',
      lastTransitionTime: timestamp(clock.now()),
      reason: 'Local',
      message: 'Local APIServices are always available',
    }
    object['status'] = { conditions: [condition] }
  },
  prepareStatus: keepMetadata,
}
