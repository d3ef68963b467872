import { checkOptionNames, HomeostatError, optionNames } from '../errors/index.ts'
import type { StructuralSchema, ValidationRule } from './structural.ts'

/** Options of a rule, besides its message. */
export type RuleOptions = Omit<ValidationRule, 'rule' | 'message'>

const RULE_OPTIONS = optionNames<RuleOptions>('schema.rule', {
  messageExpression: true,
  reason: true,
  fieldPath: true,
  optionalOldSelf: true,
})

/**
 * One part of a schema under construction. It is immutable: each method returns a new one. It carries two types,
 * for the compiler only: the value as it is read (with defaults filled in) and as it is written (keys with a
 * default may be left out). `defineKind` checks whether the parts fit together.
 */
export abstract class Schema<Read, Write = Read> {
  /** The structural OpenAPI form: what a CustomResourceDefinition holds. */
  readonly structural: StructuralSchema
  readonly isOptional: boolean = false
  readonly hasDefault: boolean = false
  readonly isNullable: boolean = false
  readonly isRequired: boolean = false
  /** Never present at run time: it carries the types. */
  declare readonly types?: { readonly read: Read; readonly write: Write }

  constructor(structural: StructuralSchema) {
    this.structural = structural
  }

  /** The key may be absent from its object. */
  optional(): this & Optional {
    return this.copy({ isOptional: true }) as this & Optional
  }

  /**
   * The value that the server fills in if the key is absent: the key may be left out when writing, and is always
   * present when reading. Null is refused, because a server treats a default of null as no default.
   */
  default(value: Write & {}): this & Defaulted {
    const json = JSON.stringify(value) as string | undefined
    if (json === undefined || json === 'null') {
      throw new HomeostatError(
        'SCHEMA_INVALID',
        `default() does not take ${String(value)}: for a key that may be absent call optional() instead`,
      )
    }
    const structural = { ...this.structural, default: JSON.parse(json) as unknown }
    return this.copy({ structural, hasDefault: true }) as this & Defaulted
  }

  /**
   * Lists the key as required although the server fills it in. It changes nothing for a server, which sets defaults
   * first, but `kubectl explain` and tools that read the schema show it.
   */
  required(this: this & Defaulted): this {
    return this.copy({ isRequired: true })
  }

  /**
   * Accepts null, and keeps it. A server still refuses null for a schema with an enum, even if the enum contains
   * it.
   */
  nullable(): this & Nullable {
    return this.copy({ structural: { ...this.structural, nullable: true }, isNullable: true }) as this &
      Nullable
  }

  /** Describes the field, for `kubectl explain`. */
  describe(description: string): this {
    return this.with({ description })
  }

  /** A short name of the field, for people. */
  title(title: string): this {
    return this.with({ title })
  }

  /**
   * A CEL expression over `self` (and `oldSelf` on updates) that must be true, and the error message if it is not.
   * Default of the message: the expression itself.
   */
  rule(rule: string, message?: string, options: RuleOptions = {}): this {
    checkOptionNames(options, RULE_OPTIONS)
    const rules = this.structural['x-kubernetes-validations'] ?? []
    const added = { rule, ...(message === undefined ? {} : { message }), ...options }
    return this.with({ 'x-kubernetes-validations': [...rules, added] })
  }

  /** Once set, the value can be removed with its parent but not changed. */
  immutable(): this {
    return this.rule('self == oldSelf', 'value is immutable')
  }

  /** Further constraints that must all hold. They can restrict values, but not have types, defaults or descriptions. */
  allOf(...constraints: readonly [StructuralSchema, ...StructuralSchema[]]): this {
    return this.with({ allOf: constraints })
  }

  /** Constraints: at least one must hold. */
  anyOf(...constraints: readonly [StructuralSchema, ...StructuralSchema[]]): this {
    return this.with({ anyOf: constraints })
  }

  /** Constraints: exactly one must hold. */
  oneOf(...constraints: readonly [StructuralSchema, ...StructuralSchema[]]): this {
    return this.with({ oneOf: constraints })
  }

  /** A constraint that must not hold. */
  not(constraint: StructuralSchema): this {
    return this.with({ not: constraint })
  }

  /** A copy of the schema with these keys changed; `undefined` removes a key. */
  protected with(changes: { readonly [K in keyof StructuralSchema]: StructuralSchema[K] | undefined }): this {
    const structural = Object.fromEntries(
      Object.entries({ ...this.structural, ...changes }).filter(([, value]) => value !== undefined),
    )
    return this.copy({ structural })
  }

  private copy(changes: Partial<Pick<this, 'structural' | 'isRequired' | keyof Marks>>): this {
    return Object.assign(Object.create(Object.getPrototypeOf(this) as object) as this, this, changes)
  }
}

/** The facts about a schema that the compiler knows besides its types. */
export interface Marks {
  readonly isOptional: boolean
  readonly hasDefault: boolean
  readonly isNullable: boolean
}

/** Only the marks of a schema, to put them on a schema of another type. */
export type MarksOf<S extends Marks> = Pick<S, keyof Marks>

/** A schema whose key may be left out. */
export interface Optional {
  readonly isOptional: true
}

/** A schema whose key the server fills in. */
export interface Defaulted {
  readonly hasDefault: true
}

/** A schema whose value may be null. */
export interface Nullable {
  readonly isNullable: true
}

/** Any schema: for functions that take all of them. */
export type AnySchema = Schema<any, any>

/** The type of a value with this schema when it is read. */
export type ReadOf<S> = S extends Schema<infer Read, any> ? (S extends Nullable ? Read | null : Read) : never

/** The type of a value with this schema when it is written. */
export type WriteOf<S> =
  S extends Schema<any, infer Write> ? (S extends Nullable ? Write | null : Write) : never

/** The schemas of an object's keys. */
export type Shape = Readonly<Record<string, AnySchema>>

/** One object instead of an intersection. Inferring it keeps messages and editors from showing this type's name. */
type Flat<T> = T extends infer Object ? { -readonly [K in keyof Object]: Object[K] } : never

type MissingWhenRead<S> = S extends Defaulted ? false : S extends Optional ? true : false

type MissingWhenWritten<S> = S extends Defaulted ? true : S extends Optional ? true : false

/** An object with these keys, as it is read. */
export type ReadShape<S extends Shape> = Flat<
  { [K in keyof S as MissingWhenRead<S[K]> extends true ? never : K]: ReadOf<S[K]> } & {
    [K in keyof S as MissingWhenRead<S[K]> extends true ? K : never]?: ReadOf<S[K]> | undefined
  }
>

/** An object with these keys, as it is written. */
export type WriteShape<S extends Shape> = Flat<
  { [K in keyof S as MissingWhenWritten<S[K]> extends true ? never : K]: WriteOf<S[K]> } & {
    [K in keyof S as MissingWhenWritten<S[K]> extends true ? K : never]?: WriteOf<S[K]> | undefined
  }
>
