import type { FieldEnum } from './go-enums.ts'

/** Values that a server's validation names although Go's types do not mark them as an enumeration. */
const VALIDATED: Readonly<Record<string, readonly string[]>> = {
  'meta_v1_LabelSelectorRequirement.operator': ['DoesNotExist', 'Exists', 'In', 'NotIn'],
  'meta_v1_FieldSelectorRequirement.operator': ['DoesNotExist', 'Exists', 'In', 'NotIn'],
  'meta_v1_DeleteOptions.propagationPolicy': ['Background', 'Foreground', 'Orphan'],
  'rbac_v1_RoleRef.kind': ['ClusterRole', 'Role'],
  'rbac_v1_Subject.kind': ['Group', 'ServiceAccount', 'User'],
}

const CONDITION_STATUS = ['False', 'True', 'Unknown']

/** Which values the fields of the definitions take, where they are known. */
export class FieldEnums {
  readonly #enums: ReadonlyMap<string, ReadonlyMap<string, FieldEnum>>

  constructor(enums: ReadonlyMap<string, ReadonlyMap<string, FieldEnum>>) {
    this.#enums = enums
  }

  /** The values of a field, or of the items of its list; undefined where any text is taken. */
  valuesOf(definition: string, field: string): readonly string[] | undefined {
    const type = definition.split('.').slice(-3).join('_')
    if (field === 'status' && type.endsWith('Condition')) return CONDITION_STATUS
    return VALIDATED[`${type}.${field}`] ?? this.#enums.get(type)?.get(field)?.values
  }
}
