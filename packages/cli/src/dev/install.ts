import { isDeepStrictEqual } from 'node:util'
import { type CustomResourceDefinitionManifest, HomeostatError } from '@homeostat/api'
import { isInvalid, type Client, type SampleObject } from 'homeostat'
import { CustomResourceDefinition } from 'homeostat/kinds'
import type { OperatorDescription } from './operator/index.ts'

/** How many stored objects of a kind are validated after a change of its schema. */
const MOST_OBJECTS = 500

/** Applies definitions and samples of the operator to a cluster: only those that changed since the last time. */
export class Installer {
  readonly #client: Client
  readonly #withSamples: boolean
  readonly #definitions = new Map<string, CustomResourceDefinitionManifest>()
  readonly #samples = new Map<string, SampleObject>()

  constructor(client: Client, options: { readonly samples: boolean }) {
    this.#client = client
    this.#withSamples = options.samples
  }

  /**
   * Applies the definitions of the operator's kinds. Returns a line for each that changed, and for each stored object that the new schema
   * refuses.
   */
  async applyDefinitions({ definitions }: OperatorDescription): Promise<readonly string[]> {
    const lines: string[] = []
    for (const definition of definitions) {
      const { name } = definition.metadata
      if (isDeepStrictEqual(this.#definitions.get(name), definition)) continue
      const before = await this.#client.get(CustomResourceDefinition, { name })
      const after = await this.#client.apply(CustomResourceDefinition, definition, { fieldManager: MANAGER })
      this.#definitions.set(name, definition)
      if (!before) lines.push(`${name} is defined`)
      else if (before.metadata.generation !== after.metadata.generation) {
        lines.push(`${name} has a new schema`, ...(await this.#misfits(definition)))
      }
    }
    return lines
  }

  /** Applies samples that are new or changed. An object that a user edits meanwhile keeps the edit. */
  async applySamples({ name, samples }: OperatorDescription): Promise<readonly string[]> {
    if (!this.#withSamples) return []
    const lines: string[] = []
    for (const sample of samples) {
      const id = `${sample.kind} ${sample.metadata.namespace ?? ''}/${sample.metadata.name ?? ''}`
      if (isDeepStrictEqual(this.#samples.get(id), sample)) continue
      const kind = await this.#client.kinds.find(sample.apiVersion, sample.kind)
      if (!kind) {
        throw new HomeostatError(
          'KIND_NOT_SERVED',
          `the sample ${id} of the operator ${name} is of ${sample.apiVersion}, which the cluster does not serve: add the kind to the operator's kinds, or install its definition`,
        )
      }
      await this.#client.apply(kind, { ...sample }, { fieldManager: MANAGER })
      this.#samples.set(id, sample)
      lines.push(`the sample ${id} is applied`)
    }
    return lines
  }

  /** Stored objects that the new schema refuses. The server keeps them, and refuses updates that change the invalid fields. */
  async #misfits(definition: CustomResourceDefinitionManifest): Promise<string[]> {
    const { group, names, versions } = definition.spec
    const version = versions.find(({ served }) => served)?.name ?? ''
    const kind = await this.#client.kinds.find(`${group}/${version}`, names.kind)
    if (!kind) return []
    const lines: string[] = []
    for (const object of (await this.#client.list(kind)).slice(0, MOST_OBJECTS)) {
      const { namespace, name } = object.metadata
      const { metadata: _, ...content } = object
      try {
        // A dry-run create under another name validates the whole object; an update would validate only the changed fields.
        const metadata = { namespace, generateName: 'homeostat-dev-' }
        await this.#client.create(kind, { ...content, metadata }, { dryRun: true })
      } catch (error) {
        if (!isInvalid(error)) continue
        const causes = error.status.details?.causes ?? []
        const why = causes.map(({ field, message }) => `${field}: ${message}`).join('; ') || error.message
        lines.push(`warning: the stored ${names.kind} ${namespace ?? ''}/${name} no longer fits: ${why}`)
      }
    }
    return lines
  }
}

const MANAGER = 'homeostat-dev'
