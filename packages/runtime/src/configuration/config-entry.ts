import { ConfigError } from './config-error.ts'
import type { KubeconfigEntry } from './kubeconfig.ts'

/** One context, cluster or user of a kubeconfig, read field by field. Errors name the file and the entry. */
export class ConfigEntry {
  readonly kind: 'context' | 'cluster' | 'user'
  readonly name: string
  readonly file: string
  readonly fields: Readonly<Record<string, unknown>>

  constructor(kind: ConfigEntry['kind'], name: string, entry: KubeconfigEntry) {
    this.kind = kind
    this.name = name
    this.file = entry.file
    this.fields = entry.fields
  }

  /** `user "me"`, for messages that name the file already. */
  get title(): string {
    return `${this.kind} ${JSON.stringify(this.name)}`
  }

  /** `user "me" of /home/me/.kube/config`. */
  get label(): string {
    return `${this.title} of ${this.file}`
  }

  /** A string field; `undefined` where it is absent or empty. */
  text(field: string): string | undefined {
    return this.checkedText(field, this.fields[field])
  }

  /** The same for a nested value; `path` is its path in the entry. */
  checkedText(path: string, value: unknown): string | undefined {
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value !== 'string')
      throw this.invalid(`has a ${path} that is not a string`, 'Put it in quotes')
    return value
  }

  /** A list of strings; empty where the field is absent. */
  checkedTexts(path: string, value: unknown): readonly string[] {
    if (value === undefined || value === null) return []
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
      throw this.invalid(`has a ${path} that is not a list of strings`, 'Correct the file')
    }
    return value
  }

  invalid(what: string, remedy: string): ConfigError {
    return new ConfigError('CONFIG_INVALID', `${this.label} ${what}. ${remedy}.`)
  }

  unsupported(what: string, remedy: string): ConfigError {
    return new ConfigError('CONFIG_UNSUPPORTED', `${this.label} ${what}. ${remedy}.`)
  }
}
