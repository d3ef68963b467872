import { checkOptionNames, HomeostatError, type AnyKind } from '@homeostat/api'
import type { AdmissionEndpoint, AdmissionWebhook } from './admission-endpoint.ts'
import { answerAdmissionReview, type Decide } from './admission-review.ts'
import {
  checkAdmissionOptions,
  checkAdmissionRule,
  MUTATING_OPTIONS,
  SHARED_OPTIONS,
  VALIDATING_OPTIONS,
} from './check-options.ts'
import { decideByDefaults, type AnyDefaults, type CheckedDefaults, type Defaults } from './defaults.ts'
import { decideByValidation, operationsOf, type AnyValidation, type Validation } from './validation.ts'
import { nameOfKind, pathOfKind, pathOfName } from './webhook-names.ts'
import type {
  AdmissionOptions,
  AdmissionRule,
  MutatingOptions,
  SharedAdmissionOptions,
} from './webhook-options.ts'

/** Builds an admission. Each call returns a new builder, so a common part can be used twice. */
export interface AdmissionBuilder<K> {
  /**
   * Admits requests to a subresource, such as `status`, instead of the object itself. If the subresource takes objects
   * of another kind, name that kind: `admission(Pod).subresource('binding', Binding)`.
   */
  subresource(name: string): AdmissionBuilder<K>
  subresource<S extends AnyKind>(name: string, object: S): AdmissionBuilder<S>
  /** Options of both webhooks, unless they have their own. */
  options(options: SharedAdmissionOptions): AdmissionBuilder<K>
  /** Fills in fields of objects that are created or updated, by a mutating webhook. */
  defaults<R extends ReturnType<Defaults<K>>>(
    defaults: CheckedDefaults<K, R>,
    options?: MutatingOptions,
  ): AdmissionWithDefaults<K>
  /** Refuses requests, by a validating webhook. */
  validates(validation: Validation<K>, options?: AdmissionOptions): AdmissionWithValidation<K>
}

/** Admission that sets defaults. It may also validate. */
export interface AdmissionWithDefaults<K> extends AdmissionWebhook {
  /** Refuses requests, with a validating webhook. It sees the object after the defaults are set. */
  validates(validation: Validation<K>, options?: AdmissionOptions): AdmissionWebhook
}

/** Admission that validates. It may also set defaults. */
export interface AdmissionWithValidation<K> extends AdmissionWebhook {
  /** Fills in fields of objects that are created or updated, by a mutating webhook. */
  defaults<R extends ReturnType<Defaults<K>>>(
    defaults: CheckedDefaults<K, R>,
    options?: MutatingOptions,
  ): AdmissionWebhook
}

/**
 * Begins the admission of a kind, or of several kinds with the same functions. Before an API server stores an object,
 * it asks for defaults, and then for validation, which may refuse the request. The result is a value that a manager
 * serves and a test calls.
 */
export function admission<const K extends readonly [AnyKind, ...AnyKind[]]>(
  ...kinds: K
): AdmissionBuilder<K[number]> {
  return new Builder({ kinds, objects: kinds, subresource: '', options: {}, endpoints: [] })
}

interface Parts {
  /** The kinds of the requests. */
  readonly kinds: readonly AnyKind[]
  /** The kinds of the objects in these requests. Some subresources take objects of another kind. */
  readonly objects: readonly AnyKind[]
  readonly subresource: string
  readonly options: SharedAdmissionOptions
  readonly endpoints: readonly AdmissionEndpoint[]
}

const SUBRESOURCE = /^[a-z]([-a-z0-9]*[a-z0-9])?$/

class Builder {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get endpoints(): readonly AdmissionEndpoint[] {
    return this.#parts.endpoints
  }

  subresource(name: string, object?: AnyKind): any {
    if (!SUBRESOURCE.test(name)) {
      throw new HomeostatError(
        'WEBHOOK_OPTIONS_INVALID',
        `${JSON.stringify(name)} is not the name of a subresource for ${this.#whose}: use lower-case letters, digits and -, such as 'status'`,
      )
    }
    return new Builder({ ...this.#parts, subresource: name, ...(object ? { objects: [object] } : {}) })
  }

  options(options: SharedAdmissionOptions): any {
    checkOptionNames(options, SHARED_OPTIONS)
    checkAdmissionOptions(this.#whose, options)
    return new Builder({ ...this.#parts, options: { ...this.#parts.options, ...options } })
  }

  defaults(defaults: AnyDefaults, options: MutatingOptions = {}): any {
    checkOptionNames(options, MUTATING_OPTIONS)
    const operations = options.operations ?? ['CREATE', 'UPDATE']
    return this.#with('mutate', options, operations, decideByDefaults(this.#parts.objects, defaults))
  }

  validates(validation: AnyValidation, options: AdmissionOptions = {}): any {
    checkOptionNames(options, VALIDATING_OPTIONS)
    const operations = operationsOf(validation)
    if (operations.length === 0) {
      throw new HomeostatError(
        'WEBHOOK_WITHOUT_HANDLER',
        `${this.#whose} would validate nothing: pass a function for create, update, delete or connect to validates()`,
      )
    }
    return this.#with('validate', options, operations, decideByValidation(this.#parts.objects, validation))
  }

  #with(
    verb: 'mutate' | 'validate',
    own: MutatingOptions,
    operations: AdmissionRule['operations'],
    decide: Decide,
  ): Builder {
    const options = { ...this.#parts.options, ...own }
    checkAdmissionOptions(this.#whose, options)
    const type = verb === 'mutate' ? 'mutating' : 'validating'
    if (this.#parts.endpoints.some((endpoint) => endpoint.type === type)) {
      throw new HomeostatError(
        'WEBHOOK_TWICE',
        `${this.#whose} has ${verb === 'mutate' ? 'defaults' : 'validation'} already: put both into one function`,
      )
    }
    const rules = this.#rules(operations, options.scope)
    for (const rule of rules) checkAdmissionRule(this.#whose, rule)
    const endpoint: AdmissionEndpoint = {
      type,
      ...this.#names(verb, options),
      rules,
      options,
      answer: (call) => answerAdmissionReview(call, decide),
    }
    return new Builder({ ...this.#parts, endpoints: [...this.#parts.endpoints, endpoint] })
  }

  #names(verb: 'mutate' | 'validate', options: AdmissionOptions): { name: string; path: string } {
    const { kinds, subresource } = this.#parts
    const [kind] = kinds
    const { name, path } = options
    if (kind && kinds.length === 1) {
      return {
        name: name ?? nameOfKind(verb, kind, subresource),
        path: path ?? pathOfKind(verb, kind, subresource),
      }
    }
    if (name === undefined) {
      throw new HomeostatError(
        'WEBHOOK_OPTIONS_INVALID',
        `${this.#whose} needs a name, because it is for several kinds: call options({ name: 'policy.example.com' }) first`,
      )
    }
    return { name, path: path ?? pathOfName(verb, name) }
  }

  /** One rule for each group and version. */
  #rules(operations: AdmissionRule['operations'], scope: AdmissionRule['scope']): AdmissionRule[] {
    const { kinds, subresource } = this.#parts
    const resourceOf = ({ plural }: AnyKind): string =>
      subresource === '' ? plural : `${plural}/${subresource}`
    const groups = Map.groupBy(kinds, ({ group, version }) => `${group}/${version}`)
    return [...groups.values()].map((members) => ({
      apiGroups: [members[0]!.group],
      apiVersions: [members[0]!.version],
      resources: members.map(resourceOf),
      operations,
      ...(scope === undefined ? {} : { scope }),
    }))
  }

  get #whose(): string {
    return `the admission of ${this.#parts.kinds.map(({ kind }) => kind).join(', ')}`
  }
}
