import { optionNames } from '@homeostat/api'
import type {
  ApplyOptions,
  DeleteOptions,
  ListOptions,
  PagesOptions,
  RequestOptions,
  WriteOptions,
} from './interface/client.ts'

const REQUEST = { signal: true } as const
const LIST = { ...REQUEST, namespace: true, name: true, labels: true, fields: true } as const
const WRITE = { ...REQUEST, dryRun: true, fieldManager: true, fieldValidation: true } as const
const DELETE = {
  ...REQUEST,
  propagation: true,
  gracePeriodSeconds: true,
  preconditions: true,
  dryRun: true,
} as const
const ONE_OBJECT = { name: 'use client.get for one object, or fields: { "metadata.name": … }' }

/** The options of the methods of a client. */
export const READ_OPTIONS = optionNames<RequestOptions>('a read of the client', REQUEST)
export const LIST_OPTIONS = withoutName(optionNames<ListOptions>('client.list', LIST, ONE_OBJECT))
export const PAGES_OPTIONS = withoutName(
  optionNames<PagesOptions>('client.pages', { ...LIST, limit: true }, ONE_OBJECT),
)
export const WRITE_OPTIONS = optionNames<WriteOptions>('a write of the client', WRITE)
export const APPLY_OPTIONS = optionNames<ApplyOptions>('an apply of the client', { ...WRITE, force: true })
export const DELETE_OPTIONS = optionNames<DeleteOptions>('client.delete', DELETE)
export const DELETE_ALL_OPTIONS = withoutName(
  optionNames<ListOptions & DeleteOptions>(
    'client.deleteAllOf',
    { ...LIST, ...DELETE },
    { name: 'use client.delete for one object, or fields: { "metadata.name": … }' },
  ),
)
export const PRECONDITIONS = optionNames<NonNullable<DeleteOptions['preconditions']>>(
  'the option preconditions of client.delete',
  { uid: true, resourceVersion: true },
)

/** `name` is in the type of a list's options only so that the compiler can refuse it. */
function withoutName<T extends { readonly names: ReadonlySet<string> }>(known: T): T {
  return { ...known, names: new Set([...known.names].filter((name) => name !== 'name')) }
}
