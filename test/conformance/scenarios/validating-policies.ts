import { gadgetDefinition, widgetDefinition } from '../objects.ts'
import { topic } from '../scenario.ts'
import { costs } from './validating-policies/costs.ts'
import { forms } from './validating-policies/forms.ts'
import { clusterScoped, matching } from './validating-policies/matching.ts'
import { params } from './validating-policies/params.ts'
import { authorizers, typedValues } from './validating-policies/typed-values.ts'
import { values, variables } from './validating-policies/values.ts'
import { errors, verdicts } from './validating-policies/verdicts.ts'

/** ValidatingAdmissionPolicies: what they refuse, and what is refused of them. */
export const validatingPolicyTopic = topic(
  'validating-policies',
  [
    ...verdicts,
    ...errors,
    ...values,
    ...variables,
    ...matching,
    ...clusterScoped,
    ...params,
    ...forms,
    ...costs,
    ...typedValues,
    ...authorizers,
  ],
  { definitions: [widgetDefinition, gadgetDefinition] },
)
