import { apiVersionOf, goQuote, HomeostatError, type AnyKind } from '@homeostat/api'
import { messageOf } from '../../reconcile/index.ts'
import { isCodeMistake } from '../review/index.ts'
import { conversionEndpoint, type ConversionEndpoint } from './conversion-endpoint.ts'
import { fromStored, toStored, type ConvertedVersion } from './convert-object.ts'
import type { AnyConverter, CheckedConverter, ConvertedOf } from './converter.ts'

/** A kind in several versions, one of which is stored, and how they are converted. It is a webhook as a value. */
export interface Conversion<Stored extends AnyKind> {
  /** The version that is stored, and that all others are converted to. */
  readonly stored: Stored
  /**
   * All versions, the stored one last. Pass them to `customResourceDefinition`, with `{ stored:
   * conversion.stored.version }` and the address of the webhook.
   */
  readonly kinds: readonly AnyKind[]
  readonly endpoints: readonly ConversionEndpoint[]
  /** Adds a version. Call `converts` next, with the functions that convert it to the stored version and back. */
  version<V extends AnyKind>(kind: V): VersionWithoutConverter<V, Stored>
  /** The object in another version, such as `example.com/v1`. Throws where there is none, or where a converter throws. */
  convert(object: object, apiVersion: string): object
}

/** A version without a converter. It can be neither served nor tested until `converts` is called. */
export interface VersionWithoutConverter<V extends AnyKind, Stored extends AnyKind> {
  /** The conversion with this version, given the functions to the stored version and back. */
  converts<S extends ConvertedOf<Stored>, R extends ConvertedOf<V>>(
    converter: CheckedConverter<V, Stored, S, R>,
  ): Conversion<Stored>
}

/**
 * Begins the conversion of a kind with the version that is stored. `version` adds each other version, with the
 * conversion in both directions. Between two versions that are not stored, objects are converted through the stored
 * one.
 */
export function conversion<Stored extends AnyKind>(stored: Stored): Conversion<Stored> {
  return new KindConversion(stored, [])
}

type Fields = Record<string, unknown>

class KindConversion<Stored extends AnyKind> implements Conversion<Stored> {
  readonly stored: Stored
  readonly endpoints: readonly ConversionEndpoint[]
  readonly #versions: readonly ConvertedVersion[]

  constructor(stored: Stored, versions: readonly ConvertedVersion[]) {
    this.stored = stored
    this.#versions = versions
    this.endpoints = [conversionEndpoint([this])]
  }

  get kinds(): readonly AnyKind[] {
    return [...this.#versions.map(({ kind }) => kind), this.stored]
  }

  version(kind: AnyKind): { converts(converter: AnyConverter): Conversion<Stored> } {
    const { stored } = this
    for (const property of ['group', 'kind', 'plural', 'scope'] as const) {
      if (kind[property] !== stored[property]) {
        throw invalidVersion(
          stored,
          `the version ${kind.version} has the ${property} '${String(kind[property])}' instead of '${String(stored[property])}': versions of one kind share it`,
        )
      }
    }
    if (this.kinds.some(({ version }) => version === kind.version))
      throw invalidVersion(stored, `it has the version ${kind.version} already: give each version once`)
    return { converts: (converter) => new KindConversion(stored, [...this.#versions, { kind, converter }]) }
  }

  convert(object: object, apiVersion: string): object {
    const { apiVersion: given, kind } = object as Fields
    if (typeof kind !== 'string' || kind === '')
      throw new HomeostatError('CONVERSION_FAILED', `Object 'Kind' is missing in '${JSON.stringify(object)}'`)
    const [from, to] = [this.#find(given, kind), this.#find(apiVersion, kind)]
    if (from === to) {
      throw new HomeostatError(
        'CONVERSION_FAILED',
        `conversion is not allowed between same type ${kind} of ${apiVersion}`,
      )
    }
    if (to === undefined) return toStored(object as Fields, from!, this.stored)
    if (from === undefined) return fromStored(object as Fields, to, this.stored)
    const stored = step('spoke', from.kind, 'hub', this.stored, () =>
      toStored(object as Fields, from, this.stored),
    )
    return step('hub', this.stored, 'spoke', to.kind, () => fromStored(stored, to, this.stored))
  }

  /** The version of this name; `undefined` for the stored one. */
  #find(apiVersion: unknown, kind: string): ConvertedVersion | undefined {
    const { stored } = this
    if (kind === stored.kind) {
      if (apiVersion === apiVersionOf(stored)) return undefined
      const found = this.#versions.find((version) => apiVersionOf(version.kind) === apiVersion)
      if (found) return found
    }
    throw new HomeostatError(
      'CONVERSION_FAILED',
      `no kind ${goQuote(kind)} is registered for version ${goQuote(String(apiVersion))}`,
    )
  }
}

/** Adds the step to an error, where an object is converted through the stored version. */
function step(fromRole: string, from: AnyKind, toRole: string, to: AnyKind, convert: () => Fields): Fields {
  try {
    return convert()
  } catch (error) {
    if (isCodeMistake(error)) throw error
    const name = (kind: AnyKind): string => `${apiVersionOf(kind)}, Kind=${kind.kind}`
    throw new HomeostatError(
      'CONVERSION_FAILED',
      `failed to convert ${fromRole} ${name(from)} to ${toRole} ${name(to)} : ${messageOf(error)}`,
      { cause: error },
    )
  }
}

function invalidVersion(stored: AnyKind, message: string): HomeostatError {
  return new HomeostatError(
    'CONVERSION_INVALID',
    `the conversion of ${stored.kind} (${stored.group}): ${message}`,
  )
}
