import type { Resource } from '../resource/resource.ts'
import type { ServerObject } from '../resource/server-object.ts'

/** A kind, or some objects of it, that the server stores though nothing acts on them. */
export interface WithoutEffect {
  readonly group: string
  readonly kind: string
  /** What does not happen, in words that end the sentence `No effect here: …`. */
  readonly reason: string
  /** Which objects are concerned. Default: all objects of the kind. */
  readonly concerns?: ((object: Readonly<Record<string, unknown>>) => boolean) | undefined
}

/** What begins every warning that a kube-apiserver would not give. */
const PREFIX = 'No effect here: '

/** Says of objects that nothing acts on them. */
export class EffectWarnings {
  readonly #gaps: ReadonlyMap<string, readonly WithoutEffect[]>

  constructor(gaps: readonly WithoutEffect[]) {
    this.#gaps = Map.groupBy(gaps, ({ group, kind }) => `${group}/${kind}`)
  }

  /** The warning to the client that writes an object; undefined where the object has its effect. */
  of({ group, kind, custom }: Resource, object: ServerObject): string | undefined {
    const gaps = custom ? undefined : this.#gaps.get(`${group}/${kind}`)
    const gap = gaps?.find(({ concerns }) => concerns?.(object) ?? true)
    return gap && `${PREFIX}${gap.reason}`
  }
}
