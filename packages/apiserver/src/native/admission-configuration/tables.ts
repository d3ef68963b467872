import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'

/** The table of mutating and validating webhook configurations. */
export const webhookConfigurationPrinter: Printer = {
  columns: [NAME, column('Webhooks', 'integer'), AGE],
  cells: (object, now) => [nameOf(object), (object.webhooks ?? []).length, age(object, now)],
}

export const validatingAdmissionPolicyPrinter = policyPrinter('Validations', 'validations')

export const mutatingAdmissionPolicyPrinter = policyPrinter('Mutations', 'mutations')

function policyPrinter(title: string, field: string): Printer {
  return {
    columns: [NAME, column(title, 'integer'), column('ParamKind'), AGE],
    cells(object, now) {
      const kind: PrintedObject | undefined = object.spec?.paramKind
      return [
        nameOf(object),
        (object.spec?.[field] ?? []).length,
        kind ? `${kind.apiVersion ?? ''}/${kind.kind ?? ''}` : '<unset>',
        age(object, now),
      ]
    },
  }
}

/** The table of bindings of mutating and validating policies. */
export const policyBindingPrinter: Printer = {
  columns: [NAME, column('PolicyName'), column('ParamRef'), AGE],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.policyName ?? '',
    paramRef(object.spec?.paramRef),
    age(object, now),
  ],
}

/** The cell of a `paramRef`; `*` stands for every namespace. */
function paramRef(reference: PrintedObject | undefined): string {
  if (reference?.name) return `${reference.namespace || '*'}/${reference.name}`
  return reference?.selector ? selectorText(reference.selector) : '<unset>'
}

/** A selector as Go prints the type. */
function selectorText({
  matchLabels = {},
  matchExpressions = [],
}: {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly PrintedObject[]
}): string {
  const labels = Object.entries(matchLabels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`)
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  )
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`
}
