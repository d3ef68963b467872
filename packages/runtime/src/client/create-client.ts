import { checkOptionNames, optionNames } from '@homeostat/api'
import type { Client, ServerFields } from './interface/client.ts'
import { ObjectClient, type ClientCaller, type ClientServer } from './object-client.ts'

/** Which server a client talks to, and for which caller. */
export interface ClientOptions extends ClientServer, ClientCaller {}

const CLIENT_OPTIONS = optionNames<ClientOptions>('createClient', {
  transport: true,
  throttle: true,
  maxAnswerBytes: true,
  cache: true,
  clock: true,
  fieldManager: true,
  reconcile: true,
  waiting: true,
  logger: true,
  signal: true,
  dryRun: true,
  fieldValidation: true,
  force: true,
  beforeWrite: true,
  afterWrite: true,
  onFieldsWritten: true,
  onWrite: true,
  onRead: true,
})

/**
 * A client for one server as one user and one field manager. It is cheap: create one for each controller, or for each
 * reconcile. The objects that it returns are frozen.
 */
export function createClient(options: ClientOptions): Client<ServerFields> {
  checkOptionNames(options, CLIENT_OPTIONS)
  return new ObjectClient(options, options)
}

/**
 * Like {@link createClient}, for a server that several clients share. The client keeps `caller` and reads its
 * properties when it needs them.
 */
export function clientOf(
  server: ClientServer & { readonly cache?: undefined },
  caller: ClientCaller,
): Client<ServerFields>
export function clientOf(server: ClientServer, caller: ClientCaller): Client
export function clientOf(server: ClientServer, caller: ClientCaller): Client {
  return new ObjectClient(server, caller)
}
