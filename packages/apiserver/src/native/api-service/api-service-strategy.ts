import { type KindStrategy, specOf } from '../../registry/index.ts'
import { isObject } from '../../schema/index.ts'
import { keepMetadata } from '../status/clear-status.ts'
import { condition, LOCAL } from '../aggregation/availability.ts'

/** An APIService without a `service`, whose group this server answers itself, is available at once. */
export const apiServiceStrategy: KindStrategy = {
  names: 'whole segment',
  unconditionalUpdate: false,
  prepareCreate(object, { clock }) {
    const status = isObject(specOf(object)['service']) ? {} : { conditions: [condition(LOCAL, clock.now())] }
    object['status'] = status
  },
  prepareStatus: keepMetadata,
}
