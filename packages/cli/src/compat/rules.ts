/** How a change of a kind affects stored objects and clients, from the worst. */
export type CompatibilityLevel = 'breaking' | 'ratcheting' | 'safe'

/** The rules by their number. A finding names the rule that it comes from. */
export const COMPATIBILITY_RULES = {
  C1: 'A definition is removed, or has another group, plural or scope',
  C2: 'A definition is added',
  C3: 'A name of the kind changes',
  C4: 'A version is removed',
  C5: 'A version is no longer served',
  C6: 'A version is added, or served again',
  C7: 'Objects are stored in another version',
  C8: 'The conversion between versions changes',
  C9: 'The subresource status is added or removed',
  C10: 'The subresource scale is added, removed or reads other fields',
  C11: 'A selectable field is added or removed',
  C12: 'The columns of kubectl get change',
  C13: 'Unknown fields are no longer preserved by the definition',
  C20: 'A field has another type',
  C21: 'A field is removed',
  C22: 'A field is added',
  C23: 'A field becomes required',
  C24: 'A field becomes optional',
  C25: 'A default is added',
  C26: 'A default changes or is removed',
  C27: 'A field becomes nullable, or stops being nullable',
  C28: 'An object starts or stops preserving unknown fields',
  C29: 'A map of any keys is added or removed',
  C30: 'An object becomes an embedded resource, or stops being one',
  C40: 'An enum loses or gains values',
  C41: 'A bound of a number changes',
  C42: 'A length of a text changes',
  C43: 'A number of items or keys changes',
  C44: 'A pattern changes',
  C45: 'A format changes',
  C46: 'Alternatives (allOf, anyOf, oneOf, not) change',
  C50: 'A list has another type or other keys',
  C51: 'A map has another type',
  C60: 'A validation rule is added',
  C61: 'A validation rule is removed',
  C62: 'A rule about changes is added',
} as const satisfies Readonly<Record<string, string>>

export type CompatibilityRule = keyof typeof COMPATIBILITY_RULES

/** The effect of one change of a definition. */
export interface CompatibilityFinding {
  readonly rule: CompatibilityRule
  readonly level: CompatibilityLevel
  /** The name of the definition: `widgets.example.com`. */
  readonly definition: string
  /** The version whose schema has changed. Absent: the change is about the whole definition. */
  readonly version?: string
  /** Where the change is: `spec.ports[].name`, or a field of the definition. */
  readonly path: string
  /** The effect on stored objects and clients, as a sentence. */
  readonly reason: string
}

/** Takes the findings of one comparison. */
export type Report = (
  rule: CompatibilityRule,
  level: CompatibilityLevel,
  path: string,
  reason: string,
) => void
