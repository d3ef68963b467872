import { fieldText } from '@homeostat/api'
import { fieldsAt, type KindStrategy } from '../../registry/index.ts'

const ABOUT = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']

/** The strategy of Events of the core group. A PUT creates an Event that does not exist. */
export const coreEventStrategy: KindStrategy = {
  createOnUpdate: true,
  names: 'segment',
  propagation: 'Unsupported',
  fieldLabels: {
    read: {
      ...fieldsAt(...ABOUT.map((field) => `involvedObject.${field}`), 'reason', 'reportingComponent', 'type'),
      source: (event) => fieldText(event, 'source.component') || fieldText(event, 'reportingComponent'),
    },
  },
}

export const eventStrategy: KindStrategy = {
  createOnUpdate: true,
  propagation: 'Unsupported',
  fieldLabels: {
    read: fieldsAt(...ABOUT.map((field) => `regarding.${field}`), 'reason', 'reportingController', 'type'),
  },
}
