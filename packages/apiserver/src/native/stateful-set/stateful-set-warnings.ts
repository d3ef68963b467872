import { objectsIn } from '../../checks/index.ts'
import { isNumber, type JsonObject, objectOf } from '../../schema/index.ts'
import { claimWarnings } from '../persistent-volume-claim/claim-warnings.ts'
import { templateWarnings } from '../pod-spec/template-warnings.ts'

export function statefulSetWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  const spec = objectOf(object['spec'])
  const limit = spec['revisionHistoryLimit']
  return [
    ...templateWarnings('spec.template', false)(object, old),
    ...objectsIn(spec['volumeClaimTemplates']).flatMap((claim, index) =>
      claimWarnings(objectOf(claim['spec']), `spec.volumeClaimTemplates[${index}]${old ? '.Spec' : ''}`),
    ),
    ...(isNumber(limit) && limit < 0
      ? [
          'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
        ]
      : []),
  ]
}
