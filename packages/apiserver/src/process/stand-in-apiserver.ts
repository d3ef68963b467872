import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_RELEASE, releaseOf, RELEASES, VERSION, versionOf } from '../version/index.ts'
import { readText } from './flags/files.ts'
import { AUDIT_FLAGS, auditOptions, FLOW_FLAGS, maxRequestsInFlight } from './operation-flags.ts'
import { AUTHENTICATION_FLAGS, authenticationOptions } from './authentication/authentication-flags.ts'
import { FRONT_PROXY_FLAGS, frontProxyOptions } from './authentication/front-proxy-flags.ts'
import { AUTHORIZATION_FLAGS, authorizationOptions } from './authorization/authorization-flags.ts'
import { flagsHelp, portOf } from './flags/flags.ts'
import { exitCodeOf } from './exit-code.ts'
import { standInFlags } from './stand-in-flags.ts'
import { readTokenFile } from './authentication/token-file.ts'
import { readKey } from './authentication/token-key.ts'
import { complain, say } from './flags/say.ts'

const NAME = 'kube-apiserver'

/** The flags of kube-apiserver that have an effect. */
const WITH_EFFECT = {
  ...AUDIT_FLAGS,
  ...FLOW_FLAGS,
  ...AUTHENTICATION_FLAGS,
  ...AUTHORIZATION_FLAGS,
  ...FRONT_PROXY_FLAGS,
  'bind-address': { value: 'ADDRESS', help: 'the address to listen on' },
  'cert-dir': { value: 'FOLDER', help: 'where apiserver.crt and apiserver.key are' },
  'client-ca-file': { value: 'FILE', help: 'authorities that sign client certificates' },
  'api-audiences': {
    value: 'NAMES',
    help: 'the audiences of this server, for tokens of ServiceAccounts (default: the issuer)',
  },
  'advertise-address': { value: 'ADDRESS', help: 'the address behind the Service kubernetes' },
  'disable-admission-plugins': {
    value: 'NAMES',
    help: 'LimitRanger, PersistentVolumeClaimResize, PodSecurity, Priority, ResourceQuota, RuntimeClass, ServiceAccount, StorageObjectInUseProtection, TaintNodesByCondition',
  },
  'enable-admission-plugins': {
    value: 'NAMES',
    help: 'only OwnerReferencesPermissionEnforcement has an effect: all other plugins of this server are on by default',
  },
  'event-ttl': {
    value: 'DURATION',
    help: 'how long Events are kept after their last write (default 1h; 0 keeps them)',
  },
  'feature-gates': {
    value: 'GATES',
    help: 'APIResponseCompression, StorageVersionHash and WatchList can be off; a warning names each other value that is not the default',
  },
  'kubernetes-version': {
    value: 'VERSION',
    help: `the release of Kubernetes whose API is served: ${Object.keys(RELEASES).join(', ')} (default ${DEFAULT_RELEASE})`,
  },
  'runtime-config': {
    value: 'VERSIONS',
    help: 'which versions are served: group/version=false, group/version/resource=false, api/all=false; there are no alpha and beta versions',
  },
  'secure-port': { value: 'PORT', help: 'where to listen' },
  'service-cluster-ip-range': { value: 'NETWORK', help: 'the range of the addresses of Services' },
  'service-account-extend-token-expiration': {
    value: 'BOOL',
    help: 'whether tokens of Pods stay valid for a year (default true)',
  },
  'service-account-max-token-expiration': {
    value: 'DURATION',
    help: 'the longest lifetime of a token of a ServiceAccount, from 1h to 2^32 seconds',
  },
  'service-account-issuer': { value: 'URL', help: 'the issuer of the tokens of ServiceAccounts' },
  'service-account-key-file': { value: 'FILE', help: 'the keys that verify tokens of ServiceAccounts' },
  'service-account-signing-key-file': { value: 'FILE', help: 'the key that signs tokens of ServiceAccounts' },
  'tls-cert-file': { value: 'FILE', help: 'the certificate of the port' },
  'tls-private-key-file': { value: 'FILE', help: 'its key' },
  'token-auth-file': { value: 'FILE', help: 'users with their tokens' },
}

/** Flags of envtest that are accepted without a warning, and why they have no effect. */
const WITHOUT_EFFECT = {
  'allow-privileged': { value: 'BOOL', help: 'no effect: privileged containers are always allowed' },
  'endpoint-reconciler-type': { value: 'TYPE', help: 'no effect: this is the only server of the cluster' },
  'etcd-servers': { value: 'URLS', help: 'no effect: objects are kept in the memory of this process' },
  v: { value: 'LEVEL', help: 'no effect: requests are not logged' },
}

const HELP = `Stands in for kube-apiserver ${VERSION.gitVersion}, or another release: the Kubernetes API of Homeostat, with objects in memory.

Flags that have an effect:
${flagsHelp(WITH_EFFECT)}

Flags that are accepted and have no effect:
${flagsHelp(WITHOUT_EFFECT)}

All others are accepted and have no effect; a line on standard error names each.
`

/** The stand-in for kube-apiserver, for envtest. */
export function run(args: readonly string[]): Promise<number> {
  return exitCodeOf(NAME, async () => {
    const flags = standInFlags(args)
    if (flags.has('help') || flags.has('h')) process.stdout.write(HELP)
    else if (flags.has('version'))
      say(`Kubernetes ${versionOf(releaseOf(flags.get('kubernetes-version') ?? DEFAULT_RELEASE)).gitVersion}`)
    else await serve(flags)
  })
}

async function serve(flags: ReadonlyMap<string, string>): Promise<void> {
  for (const name of flags.keys()) {
    if (Object.hasOwn(WITH_EFFECT, name) || Object.hasOwn(WITHOUT_EFFECT, name)) continue
    complain(`${NAME}: --${name} has no effect: this is Homeostat’s stand-in`)
  }
  // Imported late, so that `--help` is fast.
  const { standInValues } = await import('./stand-in-values.ts')
  const { nativeTypesOf } = await import('../schema/native-types.ts')
  const kubernetesVersion = flags.get('kubernetes-version')
  const values = standInValues(flags, await nativeTypesOf(releaseOf(kubernetesVersion ?? DEFAULT_RELEASE)))
  for (const warning of values.warnings) complain(`${NAME}: ${warning}`)
  const file = (option: string): string | undefined => {
    const path = flags.get(option)
    return path === undefined ? undefined : readText(option, path)
  }
  const tokens = file('token-auth-file')
  const signing = flags.get('service-account-signing-key-file')
  const verifying = flags.get('service-account-key-file')
  const { serveUntilSignal } = await import('./serve-until-signal.ts')
  const warn = (warning: string): void => complain(`${NAME}: ${warning}`)
  await serveUntilSignal({
    server: {
      audit: await auditOptions((flag) => flags.get(flag)),
      maxRequestsInFlight: maxRequestsInFlight((flag) => flags.get(flag)),
      ...(await authenticationOptions((flag) => flags.get(flag), warn)),
      ...(await authorizationOptions((flag) => flags.get(flag), warn)),
      kubernetesVersion,
      serviceRange: values.serviceRange,
      eventLifetime: values.eventLifetime,
      advertiseAddress: values.advertiseAddress,
      disabledAdmission: values.disabledAdmission,
      disabledVersions: values.disabledVersions,
      disabledFeatures: values.disabledFeatures,
      enforceOwnerReferences: values.enforceOwnerReferences,
      protectsVolumes: values.protectsVolumes,
      taintsNodes: values.taintsNodes,
      users: tokens === undefined ? undefined : readTokenFile(tokens),
      serviceAccounts: {
        admission: values.serviceAccountAdmission,
        issuer: flags.get('service-account-issuer'),
        audiences: values.apiAudiences,
        maxExpirationSeconds: values.maxTokenExpirationSeconds,
        extendExpiration: values.extendTokenExpiration,
        signingKey: signing ? readKey('service-account-signing-key-file', signing, 'private') : undefined,
        verificationKeys: verifying ? [readKey('service-account-key-file', verifying, 'public')] : undefined,
      },
    },
    port: {
      port: portOf(flags.get('secure-port'), 6443),
      host: flags.get('bind-address'),
      tls: servingCertificate(flags),
      clientAuthorities: file('client-ca-file'),
      frontProxy: frontProxyOptions((flag) => flags.get(flag)),
    },
    ready: ({ url }) => say(`Ready at ${url}`),
  })
}

function servingCertificate(
  flags: ReadonlyMap<string, string>,
): { certificate: string; key: string } | undefined {
  const folder = flags.get('cert-dir')
  const certificate = flags.get('tls-cert-file') ?? (folder && join(folder, 'apiserver.crt'))
  const key = flags.get('tls-private-key-file') ?? (folder && join(folder, 'apiserver.key'))
  if (!certificate || !key) return undefined
  if (!flags.has('tls-cert-file') && !existsSync(certificate)) return undefined
  return { certificate: readText('tls-cert-file', certificate), key: readText('tls-private-key-file', key) }
}
