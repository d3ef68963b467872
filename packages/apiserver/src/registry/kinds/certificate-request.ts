import { timestamp } from '@homeostat/api'
import { copyJson } from '../../schema/json.ts'
import {
  keepDecisions,
  stampConditions,
} from '../../native/certificate-signing-request/certificate-signing-request.ts'
import { fieldsAt } from '../field-labels.ts'
import type { KindRules } from '../kind-rules.ts'

/** What a request for a certificate asks for stays as it was asked. */
export const certificateSigningRequestRules: KindRules = {
  names: 'segment',
  fieldLabels: { read: fieldsAt('spec.signerName') },
  prepareCreate(object) {
    object['status'] = {}
  },
  prepareUpdate(object, old) {
    object['spec'] = copyJson(old['spec'])
  },
  prepareStatus(object, old, { clock }) {
    keepDecisions(object, old)
    stampConditions(object, old, timestamp(clock.now()))
  },
}
