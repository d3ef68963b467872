import { deepFreeze, type FieldsV1 } from '@homeostat/api'
import type { InParts } from '../work/index.ts'
import { fieldElement, parseElement, sortElements, type PathElement } from './path-element.ts'

/** How many steps of a set are encoded in one turn of the event loop. */
const MOST_AT_ONCE = 10_000
/** How many fields a shared set has at most at one level, and how many shared sets are kept. */
const MOST_FIELDS = 16
const MOST_SHARED = 2_000
/** How many characters the key of a shared set has at most: clients choose the names in it. */
const LONGEST_KEY = 1_000
/** The number of a set that is not shared, and that of a field with nothing below it; shared sets have higher ones. */
const NOT_SHARED = 0
const NO_PART = -1
/** How many sets are remembered by their encoded form. */
const MOST_RECENT = 64
/** Separates names in the keys of shared sets. A name that contains it is never part of a shared set. */
const SEPARATOR = '\0'
/** The encoded form of a field with nothing below it, shared by all of them. */
const NOTHING_BELOW: FieldsV1 = Object.freeze({})

interface Branch {
  /** Whether the field itself belongs to the set. Fields below it may belong to the set without it. */
  member: boolean
  /** The members of the set below the field; absent rather than empty. */
  below: FieldSet | undefined
}

/**
 * A set of fields of an object. A field and the fields below it belong to the set independently. Only `insert`
 * changes a set, and only while the set is being built, since sets share their parts.
 */
export class FieldSet {
  /** The sets of {@link ofNames}, by the names. Most objects of a kind have parts with the same few fields. */
  static readonly #shared = new Map<string, FieldSet>()
  /** The sets of {@link ofParts}, by the steps and the numbers of the parts below them. */
  static readonly #sharedParts = new Map<string, FieldSet>()
  /** The keys that {@link ofParts} has met once. A set is shared when its key is met again, which many never are. */
  static readonly #metOnce = new Set<string>()
  static #lastNumber = NOT_SHARED
  /** The sets that were encoded or decoded lately, by their encoded form: most managers are the same after a write. */
  static #recent = new Map<FieldsV1, FieldSet>()
  static #older = new Map<FieldsV1, FieldSet>()

  readonly #branches = new Map<PathElement, Branch>()
  #encoded: FieldsV1 | undefined
  /** The encoded form of a field that is a member itself, with this set below it; kept for shared sets only. */
  #encodedBelowMember: FieldsV1 | undefined
  /** The number of a shared set. */
  #sharedNumber = NOT_SHARED
  /** The context in which {@link collapsed} last changed nothing. */
  #uncollapsed: unknown

  /** The set with these paths. */
  static of(...paths: readonly (readonly PathElement[])[]): FieldSet {
    const set = new FieldSet()
    for (const path of paths) set.insert(path)
    return set
  }

  /** The set of the fields with these names, and nothing below them. Short sets are made and encoded once for all objects. */
  static ofNames(names: readonly string[]): FieldSet {
    const key = names.length <= MOST_FIELDS ? names.join(SEPARATOR) : ''
    const isShort = names.length <= MOST_FIELDS && key.length <= LONGEST_KEY
    const known = isShort ? FieldSet.#shared.get(key) : undefined
    // Names that contain the separator make a key with more separators than any shared set of as many names.
    if (known && known.#branches.size === names.length) return known
    const set = new FieldSet()
    for (const name of names) set.add(fieldElement(name), undefined)
    if (isShort && !names.some((name) => name.includes(SEPARATOR))) set.#share(FieldSet.#shared, key)
    return set
  }

  /**
   * The set of these fields with the members below each of them. A set of few fields, whose parts are shared, is made and
   * encoded once for all objects.
   */
  static ofParts(parts: ReadonlyMap<PathElement, FieldSet | undefined>): FieldSet {
    const key = FieldSet.#keyOf(parts)
    const known = key === undefined ? undefined : FieldSet.#sharedParts.get(key)
    if (known) return known
    const set = new FieldSet()
    for (const [element, below] of parts) set.add(element, below)
    if (key === undefined) return set
    if (FieldSet.#metOnce.delete(key)) set.#share(FieldSet.#sharedParts, key)
    else {
      if (FieldSet.#metOnce.size >= MOST_SHARED) FieldSet.#metOnce.clear()
      FieldSet.#metOnce.add(key)
    }
    return set
  }

  /** The key of a set that can be shared. */
  static #keyOf(parts: ReadonlyMap<PathElement, FieldSet | undefined>): string | undefined {
    if (parts.size > MOST_FIELDS) return undefined
    const texts: (string | number)[] = []
    for (const [element, below] of parts) {
      const number = below ? below.#sharedNumber : NO_PART
      if (number === NOT_SHARED || element.includes(SEPARATOR)) return undefined
      texts.push(element, number)
    }
    const key = texts.join(SEPARATOR)
    return key.length <= LONGEST_KEY ? key : undefined
  }

  #share(sets: Map<string, FieldSet>, key: string): void {
    if (sets.size >= MOST_SHARED) sets.clear()
    this.#sharedNumber = ++FieldSet.#lastNumber
    sets.set(key, this)
  }

  /** Adds a field. The empty path, which is the whole object, has no owner. */
  insert(path: readonly PathElement[]): void {
    this.#insert(path, 0)
  }

  #insert(path: readonly PathElement[], depth: number): void {
    const element = path[depth]
    if (element === undefined) return
    this.#checkBuilding()
    let branch = this.#branches.get(element)
    if (!branch) this.#branches.set(element, (branch = { member: false, below: undefined }))
    if (depth === path.length - 1) branch.member = true
    else (branch.below ??= new FieldSet()).#insert(path, depth + 1)
  }

  /**
   * Adds the field one step away, which must not be in the set yet, with the members below it. With `member` false,
   * adds only the members below it.
   */
  add(element: PathElement, below: FieldSet | undefined, member = true): void {
    this.#checkBuilding()
    this.#put(element, member, below)
  }

  /** Adds the field one step from a path in the same way. */
  graft(path: readonly PathElement[], element: PathElement, below: FieldSet | undefined): void {
    this.#reach(path, 0).add(element, below)
  }

  /** The set below a path; created where there is none. */
  #reach(path: readonly PathElement[], depth: number): FieldSet {
    const step = path[depth]
    if (step === undefined) return this
    this.#checkBuilding()
    let branch = this.#branches.get(step)
    if (!branch) this.#branches.set(step, (branch = { member: false, below: undefined }))
    branch.below ??= new FieldSet()
    return branch.below.#reach(path, depth + 1)
  }

  #checkBuilding(): void {
    if (this.#sharedNumber !== NOT_SHARED)
      throw new TypeError('a set that other sets share cannot be changed')
  }

  get empty(): boolean {
    return this.#branches.size === 0
  }

  /** Whether the field one step away belongs to the set. */
  has(element: PathElement): boolean {
    return this.#branches.get(element)?.member ?? false
  }

  /** Whether a field belongs to the set. */
  hasPath(path: readonly PathElement[]): boolean {
    const [first, ...rest] = path
    if (first === undefined) return false
    return rest.length === 0 ? this.has(first) : (this.below(first)?.hasPath(rest) ?? false)
  }

  /** The members below a field; `undefined` where there are none. */
  below(element: PathElement): FieldSet | undefined {
    return this.#branches.get(element)?.below
  }

  /** The steps that lead to members. */
  elements(): MapIterator<PathElement> {
    return this.#branches.keys()
  }

  union(other: FieldSet): FieldSet {
    if (this.empty) return other
    if (other.empty) return this
    const result = new FieldSet()
    for (const [element, { member, below }] of this.#branches) {
      const there = other.#branches.get(element)
      const both = below && there?.below ? below.union(there.below) : (below ?? there?.below)
      result.#branches.set(element, { member: member || (there?.member ?? false), below: both })
    }
    for (const [element, branch] of other.#branches) {
      if (!this.#branches.has(element)) result.#branches.set(element, branch)
    }
    return result
  }

  /** The union of many sets. */
  static unionOf(sets: Iterable<FieldSet>): FieldSet {
    const result = new FieldSet()
    for (const set of sets) result.#absorb(set)
    return result
  }

  /** Adds the other set to this one, which is being built. The two share no parts that may still change. */
  #absorb(other: FieldSet): void {
    for (const [element, { member, below }] of other.#branches) {
      let branch = this.#branches.get(element)
      if (!branch) this.#branches.set(element, (branch = { member: false, below: undefined }))
      branch.member ||= member
      if (below) (branch.below ??= new FieldSet()).#absorb(below)
    }
  }

  intersection(other: FieldSet): FieldSet {
    const result = new FieldSet()
    for (const [element, { member, below }] of this.#branches) {
      const there = other.#branches.get(element)
      if (!there) continue
      result.#put(element, member && there.member, there.below && below?.intersection(there.below))
    }
    return result
  }

  /**
   * The members of this set that the other does not have. A field in the other set does not remove the fields below
   * it.
   */
  difference(other: FieldSet): FieldSet {
    return this.#reduced(other, false)
  }

  /** Like {@link difference}, but a field in the other set also removes the fields below it. */
  without(other: FieldSet): FieldSet {
    return this.#reduced(other, true)
  }

  /** Returns this set itself where nothing is removed, so that it need not be encoded again. */
  #reduced(other: FieldSet, deep: boolean): FieldSet {
    if (other.empty || this.empty) return this
    if (!this.#overlaps(other)) return this
    const result = new FieldSet()
    let changed = false
    for (const [element, branch] of this.#branches) {
      const there = other.#branches.get(element)
      const member = branch.member && !there?.member
      let { below } = branch
      if (deep && there?.member) below = undefined
      else if (below && there?.below) below = below.#reduced(there.below, deep)
      if (member === branch.member && below === branch.below) result.#branches.set(element, branch)
      else {
        result.#put(element, member, below)
        changed = true
      }
    }
    return changed ? result : this
  }

  #overlaps(other: FieldSet): boolean {
    for (const element of other.#branches.keys()) if (this.#branches.has(element)) return true
    return false
  }

  /** The set with further members: each step that `choose` accepts, at every depth. */
  withMembers<T>(
    context: T,
    choose: (element: PathElement, context: T) => { member: boolean; below: T },
  ): FieldSet {
    const result = new FieldSet()
    for (const [element, branch] of this.#branches) {
      const { member, below } = choose(element, context)
      result.#branches.set(element, {
        member: branch.member || (member && branch.below !== undefined),
        below: branch.below?.withMembers(below, choose),
      })
    }
    return result
  }

  /**
   * The set in which each field that `choose` accepts replaces the members below it. A context must always have the same
   * `choose`: mostly the schema is still the same, and then nothing is done.
   */
  collapsed<T>(
    context: T,
    choose: (element: PathElement, context: T) => { whole: boolean; below: T },
  ): FieldSet {
    if (this.#uncollapsed === context) return this
    const result = new FieldSet()
    let changed = false
    for (const [element, branch] of this.#branches) {
      const { whole, below } = choose(element, context)
      const kept = whole ? undefined : branch.below?.collapsed(below, choose)
      if (kept === branch.below) result.#branches.set(element, branch)
      else {
        result.#branches.set(element, { member: branch.member || whole, below: kept })
        changed = true
      }
    }
    if (changed) return result
    this.#uncollapsed = context
    return this
  }

  /** Whether the other set has all members of this one. */
  isWithin(other: FieldSet): boolean {
    for (const [element, { member, below }] of this.#branches) {
      const there = other.#branches.get(element)
      if (!there || (member && !there.member)) return false
      if (below && !(there.below && below.isWithin(there.below))) return false
    }
    return true
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true
    if (this.#branches.size !== other.#branches.size) return false
    for (const [element, { member, below }] of this.#branches) {
      const there = other.#branches.get(element)
      if (!there || there.member !== member) return false
      if (below && there.below ? !below.equals(there.below) : below !== there.below) return false
    }
    return true
  }

  /** The paths of all members, sorted; each level comes before the one below it. */
  paths(): PathElement[][] {
    const result: PathElement[][] = []
    const walk = (set: FieldSet, prefix: readonly PathElement[]): void => {
      const sorted = set.#sorted()
      for (const element of sorted) if (set.has(element)) result.push([...prefix, element])
      for (const element of sorted) {
        const below = set.below(element)
        if (below) walk(below, [...prefix, element])
      }
    }
    walk(this, [])
    return result
  }

  /** The encoded form in managed fields. The caller must not change it. */
  encode(): FieldsV1 {
    if (!this.#encoded) {
      const result: FieldsV1 = {}
      this.#encodeInto(result)
      this.#encoded = this.#sharedNumber !== NOT_SHARED ? deepFreeze(result) : result
    }
    return this.#encoded
  }

  /** Encodes the set of a manager, in parts if it is large. {@link decodeStored} finds it again. */
  *encodeInParts(): InParts<FieldsV1> {
    if (this.#encoded) return this.#encoded
    let encoded: FieldsV1
    if (this.#steps(MOST_AT_ONCE) < MOST_AT_ONCE) encoded = this.encode()
    else {
      encoded = {}
      yield* this.#encodePartsInto(encoded, { steps: 0 })
      this.#encoded = encoded
    }
    FieldSet.#remember(encoded, this)
    return encoded
  }

  /** Decodes a set that is stored, and so never changes. A set that was encoded or decoded lately is found again. */
  static decodeStored(fields: FieldsV1): FieldSet {
    const recent = FieldSet.#recent.get(fields)
    if (recent) return recent
    const set = FieldSet.#older.get(fields) ?? FieldSet.decode(fields)
    FieldSet.#remember(fields, set)
    return set
  }

  /** Not in a weak map, which would cost the garbage collector much: most sets are never looked up again. */
  static #remember(encoded: FieldsV1, set: FieldSet): void {
    if (FieldSet.#recent.size >= MOST_RECENT) {
      FieldSet.#older = FieldSet.#recent
      FieldSet.#recent = new Map()
    }
    FieldSet.#recent.set(encoded, set)
  }

  *#encodePartsInto(result: FieldsV1, count: { steps: number }): InParts<void> {
    const sorted = this.#sorted()
    if (sorted.length > MOST_AT_ONCE) yield
    for (const element of sorted) {
      const { member, below } = this.#branches.get(element)!
      const inner: FieldsV1 = {}
      if (below) {
        if (member) inner['.'] = NOTHING_BELOW
        yield* below.#encodePartsInto(inner, count)
      }
      result[element] = inner
      if (++count.steps % MOST_AT_ONCE === 0) yield
    }
  }

  /** The number of steps at all depths, counted only up to about a limit. */
  #steps(most: number): number {
    let steps = this.#branches.size
    if (steps >= most) return steps
    for (const { below } of this.#branches.values()) {
      if (below) steps += below.#steps(most - steps)
      if (steps >= most) break
    }
    return steps
  }

  #encodeInto(result: FieldsV1): void {
    for (const element of this.#sorted()) {
      const { member, below } = this.#branches.get(element)!
      result[element] = below ? below.#encodeBelow(member) : NOTHING_BELOW
    }
  }

  /** The encoded form of the field above this set, with the set. */
  #encodeBelow(member: boolean): FieldsV1 {
    if (!member) return this.encode()
    if (this.#encodedBelowMember) return this.#encodedBelowMember
    const result: FieldsV1 = { '.': NOTHING_BELOW }
    this.#encodeInto(result)
    if (this.#sharedNumber !== NOT_SHARED) this.#encodedBelowMember = deepFreeze(result)
    return result
  }

  /** Decodes a set. Leaves out steps of an unknown kind, and throws a `SyntaxError` for other values. */
  static decode(fields: FieldsV1): FieldSet {
    const result = new FieldSet()
    for (const [text, inner] of Object.entries(fields)) {
      if (text === '.') continue
      const element = parseElement(text)
      if (element === undefined) continue
      if (typeof inner !== 'object' || inner === null)
        throw new SyntaxError(`${text} does not contain an object`)
      const below = FieldSet.decode(inner)
      result.#put(element, below.empty || '.' in inner, below)
    }
    return result
  }

  #put(element: PathElement, member: boolean, below: FieldSet | undefined): void {
    const kept = below?.empty ? undefined : below
    if (member || kept) this.#branches.set(element, { member, below: kept })
  }

  #sorted(): PathElement[] {
    return sortElements([...this.#branches.keys()])
  }
}
