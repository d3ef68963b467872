import { checkOptionNames, optionNames } from '@homeostat/api'
import type { Client } from './client.ts'
import { ObjectClient, type ClientCaller, type ClientServer } from './object-client.ts'

/** Which server is asked, and by whom. */
export interface ClientOptions extends ClientServer, ClientCaller {}

const CLIENT_OPTIONS = optionNames<ClientOptions>('createClient', {
  transport: true,
  throttle: true,
  maxAnswerBytes: true,
  cache: true,
  clock: true,
  fieldManager: true,
  reconcile: true,
  logger: true,
  signal: true,
  dryRun: true,
  fieldValidation: true,
  force: true,
  beforeWrite: true,
  afterWrite: true,
  onFieldsWritten: true,
  onRead: true,
})

/**
 * A client for one server as one user and one field manager. It is cheap: make one for each controller,
 * or for each reconcile. What it hands out is frozen, from a cache or not.
 */
export function createClient(options: ClientOptions): Client {
  checkOptionNames(options, CLIENT_OPTIONS)
  return clientOf(options, options)
}

/** The same, of a server that many have clients of. The caller is kept, and looked at when it is needed. */
export function clientOf(server: ClientServer, caller: ClientCaller): Client {
  return new ObjectClient(server, caller)
}
