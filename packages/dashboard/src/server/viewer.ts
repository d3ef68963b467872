import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Client } from 'homeostat'
import type { ReadableRecording } from '../recording/index.ts'

/** Why a request is refused. */
export interface Refusal {
  readonly status: 401 | 403 | 500
  readonly message: string
  /** The same as data, for a page that says it in the language of its user. */
  readonly reason?: RefusalReason | undefined
}

/** Why a user may not see the page. */
export type RefusalReason =
  | { readonly type: 'unknown-token' }
  | { readonly type: 'not-allowed'; readonly user: string }
  | { readonly type: 'no-answer' }

/** A user in front of the page. */
export interface Viewer {
  /** Their name at the API server. Default: the user who started the program. */
  readonly name?: string | undefined
  /** Whether they may change objects here, as far as the API server allows it to them. */
  readonly canWrite: boolean
  /** The part of the recording that they may read. Default: all of it. */
  readonly readable?: ReadableRecording | undefined
  /** Aborts when they sign out, in whatever tab of the browser. Default: they stay signed in. */
  readonly signedOut?: AbortSignal | undefined
  /** Whether they may still use the page: a stream lasts longer than a token. */
  isAllowed(): Promise<boolean>
  /** Calls the API server as this user. */
  withClient<T>(use: (client: Client) => Promise<T>): Promise<T>
}

/** Identifies the user of the page. */
export interface Access {
  /** Whether files of the page, which hold nothing of the operator, are served to every browser: a form to sign in is one of them. */
  readonly hasPublicFiles: boolean
  /** Refuses requests of other sites. It is called before anything else. */
  refuseForeign(request: IncomingMessage): Refusal | undefined
  /** Answers a request that lets a browser in. Resolves with whether it did. */
  enter(request: IncomingMessage, url: URL, response: ServerResponse): Promise<boolean>
  /** The user who sends a request. */
  viewerOf(request: IncomingMessage): Promise<Viewer | Refusal>
}

export function isRefusal(answer: Viewer | Refusal): answer is Refusal {
  return 'status' in answer
}
