import { type KindStrategy, type ServerObject, specOf } from '../../registry/index.ts'
import { equalJson, objectOf } from '../../schema/index.ts'
import { clearStatus } from '../status/clear-status.ts'
import { generationAndStatus } from '../status/generation-and-status.ts'
import { TEMPLATE_GENERATION } from './daemon-set-defaults.ts'

/** DaemonSets count the generations of their template in an annotation. */
export const daemonSetStrategy: KindStrategy = {
  ...generationAndStatus,
  prepareCreate(object, context) {
    clearStatus(object, context)
    countTemplates(object, 1)
  },
  prepareUpdate(object, old) {
    const same = equalJson(specOf(object)['template'], specOf(old)['template'])
    countTemplates(object, same ? templatesOf(old) : templatesOf(old) + 1)
  },
  prepareStatus: (object, old) => countTemplates(object, templatesOf(old)),
}

function templatesOf({ metadata }: ServerObject): number {
  return Number(objectOf(metadata.annotations)[TEMPLATE_GENERATION] ?? 0)
}

function countTemplates({ metadata }: ServerObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) }
}
