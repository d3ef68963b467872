import type { AnyKind, KubernetesObject, ObjectKey } from '@homeostat/api'
import type { ApplyOptions, Patch, RequestOptions, WriteOptions } from './interface/client.ts'
import type { LiveReader } from './live-reader.ts'
import type { ObjectWriter } from './object-writer.ts'

/** The parts of a client that its subresource clients, such as `status`, share. */
export interface ClientInternals {
  readonly fieldManager: string
  readonly dryRun: boolean | undefined
  /** Whether applies take fields from other managers, where their options do not say otherwise. */
  readonly force: boolean
  readonly live: LiveReader
  readonly writer: ObjectWriter
  get(kind: AnyKind, key: ObjectKey, options?: RequestOptions): Promise<KubernetesObject | undefined>
  patch(
    kind: AnyKind,
    key: ObjectKey,
    change: Patch,
    options?: WriteOptions,
    part?: string,
  ): Promise<KubernetesObject>
  /** Server-side apply of a document, or of a part of it. */
  applyPart(
    kind: AnyKind,
    key: ObjectKey,
    document: object,
    options?: ApplyOptions,
    part?: string,
  ): Promise<KubernetesObject>
}
