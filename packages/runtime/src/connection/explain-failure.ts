import { TransportError, type TransportErrorCode } from '../transport/index.ts'

interface Explanation {
  readonly code: TransportErrorCode
  /** The end of a sentence that begins with the server's name. */
  readonly what: string
  readonly remedy: string
}

const UNTRUSTED: Explanation = {
  code: 'TLS_UNTRUSTED',
  what: 'presents a certificate that no trusted authority has signed',
  remedy:
    "Give the cluster's own CA (certificate-authority or certificate-authority-data in the kubeconfig); after a cluster was recreated, fetch its kubeconfig again",
}
const LOST: Explanation = {
  code: 'TRANSPORT_CONNECTION_LOST',
  what: 'closed the connection before the answer was complete',
  remedy: 'Try again; if this repeats, check the logs of the API server and of the proxies in between',
}
const UNREACHABLE: Explanation = {
  code: 'TRANSPORT_UNREACHABLE',
  what: 'cannot be reached',
  remedy: 'Check the network, a VPN and firewalls between here and the cluster',
}
const CLIENT_REFUSED: Explanation = {
  code: 'TLS_CLIENT_REFUSED',
  what: 'refused the client certificate',
  remedy:
    'Check that client-certificate and client-key in the kubeconfig belong to this cluster and have not expired',
}
const NOT_TLS: Explanation = {
  code: 'TRANSPORT_PROTOCOL',
  what: 'does not use TLS',
  remedy: 'Use http:// in the address if the server has no TLS, or correct the port',
}

/** The meanings of the error codes of sockets and TLS. */
const EXPLANATIONS: ReadonlyMap<string, Explanation> = new Map(
  Object.entries<Explanation>({
    ECONNREFUSED: {
      code: 'TRANSPORT_REFUSED',
      what: 'refused the connection: nothing listens there',
      remedy: 'Start the API server, or correct the address in the kubeconfig',
    },
    ENOTFOUND: {
      code: 'TRANSPORT_HOST_UNKNOWN',
      what: 'has a host name that does not resolve',
      remedy: 'Correct the address in the kubeconfig, or check DNS',
    },
    EAI_AGAIN: {
      code: 'TRANSPORT_HOST_UNKNOWN',
      what: 'has a host name that cannot be resolved now',
      remedy: 'Check DNS and the network',
    },
    ENETUNREACH: UNREACHABLE,
    EHOSTUNREACH: UNREACHABLE,
    EADDRNOTAVAIL: UNREACHABLE,
    ETIMEDOUT: {
      code: 'TRANSPORT_TIMEOUT',
      what: 'did not answer in time',
      remedy: 'Check the network and the address in the kubeconfig',
    },
    ECONNRESET: LOST,
    EPIPE: LOST,
    ECONNABORTED: LOST,
    ERR_STREAM_PREMATURE_CLOSE: LOST,
    SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
    DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
    UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
    CERT_SIGNATURE_FAILURE: UNTRUSTED,
    CERT_UNTRUSTED: UNTRUSTED,
    INVALID_CA: UNTRUSTED,
    CERT_HAS_EXPIRED: {
      code: 'TLS_EXPIRED',
      what: 'presents a certificate that has expired',
      remedy: "Renew the server's certificate (kubeadm certs renew), or check this machine's clock",
    },
    CERT_NOT_YET_VALID: {
      code: 'TLS_NOT_YET_VALID',
      what: 'presents a certificate that is not valid yet',
      remedy: "Check this machine's clock",
    },
    ERR_TLS_CERT_ALTNAME_INVALID: {
      code: 'TLS_NAME_MISMATCH',
      what: 'presents a certificate for another name',
      remedy:
        'Use an address that the certificate names, or set tls-server-name in the kubeconfig to a name that it contains',
    },
    ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: CLIENT_REFUSED,
    ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: CLIENT_REFUSED,
    ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: CLIENT_REFUSED,
    ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: CLIENT_REFUSED,
    EPROTO: NOT_TLS,
    ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
    ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
    HPE_INVALID_CONSTANT: {
      code: 'TRANSPORT_PROTOCOL',
      what: 'does not answer in HTTP',
      remedy: 'Correct the port, or use https:// in the address',
    },
  }),
)

/**
 * A `TransportError` that names the server, or the proxy on the way to it, says what failed and what to do,
 * with the socket's error as cause.
 */
export function explainFailure(server: string, cause: unknown, proxy?: string): TransportError {
  if (cause instanceof TransportError) return cause
  const failure = firstFailure(cause)
  const explanation = EXPLANATIONS.get(failure.code ?? '') ?? {
    code: 'TRANSPORT_CONNECTION_LOST',
    what: `failed: ${failure.message}`,
    remedy: 'Check the network and the address in the kubeconfig',
  }
  const detail = explanation.code === 'TLS_NAME_MISMATCH' && failure.reason ? ` (${failure.reason})` : ''
  return new TransportError(
    explanation.code,
    `${proxy === undefined ? 'the server' : `the proxy ${proxy} on the way to`} ${server} ${explanation.what}${detail}. ${explanation.remedy}.`,
    { cause },
  )
}

/** The error of a connection that ended before the answer was complete, as a socket reports it. */
export function cutOff(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
}

interface Failure {
  readonly code?: string
  readonly message: string
  readonly reason?: string
}

/** A host with several addresses fails with one error for each address. The first one is enough for a message. */
function firstFailure(cause: unknown): Failure {
  const first: unknown = cause instanceof AggregateError && cause.errors.length > 0 ? cause.errors[0] : cause
  return first instanceof Error ? first : { message: String(first) }
}
