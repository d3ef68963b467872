import { apiVersionOf } from '@homeostat/api'
import { applyDefaults, copyJson, prune, type TypeSchema } from '../../schema/index.ts'
import { Entry, RecentValues, type Stored } from '../../storage/index.ts'
import { Failure } from '../resource/failure.ts'
import type { Resource } from '../resource/resource.ts'
import { writtenThrough } from '../stored/served.ts'
import { arrange, type ServerObject, storedObject } from '../resource/server-object.ts'
import { conversionFailure } from './conversion-failure.ts'
import type { Place } from '../request/target.ts'
import type { ConvertObjects, ObjectsToConvert } from './convert-objects.ts'
import { needsWebhook, storesByWebhook } from '../stored/needs-webhook.ts'

/** The most objects, and the most bytes, of one review. A longer list takes several reviews. */
const MOST_OBJECTS = 1_000
const MOST_BYTES = 2 * 1024 * 1024

/** A converted entry, or why it cannot be converted. */
type Outcome = Stored | Failure

/**
 * The objects of custom kinds in versions that only a webhook can convert to. An object that needs no webhook is
 * returned at once and unchanged, so that it costs nothing.
 *
 * An entry that was converted for a list or a watch is kept as long as the store keeps the entry, and until the definition
 * changes: a change is converted once for all of its watchers. Failures are not kept.
 */
export class Conversions {
  readonly #convert: ConvertObjects | undefined
  readonly #recent = new RecentValues()
  readonly #known = new WeakMap<Stored, WeakMap<Resource, Stored | Promise<Outcome | undefined>>>()

  constructor(convert: ConvertObjects | undefined) {
    this.#convert = convert
  }

  /** Entries in the version of a resource, in one review for each version that they are stored in. Fails with the first failure. */
  read(
    entries: readonly Stored[],
    { resource, waiting }: Place,
  ): readonly Stored[] | Promise<readonly Stored[]> {
    if (resource.conversionWebhook === undefined) return entries
    const known = entries.map((entry) => this.#atHand(entry, resource)).filter((one) => one !== undefined)
    if (known.length === entries.length) return known
    return this.#readAll(entries, { resource, waiting })
  }

  /** One entry in the version of a resource. */
  readOne(entry: Stored, place: Place): Stored | Promise<Stored> {
    const known = this.#atHand(entry, place.resource)
    return known ?? this.#readAll([entry], place).then(([one]) => succeeded(one))
  }

  /** Converts an entry without the cache. */
  readAgain(entry: Stored, place: Place): Stored | Promise<Stored> {
    if (!needsWebhook(entry, place.resource)) return entry
    return this.#convertEntries([entry], place).then(([outcome]) => succeeded(outcome))
  }

  /** An object in the version in which it is stored; undefined where no webhook is needed for that. */
  toStorage(object: ServerObject, place: Place): Promise<ServerObject> | undefined {
    if (!storesByWebhook(place.resource)) return undefined
    const { group, storageVersion = '' } = place.resource
    return this.#toVersion(object, `${group}/${storageVersion}`, place)
  }

  /**
   * The object that a dry run would store, in the version of the resource; undefined where no webhook is needed for
   * that.
   */
  toRequested(object: ServerObject, place: Place): Promise<ServerObject> | undefined {
    const { resource } = place
    const apiVersion = apiVersionOf(resource)
    if (resource.conversionWebhook === undefined || object.apiVersion === apiVersion) return undefined
    return this.#toVersion(asRead(object, resource), apiVersion, place)
  }

  /** Converts objects from one version to another, without pruning. Fails with the first failure. */
  async between(
    objects: readonly ServerObject[],
    apiVersion: string,
    { resource, waiting }: Place,
  ): Promise<ServerObject[]> {
    const { conversionWebhook: webhook, group, versions } = resource
    if (webhook === undefined || objects.every((object) => object.apiVersion === apiVersion)) {
      return [...objects]
    }
    const [known, version] = [[...(versions?.keys() ?? [])], versionIn(apiVersion)]
    if (apiVersion !== `${group}/${version}` || !known.includes(version)) {
      throw conversionFailure(`request to convert CR to an invalid group/version: ${apiVersion}`)
    }
    const outcomes = await this.#ask({ webhook, objects, apiVersion, waiting })
    return outcomes.map((outcome) => {
      if (outcome instanceof Failure) throw outcome
      return outcome
    })
  }

  #atHand(entry: Stored, resource: Resource): Stored | undefined {
    if (!needsWebhook(entry, resource)) return entry
    const known = this.#known.get(entry)?.get(resource)
    return known instanceof Promise ? undefined : known
  }

  async #readAll(entries: readonly Stored[], place: Place): Promise<readonly Stored[]> {
    const { resource } = place
    const missing = entries.filter(
      (entry) => needsWebhook(entry, resource) && !this.#known.get(entry)?.has(resource),
    )
    if (missing.length > 0) this.#begin(missing, place)
    const found: Stored[] = []
    for (const entry of entries) {
      found.push(this.#atHand(entry, resource) ?? succeeded(await this.#shared(entry, place)))
    }
    return found
  }

  /** The result of another reader's running conversion. A simulated clock may advance while that waits. */
  async #shared(entry: Stored, { resource, waiting }: Place): Promise<Outcome | undefined> {
    const pause = waiting?.pause()
    try {
      return await this.#known.get(entry)?.get(resource)
    } finally {
      pause?.[Symbol.dispose]()
    }
  }

  /** Converts entries and caches the results. Other readers wait for the same answer. */
  #begin(entries: readonly Stored[], place: Place): void {
    const { resource } = place
    const converting = this.#convertEntries(entries, place)
    for (const [index, entry] of entries.entries()) {
      let known = this.#known.get(entry)
      if (!known) this.#known.set(entry, (known = new WeakMap()))
      const kept = known
      const outcome = converting.then((outcomes) => {
        const one = outcomes[index]
        if (one === undefined || one instanceof Failure) kept.delete(resource)
        else kept.set(resource, one)
        return one
      })
      kept.set(resource, outcome)
    }
  }

  /** One outcome for each entry. Does not reject. */
  async #convertEntries(
    entries: readonly Stored[],
    { resource, waiting }: Place,
  ): Promise<readonly (Outcome | undefined)[]> {
    const outcomes = new Map<Stored, Outcome>()
    for (const piece of piecesOf(entries)) {
      const objects = piece.map((entry) => asRead(storedObject(entry), resource))
      const converted = await this.#ask({
        webhook: resource.conversionWebhook ?? {},
        objects,
        apiVersion: apiVersionOf(resource),
        waiting,
      })
      for (const [index, entry] of piece.entries()) {
        outcomes.set(entry, this.#outcome(entry, converted[index], resource))
      }
    }
    return entries.map((entry) => outcomes.get(entry))
  }

  #outcome(entry: Stored, converted: ServerObject | Failure | undefined, resource: Resource): Outcome {
    if (!converted) return conversionFailure('the webhook returned no object')
    if (converted instanceof Failure) return converted
    prune(resource.schema, converted)
    const made = Entry.ofValue(entry.key, entry.revision, arrange(converted), this.#recent)
    writtenThrough(made, resource)
    return made
  }

  async #toVersion(object: ServerObject, apiVersion: string, place: Place): Promise<ServerObject> {
    const [converted] = await this.between([object], apiVersion, place)
    const schema = schemaIn(apiVersion, place.resource)
    if (!converted) throw conversionFailure('the webhook returned no object')
    prune(schema, converted)
    return converted
  }

  async #ask(request: ObjectsToConvert): Promise<readonly (ServerObject | Failure)[]> {
    const { objects } = request
    if (this.#convert) {
      const outcomes = await this.#convert({ ...request, objects: objects.map(withoutVersion) })
      return outcomes.map((outcome, index) => withVersionOf(objects[index], outcome))
    }
    return objects.map(() => conversionFailure('this registry has no caller of webhooks'))
  }
}

/** As in Kubernetes, webhooks see no resourceVersion, which the store keeps beside the object. */
function withoutVersion(object: ServerObject): ServerObject {
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

function withVersionOf<T extends ServerObject | Failure>(
  original: ServerObject | undefined,
  converted: T,
): T {
  const { resourceVersion } = original?.metadata ?? {}
  if (!(converted instanceof Failure) && resourceVersion !== undefined) {
    converted.metadata.resourceVersion = resourceVersion
  }
  return converted
}

function succeeded(outcome: Outcome | undefined): Stored {
  if (outcome === undefined) throw new TypeError('an entry was not converted')
  if (outcome instanceof Failure) throw outcome
  return outcome
}

/** The stored object in its own version, with the defaults of the current schema. */
function asRead(stored: ServerObject, resource: Resource): ServerObject {
  const object = copyJson(stored)
  const schema = schemaIn(object.apiVersion, resource)
  prune(schema, object)
  applyDefaults(schema, object)
  return object
}

function schemaIn(apiVersion: string, resource: Resource): TypeSchema {
  return resource.versions?.get(versionIn(apiVersion)) ?? resource.schema
}

function versionIn(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1)
}

/** Groups of entries of one version, each short enough for one review. */
function piecesOf(entries: readonly Stored[]): readonly Stored[][] {
  const pieces: Stored[][] = []
  const open = new Map<string | undefined, { entries: Stored[]; bytes: number }>()
  for (const entry of entries) {
    let piece = open.get(entry.apiVersion)
    const size = entry.json.length
    if (!piece || piece.entries.length >= MOST_OBJECTS || piece.bytes + size > MOST_BYTES) {
      open.set(entry.apiVersion, (piece = { entries: [], bytes: 0 }))
      pieces.push(piece.entries)
    }
    piece.entries.push(entry)
    piece.bytes += size
  }
  return pieces
}
