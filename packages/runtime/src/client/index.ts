/**
 * Reads and writes objects. A failure is an {@link ApiError} that carries the server's Status. Objects that the client
 * returns are frozen. The client does not send an apply that would change nothing.
 */
export type { CacheWait, ClientCache } from './client-cache.ts'
export type {
  ApplyOptions,
  CacheFields,
  Client,
  DeleteOptions,
  FieldValues,
  IndexOf,
  KindFinder,
  ListedField,
  ListOptions,
  PagesOptions,
  Patch,
  PatchBody,
  PatchType,
  Reader,
  RequestOptions,
  Scale,
  ScaleClient,
  ServedKind,
  ServerFields,
  StatusWriter,
  SubresourceAnswer,
  SubresourceClient,
  WriteOptions,
  Writer,
} from './interface/client.ts'
export { clientOf, createClient, type ClientOptions } from './create-client.ts'
export { interceptClient, type ClientCall, type Interceptor } from './wrapped/intercept-client.ts'
export { mergeFrom, type MergeFromOptions } from './merge-from.ts'
export { namespacedClient } from './wrapped/namespaced-client.ts'
export type { ClientCaller } from './object-client.ts'
export { retryOnConflict, type RetryOnConflictOptions } from './retry-on-conflict.ts'
