import { apiVersionOf, SystemClock } from '@homeostat/api'
import {
  connect,
  createClient,
  operatorManager,
  readBody,
  type Client,
  type ClusterConfig,
  type Operator,
  type PolicyRule,
  type Transport,
} from 'homeostat'
import { SelfSubjectAccessReview } from 'homeostat/kinds'
import type { Finding } from './finding.ts'

/** How long the server may take to answer, in milliseconds. */
const ANSWER_TIMEOUT = 5_000
/** How many missing rights are named. */
const NAMED = 5

/** Checks a cluster: its server and, for an operator, whether its kinds are served and this user has its rights. */
export async function* clusterFindings(
  config: ClusterConfig,
  operator: Operator | undefined,
): AsyncGenerator<Finding, void, undefined> {
  const clock = new SystemClock()
  const transport = connect(config, { clock })
  try {
    const server = await serverFinding(transport, clock)
    yield server
    if (!server.ok || !operator) return
    const client = createClient({ transport, clock })
    yield await guarded('kinds', () => kindFinding(client, operator))
    yield await guarded('rights', () => rightFinding(client, operator))
  } finally {
    await transport.close()
  }
}

async function serverFinding(transport: Transport, clock: SystemClock): Promise<Finding> {
  const abort = new AbortController()
  using _ = clock.schedule(ANSWER_TIMEOUT, () => abort.abort(new Error('no answer came within 5 seconds')))
  try {
    const { signal } = abort
    const request = {
      method: 'GET',
      path: '/version',
      query: new URLSearchParams(),
      headers: {},
      signal,
    } as const
    const answer = await transport.send(request)
    const text = new TextDecoder().decode(await readBody(answer, { signal }))
    if (answer.status !== 200) throw new Error(`HTTP ${answer.status}: ${text.slice(0, 200)}`)
    const { gitVersion } = JSON.parse(text) as { gitVersion?: string }
    return { what: 'API server', ok: true, detail: gitVersion ?? 'of an unknown version' }
  } catch (error) {
    return {
      what: 'API server',
      ok: false,
      detail: messageOf(error),
      remedy: 'check that the cluster runs, and that the kubeconfig names its address and your credentials',
    }
  }
}

async function kindFinding(client: Client, { kinds }: Operator): Promise<Finding> {
  const names: string[] = []
  for (const kind of kinds) {
    if (!(await client.kinds.find(apiVersionOf(kind), kind.kind)))
      names.push(`${kind.kind} (${apiVersionOf(kind)})`)
  }
  if (names.length === 0)
    return { what: 'kinds', ok: true, detail: `${kinds.length} of ${kinds.length} are served` }
  return {
    what: 'kinds',
    ok: false,
    detail: `the server does not know ${names.join(', ')}`,
    remedy: 'run homeostat manifests, then kubectl apply -f manifests/crd.yaml',
  }
}

/** Checks whether this user has the rights that the operator declares. `homeostat run` runs the operator as this user. */
async function rightFinding(client: Client, operator: Operator): Promise<Finding> {
  const wanted = operatorManager(operator, { serveWebhooks: () => {} })
    .rules('controllers')
    .flatMap(rightsOf)
  const allowed = await Promise.all(wanted.map((right) => isAllowed(client, right)))
  const missing = wanted.filter((_, index) => !allowed[index]).map(describe)
  if (missing.length === 0)
    return { what: 'rights', ok: true, detail: `all ${wanted.length} that the operator declares` }
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : ''
  return {
    what: 'rights',
    ok: false,
    detail: `this user may not ${missing.slice(0, NAMED).join(', ')}${more}`,
    remedy: 'run as a user with the ClusterRole in manifests/access.yaml, or ask an administrator to bind it',
  }
}

/** One verb on one resource. */
interface Right {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource?: string | undefined
  readonly name?: string | undefined
}

function rightsOf({ apiGroups, resources, resourceNames = [''], verbs }: PolicyRule): Right[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((path) => {
      const [resource = '', subresource] = path.split('/')
      return verbs.flatMap((verb) =>
        resourceNames.map((name) => ({ verb, group, resource, subresource, name: name || undefined })),
      )
    }),
  )
}

async function isAllowed(client: Client, right: Right): Promise<boolean> {
  const { status } = await client.create(SelfSubjectAccessReview, {
    // A review needs no name, since the server does not store it.
    metadata: {},
    spec: { resourceAttributes: { ...right } },
  })
  return status?.allowed ?? false
}

function describe({ verb, group, resource, subresource }: Right): string {
  return `${verb} ${[resource, subresource].filter(Boolean).join('/')}${group ? `.${group}` : ''}`
}

async function guarded(what: string, find: () => Promise<Finding>): Promise<Finding> {
  try {
    return await find()
  } catch (error) {
    return { what, ok: false, detail: messageOf(error) }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
