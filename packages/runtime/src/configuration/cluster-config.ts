import type { ExecConfig } from './exec-config.ts'

/** How to reach one API server as one user, from a context of a kubeconfig or from the files of a Pod. */
export interface ClusterConfig {
  /** `https://host:port`, with a path if the API is served below one. */
  readonly server: string
  readonly tls: {
    /** The certificate authorities to trust, as PEM. Default: those that the machine trusts. */
    readonly ca?: string | undefined
    /** The client's certificate and key, as PEM. */
    readonly cert?: string | undefined
    readonly key?: string | undefined
    /** The name that the server's certificate must contain, if it is not the host of the address. */
    readonly serverName?: string | undefined
    /** Trusts any server certificate, so that an attacker on the network can steal the token. Default: false. */
    readonly insecureSkipVerify?: boolean | undefined
  }
  readonly token?: string | undefined
  /** A file with the token, read again when it is renewed. It takes precedence over `token`. */
  readonly tokenFile?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** A program that prints a token or a client certificate. The credentials above take precedence over it. */
  readonly exec?: ExecConfig | undefined
  /**
   * An HTTP proxy to connect through, `http://host:port` or `https://…`, with `user:password@` if it requires them.
   * `loadConfig` takes it from the kubeconfig or the environment.
   */
  readonly proxy?: string | undefined
  /** The user to impersonate. The server checks whether the user of this configuration may do so. */
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
