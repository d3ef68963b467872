import {
  apiVersionOf,
  checkOptionNames,
  formatKey,
  HomeostatError,
  optionNames,
  type AnyKind,
  type CreateOf,
  type KeyOf,
  type KubernetesObject,
  type MutableOf,
  type ObjectKey,
  type ObjectOf,
} from '@homeostat/api'
import { mergeFrom, type Reader, type WriteOptions, type Writer } from '../client/index.ts'
import { ownerOf, writeListenerOf } from '../apply/index.ts'
import { chosenKeysAt } from './chosen-keys.ts'
import { copyToDraft } from './draft.ts'
import { overlay, type Overlay } from './overlay.ts'

/** The operation, and the object after it. */
export interface CreateOrUpdateResult<K extends AnyKind> {
  readonly result: 'created' | 'updated' | 'unchanged'
  readonly object: ObjectOf<K>
  /** Paths of the fields that an update changed, such as `data.README.md`. */
  readonly changes: readonly string[]
}

const OPTIONS = optionNames<WriteOptions>('createOrUpdate', {
  signal: true,
  dryRun: true,
  fieldManager: true,
  fieldValidation: true,
})

/**
 * Brings an object to the state that `mutate` sets. `mutate` gets a draft and sets fields on it. The draft is a
 * copy of the object, or has only a name if the object does not exist.
 *
 * Only the fields that it sets are compared and sent. Fields that a server filled in, or that other clients added,
 * stay, even if `mutate` assigns a whole object without them; delete a field from the draft to remove it. An
 * assigned map such as `data` replaces the whole map. When nothing differs, nothing is sent.
 *
 * The status is not written: use `client.status` for that. A conflict throws, and the controller retries the
 * reconcile. If another client keeps changing a field back, the controller reports it and reconciles the object
 * less often.
 */
export async function createOrUpdate<K extends AnyKind>(
  client: Pick<Reader & Writer, 'get' | 'create' | 'update'>,
  kind: K,
  key: KeyOf<K>,
  mutate: (draft: CreateOf<K>) => void | Promise<void>,
  options: WriteOptions = {},
): Promise<CreateOrUpdateResult<K>> {
  return bring(client, kind, key, mutate, options, (_, value) => client.update(kind, value, options))
}

/**
 * Like {@link createOrUpdate}, but sends a merge patch with what differs: it does not conflict with changes that
 * other clients make meanwhile to other fields. Lists are sent as a whole.
 */
export async function createOrPatch<K extends AnyKind>(
  client: Pick<Reader & Writer, 'get' | 'create' | 'patch'>,
  kind: K,
  key: KeyOf<K>,
  mutate: (draft: CreateOf<K>) => void | Promise<void>,
  options: WriteOptions = {},
): Promise<CreateOrUpdateResult<K>> {
  return bring(client, kind, key, mutate, options, (existing, value) =>
    client.patch(kind, key, mergeFrom(existing, value), options),
  )
}

async function bring<K extends AnyKind>(
  client: Pick<Reader & Writer, 'get' | 'create'>,
  kind: K,
  key: KeyOf<K>,
  mutate: (draft: CreateOf<K>) => void | Promise<void>,
  options: WriteOptions,
  send: (existing: ObjectOf<K>, value: MutableOf<K>) => Promise<ObjectOf<K>>,
): Promise<CreateOrUpdateResult<K>> {
  checkOptionNames(options, OPTIONS)
  const existing = await client.get(kind, key, { signal: options.signal })
  const before = (existing ?? emptyObject(kind, key)) as ObjectOf<K>
  const { draft, origins } = copyToDraft(before)
  await mutate(draft)
  checkName(kind, key, draft)
  moveStringData(kind, draft)
  const laid = overlay(before, draft, { origins, mapAt: (path) => chosenKeysAt(kind, path) })
  const { value, changes } = laid as typeof laid & { value: MutableOf<K> & CreateOf<K> }
  checkStatus(kind, key, changes)
  if (!existing) {
    return { result: 'created', object: await client.create(kind, value, options), changes }
  }
  if (changes.length === 0) return { result: 'unchanged', object: existing, changes }
  const object = await send(existing, value)
  if (!options.dryRun) reportWritten(client, kind, key, existing, laid, options.fieldManager)
  return { result: 'updated', object, changes }
}

/** Reports to the client's listener which fields were set, and which other manager had set them to other values. */
function reportWritten(
  client: object,
  kind: AnyKind,
  key: ObjectKey,
  before: KubernetesObject,
  { changes, paths, wanted }: Overlay,
  fieldManager: string | undefined,
): void {
  const listener = writeListenerOf(client)
  if (!listener?.onFieldsWritten) return
  const manager = fieldManager ?? listener.fieldManager ?? ''
  const fields = paths.map((path, index) => ({
    path: changes[index]!,
    value: wanted[index],
    owner: ownerOf(before, path, manager),
  }))
  listener.onFieldsWritten({ kind, key, before, manager, fields })
}

interface Draft {
  metadata?: { name?: string | undefined; namespace?: string | undefined } | undefined
  data?: Record<string, string> | undefined
  stringData?: Record<string, string> | undefined
}

function emptyObject(kind: AnyKind, key: ObjectKey): object {
  const { name, namespace } = key
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: namespace ? { name, namespace } : { name },
  }
}

function checkName(kind: AnyKind, key: ObjectKey, { metadata }: Draft): void {
  if (metadata?.name === key.name && (metadata.namespace || undefined) === (key.namespace || undefined))
    return
  throw new HomeostatError(
    'DRAFT_RENAMED',
    `mutate changed the name or the namespace of ${kind.kind} ${formatKey(key)}: they are given by the key. Keep draft.metadata, and set its fields`,
  )
}

function checkStatus(kind: AnyKind, key: ObjectKey, changes: readonly string[]): void {
  const changed = changes.find((path) => path === 'status' || path.startsWith('status.'))
  if (!kind.subresources.status || changed === undefined) return
  throw new HomeostatError(
    'DRAFT_STATUS',
    `mutate set ${changed} of ${kind.kind} ${formatKey(key)}, which an update does not write: use client.status`,
  )
}

/**
 * A server turns a Secret's `stringData` into `data` and never returns it, so the comparison uses the resulting
 * `data`.
 */
function moveStringData(kind: AnyKind, draft: Draft): void {
  if (kind.kind !== 'Secret' || kind.group !== '' || !draft.stringData) return
  draft.data ??= {}
  for (const [name, text] of Object.entries(draft.stringData)) draft.data[name] = base64(text)
  delete draft.stringData
}

function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}
