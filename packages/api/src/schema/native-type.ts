import type { StructuralSchema } from './structural.ts'

/**
 * A type of Kubernetes' own API with its structural schema, such as `PodTemplateSpec` of `homeostat/schemas`: for
 * `s.native(…)`.
 */
export interface NativeType<Value> {
  /** Built when it is first read. */
  readonly structural: StructuralSchema
  readonly isNative: true
  /** Never present at run time: it carries the type. */
  readonly value?: Value | undefined
}

/**
 * Makes a {@link NativeType}. `text` is the schema as JSON, in which `{"$ref":n}` stands for the schema of the part with
 * that index.
 */
export function nativeType<Value>(
  text: string,
  parts: () => readonly NativeType<any>[] = () => [],
): NativeType<Value> {
  let structural: StructuralSchema | undefined
  return {
    isNative: true,
    get structural() {
      return (structural ??= put(text, parts()))
    },
  }
}

function put(text: string, parts: readonly NativeType<any>[]): StructuralSchema {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value
    const { $ref, ...rest } = value as { $ref: number }
    return { ...parts[$ref]!.structural, ...rest }
  }) as StructuralSchema
}
