import { timestamp } from '@homeostat/api'
import { type KindStrategy, statusOf } from '../../registry/index.ts'

/** Sets the time of the last change of phase in a volume's status. */
export const persistentVolumeStrategy: KindStrategy = {
  returnsDeleted: true,
  prepareCreate(object, { clock }) {
    object['status'] = { phase: 'Pending', lastPhaseTransitionTime: timestamp(clock.now()) }
  },
  prepareStatus(object, old, { clock }) {
    const status = { ...statusOf(object) }
    const before = statusOf(old)
    object['status'] = status
    const [now, was] = [status['lastPhaseTransitionTime'], before['lastPhaseTransitionTime']]
    if (status['phase'] === before['phase']) {
      if (now === undefined && was !== undefined) status['lastPhaseTransitionTime'] = was
    } else if (now === undefined || now === was) {
      status['lastPhaseTransitionTime'] = timestamp(clock.now())
    }
  },
}
