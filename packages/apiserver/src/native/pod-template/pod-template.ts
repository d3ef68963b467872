import { objectOf } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { dropFromPodSpec } from '../pod-spec/disabled-fields.ts'
import { defaultPodTemplate } from '../pod-spec/pod-defaults.ts'
import { podTemplatePrinter } from './table.ts'
import { validatePodTemplate } from '../pod-spec/validation/pod-validation.ts'
import { templateWarnings } from '../pod-spec/template-warnings.ts'

/** PodTemplates, which hold only a template. */
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
