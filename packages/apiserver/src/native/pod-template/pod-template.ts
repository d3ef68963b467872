import { objectOf } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { dropFromPodSpec } from './disabled-fields.ts'
import { defaultPodTemplate } from './pod-defaults.ts'
import { podTemplatePrinter } from './pod-template-table.ts'
import { validatePodTemplate } from './validation/pod-validation.ts'
import { templateWarnings } from './template-warnings.ts'

/** PodTemplates: a template and nothing else. */
export const podTemplate: NativeKind = {
  group: '',
  kind: 'PodTemplate',
  generation: true,
  returnsDeleted: true,
  warnings: templateWarnings('template', false),
  table: podTemplatePrinter,
  default: defaultPodTemplate,
  dropDisabled: ({ template }) => dropFromPodSpec(objectOf(objectOf(template)['spec'])),
  validate: (object) => validatePodTemplate(objectOf(object['template']), 'template'),
}
