import {
  apiVersionOf,
  checkOptionNames,
  HomeostatError,
  optionNames,
  SimulatedClock,
  unknownFields,
  type AnyKind,
  type Clock,
} from '@homeostat/api'
import { messageOf } from '../../../reconcile/index.ts'
import { annotationOf } from '../kept-fields.ts'
import { asServed } from './as-served.ts'
import { firstDifference } from './first-difference.ts'
import { generateValue, type Generation } from './generate-value.ts'
import { simplerValues } from './simpler-values.ts'

/** How objects are generated. */
export interface RoundTripOptions {
  /**
   * The source of randomness for the generated objects. Default: a clock with seed 1, so that each run generates the
   * same objects.
   */
  readonly clock?: Pick<Clock, 'random'> | undefined
  /** How many objects are tried for each version and direction. Default: 200. */
  readonly runs?: number | undefined
  /**
   * Values to choose from for fields that need special ones, because of a rule or a pattern, by their paths: `{ 'spec.host': ['db'] }`.
   * The items of a list or a map have the path of their field with `[]`.
   */
  readonly values?: Readonly<Record<string, readonly unknown[]>> | undefined
}

const OPTIONS = optionNames<RoundTripOptions>('expectRoundTrip', { clock: true, runs: true, values: true })

/** The part of a conversion that {@link expectRoundTrip} needs. */
interface Converts {
  readonly stored: AnyKind
  readonly kinds: readonly AnyKind[]
  convert(object: object, apiVersion: string): object
}

/** How often a failing object is made simpler at most. */
const MOST_STEPS = 1_000

/**
 * Throws if an object that is converted to another version and back is not the same. It generates objects
 * from the schemas, as a server would store them, and tries both directions between each version and the
 * stored one. It reduces an object that fails to the smallest one that still fails. The error, with code
 * `CONVERSION_LOSES`, `CONVERSION_RETURNS_UNKNOWN` or `CONVERSION_FAILS`, names the field and shows the object.
 */
export function expectRoundTrip(conversion: Converts, options: RoundTripOptions = {}): void {
  checkOptionNames(options, OPTIONS)
  const { stored, kinds } = conversion
  const clock = options.clock ?? new SimulatedClock()
  const generation: Generation = { random: () => clock.random(), values: options.values ?? {} }
  for (const kind of kinds) {
    if (kind === stored) continue
    for (const [from, to] of [
      [kind, stored],
      [stored, kind],
    ] as const) {
      for (let run = 0; run < (options.runs ?? 200); run++) {
        const object = generateObject(from, generation)
        const failure = failureOf(conversion, object, from, to)
        if (failure) throw simplest(conversion, object, from, to, failure)
      }
    }
  }
}

type Fields = Record<string, unknown>

function generateObject(kind: AnyKind, generation: Generation): Fields {
  if (!kind.schema) {
    throw new HomeostatError(
      'CONVERSION_INVALID',
      `${kind.kind} (${kind.version}) has no schema to generate objects from: only kinds that defineKind() made have one`,
    )
  }
  const { apiVersion: _, kind: __, metadata: ___, ...properties } = kind.schema.properties ?? {}
  const fields = generateValue({ ...kind.schema, properties }, '', generation) as Fields
  const labels = generation.random() < 0.3 ? { labels: { app: 'a' } } : {}
  const annotations = generation.random() < 0.3 ? { annotations: { note: 'b' } } : {}
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name: 'a', uid: '1', generation: 1, ...labels, ...annotations },
    ...(asServed({ ...kind.schema, properties }, fields) as Fields),
  }
}

interface Failure {
  readonly code: 'CONVERSION_FAILS' | 'CONVERSION_LOSES' | 'CONVERSION_RETURNS_UNKNOWN'
  readonly message: string
  readonly cause?: unknown
}

/** Why an object is not the same after it was converted to another version and back. */
function failureOf(conversion: Converts, object: Fields, from: AnyKind, to: AnyKind): Failure | undefined {
  let back: Fields
  try {
    const there = conversion.convert(structuredClone(object), apiVersionOf(to)) as Fields
    const returned = conversion.convert(served(to, there), apiVersionOf(from)) as Fields
    const unknown = unknownField(there, to) ?? unknownField(returned, from)
    if (unknown) return { code: 'CONVERSION_RETURNS_UNKNOWN', message: unknown }
    back = served(from, returned)
  } catch (cause) {
    return { code: 'CONVERSION_FAILS', message: `fails: ${messageOf(cause)}`, cause }
  }
  const difference = firstDifference(object, withoutKept(back, conversion.kinds))
  if (!difference) return undefined
  const { path, before, after } = difference
  const message =
    before === undefined
      ? `adds ${path}: it was absent and is ${shown(after)}. Give both versions the same default, or return nothing where there was nothing`
      : `loses ${path}: it was ${shown(before)} and is ${after === undefined ? 'absent' : shown(after)}`
  return { code: 'CONVERSION_LOSES', message }
}

/** A field of a converted object that its version does not have, so that a server drops it. */
function unknownField(object: Fields, kind: AnyKind): string | undefined {
  const [unknown] = kind.schema ? unknownFields(kind.schema, { ...object, metadata: undefined }) : []
  if (!unknown) return undefined
  const { path, nearest } = unknown
  const remedy = nearest === undefined ? 'leave it out' : `did you mean ${nearest}?`
  return `returns ${path}, a field that ${kind.version} does not have: ${remedy}`
}

function served(kind: AnyKind, object: Fields): Fields {
  const { apiVersion, kind: name, metadata, ...fields } = structuredClone(object)
  const { apiVersion: _, kind: __, metadata: ___, ...properties } = kind.schema?.properties ?? {}
  return { apiVersion, kind: name, metadata, ...(asServed({ ...kind.schema, properties }, fields) as Fields) }
}

/** The object without annotations that keep fields: an object that was converted may have more of them than one that never was. */
function withoutKept(object: Fields, kinds: readonly AnyKind[]): Fields {
  const { annotations, ...metadata } = object['metadata'] as Fields
  const names = kinds.map((kind) => annotationOf(kind))
  const others = Object.entries(annotations ?? {}).filter(([name]) => !names.includes(name))
  const rest = others.length > 0 ? { annotations: Object.fromEntries(others) } : {}
  return { ...object, metadata: { ...metadata, ...rest } }
}

/** The error for the simplest object that still fails. */
function simplest(
  conversion: Converts,
  found: Fields,
  from: AnyKind,
  to: AnyKind,
  first: Failure,
): HomeostatError {
  let [object, failure] = [found, first]
  for (let steps = 0; steps < MOST_STEPS;) {
    let isSimpler = false
    for (const candidate of candidates(object, from)) {
      if (++steps > MOST_STEPS) break
      const again = failureOf(conversion, candidate, from, to)
      if (again?.code !== failure.code) continue
      ;[object, failure, isSimpler] = [candidate, again, true]
      break
    }
    if (!isSimpler) break
  }
  const way = `${from.version} → ${to.version} → ${from.version}`
  return new HomeostatError(
    failure.code,
    `the conversion of ${from.kind} ${way} ${sentence(failure.message)} The object: ${shown(object)}`,
    { cause: failure.cause },
  )
}

/** The message of an error may end with a question. */
function sentence(message: string): string {
  return /[.?!]$/.test(message) ? message : `${message}.`
}

function* candidates(object: Fields, kind: AnyKind): Generator<Fields> {
  const { apiVersion, kind: name, metadata, ...fields } = object
  const { labels, annotations, ...identity } = metadata as Fields
  if (labels || annotations) yield { ...object, metadata: identity }
  const { apiVersion: _, kind: __, metadata: ___, ...properties } = kind.schema?.properties ?? {}
  for (const simple of simplerValues({ ...kind.schema, properties }, fields))
    yield { apiVersion, kind: name, metadata, ...(simple as Fields) }
}

function shown(value: unknown): string {
  return JSON.stringify(value)
}
