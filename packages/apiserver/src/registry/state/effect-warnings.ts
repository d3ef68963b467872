import type { Resource } from '../resource/resource.ts'
import type { ServerObject } from '../resource/server-object.ts'

/** A kind, or some of its objects, that the server stores although no component acts on them. */
export interface WithoutEffect {
  readonly group: string
  readonly kind: string
  /** The end of the sentence `No effect here: …`. */
  readonly reason: string
  /** Which objects are concerned. Default: all objects of the kind. */
  readonly concerns?: ((object: Readonly<Record<string, unknown>>) => boolean) | undefined
}

/** The beginning of every warning that a kube-apiserver would not give. */
const PREFIX = 'No effect here: '

/** The warnings about objects without effect. */
export class EffectWarnings {
  readonly #gaps: ReadonlyMap<string, readonly WithoutEffect[]>

  constructor(gaps: readonly WithoutEffect[]) {
    this.#gaps = Map.groupBy(gaps, ({ group, kind }) => `${group}/${kind}`)
  }

  /** The warnings for the client that writes an object; none where all of the object has an effect. */
  of({ group, kind, custom }: Resource, object: ServerObject): string[] {
    const gaps = custom ? undefined : this.#gaps.get(`${group}/${kind}`)
    if (!gaps) return []
    return gaps.filter(({ concerns }) => concerns?.(object) ?? true).map(({ reason }) => `${PREFIX}${reason}`)
  }
}
