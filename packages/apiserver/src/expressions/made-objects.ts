import {
  DYN,
  EvaluationError,
  OpaqueValue,
  overload,
  STRING,
  structType,
  type Library,
  type ObjectMaker,
  type Type,
  type Value,
} from '@homeostat/cel'

/** The result types of mutations. */
export const APPLIED_TYPE: Type = structType('Object')
export const PATCH_TYPE: Type = structType('JSONPatch')

/**
 * An object that an expression constructed, such as `Object.spec{replicas: 3}`. Its fields are checked when it is
 * used.
 */
export class MadeObject extends OpaqueValue {
  readonly type: Type
  readonly fields: ReadonlyMap<string, Value>

  constructor(type: Type, fields: ReadonlyMap<string, Value>) {
    super()
    this.type = type
    this.fields = fields
  }

  override equals(other: OpaqueValue): boolean {
    return this === other
  }
}

/** One operation of a JSON patch that an expression constructed. */
export class MadePatch extends OpaqueValue {
  readonly type: Type = PATCH_TYPE
  readonly fields: ReadonlyMap<string, Value>

  constructor(fields: ReadonlyMap<string, Value>) {
    super()
    this.fields = fields
  }

  override equals(other: OpaqueValue): boolean {
    return this === other
  }
}

const PATCH_FIELDS: ReadonlyMap<string, Type> = new Map([
  ['op', STRING],
  ['path', STRING],
  ['from', STRING],
  ['value', DYN],
])

/** The type of a field of an object that an expression may construct. */
export function madeField(struct: string, field: string): Type | undefined {
  if (struct === PATCH_TYPE.name) return PATCH_FIELDS.get(field)
  return isObjectName(struct) ? DYN : undefined
}

/** Constructs the objects and patches of mutations. */
export function patchMaker(struct: string): ObjectMaker | undefined {
  if (struct === PATCH_TYPE.name) return { type: PATCH_TYPE, make: madePatch }
  if (!isObjectName(struct)) return undefined
  const type = structType(struct)
  return { type, make: (fields) => new MadeObject(type, fields) }
}

function madePatch(fields: ReadonlyMap<string, Value>): Value {
  for (const [name, value] of fields) {
    if (name !== 'value' && typeof value !== 'string') {
      return new EvaluationError(`unexpected type for JSONPatchType '${name}' field`)
    }
  }
  return new MadePatch(fields)
}

function isObjectName(name: string): boolean {
  return name === APPLIED_TYPE.name || name.startsWith(`${APPLIED_TYPE.name}.`)
}

/** The function that escapes a key for the path of a JSON patch. */
export const patchLibrary: Library = {
  overloads: [
    overload('jsonpatch.escapeKey', 'string_jsonpatch_escapeKey_string', '(string) -> string', (key) =>
      key.replaceAll('~', '~0').replaceAll('/', '~1'),
    ),
  ],
}
