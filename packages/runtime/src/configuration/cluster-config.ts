import type { ExecConfig } from './exec-config.ts'

/** How to reach one API server as one user: what a kubeconfig's context, or the files of a Pod, say. */
export interface ClusterConfig {
  /** `https://host:port`, with a path where the API stands below one. */
  readonly server: string
  readonly tls: {
    /** Whom to trust, as PEM; what the machine trusts where it is left out. */
    readonly ca?: string | undefined
    /** The client's certificate and key, as PEM. */
    readonly cert?: string | undefined
    readonly key?: string | undefined
    /** The name that the server's certificate must carry, where it is not the address's. */
    readonly serverName?: string | undefined
    /** Trusts any server: it makes a stolen token possible. Default: false. */
    readonly insecureSkipVerify?: boolean | undefined
  }
  readonly token?: string | undefined
  /** A file with the token, read again as it is renewed. It wins over `token`. */
  readonly tokenFile?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** A program that gives a token or a client certificate. What stands above wins over it. */
  readonly exec?: ExecConfig | undefined
  /**
   * An HTTP proxy to go through, `http://host:port` or `https://…`, with `user:password@` where it asks for
   * one. `loadConfig` takes it from the kubeconfig or the environment.
   */
  readonly proxy?: string | undefined
  /** The user to impersonate, if the user of this configuration may. */
  readonly impersonate?:
    | {
        readonly user: string
        readonly uid?: string | undefined
        readonly groups?: readonly string[] | undefined
        readonly extra?: Readonly<Record<string, readonly string[]>> | undefined
      }
    | undefined
  /** The namespace of the context: what `kubectl` uses without `-n`. */
  readonly namespace: string
  /** Where this came from, for messages: `context "kind" of /home/me/.kube/config`. */
  readonly source: string
}
