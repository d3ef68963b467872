import {
  admission,
  allowed,
  authenticated,
  authentication,
  conversion,
  defineKind,
  denied,
  duplicate,
  forbidden,
  invalid,
  notFound,
  notSupported,
  rawAdmission,
  required,
  schema as s,
  tooLong,
  tooMany,
  unauthenticated,
  type FieldError,
  type ObjectOf,
  type Webhook,
} from 'homeostat'

const names = { group: 'corpus.example.com', kind: 'Ticket' } as const
const shared = {
  title: s.string().optional(),
  replicas: s.integer().optional(),
  mode: s.string().optional(),
  tags: s.list(s.string()).optional(),
}
const Ticket = defineKind({
  ...names,
  version: 'v2',
  spec: s.object({
    ...shared,
    host: s.string().optional(),
    port: s.integer().optional(),
    limits: s.map(s.string()).optional(),
    assignee: s.object({ name: s.string().optional(), email: s.string().optional() }).optional(),
  }),
})
const TicketV1 = defineKind({
  ...names,
  version: 'v1',
  spec: s.object({ ...shared, address: s.string().optional() }),
})
const TicketV3 = defineKind({
  ...names,
  version: 'v3',
  spec: s.object({
    ...shared,
    address: s.object({ host: s.string().optional(), port: s.integer().optional() }).optional(),
  }),
})
type Spec = ObjectOf<typeof Ticket>['spec']

/** The logic of `go/logic.go`, in TypeScript. A panic there is an error thrown here. */
const tickets = admission(Ticket)
  .defaults(
    ({ spec, metadata }, { request }) => {
      if (spec.title === 'panic') throw new TypeError('the title is panic')
      if (spec.title === 'locked') throw new Error('tickets are locked')
      const tags = spec.tags ?? []
      const { none, ...limits } = spec.limits ?? {}
      return {
        metadata: { labels: { ...metadata.labels, user: request.userInfo.username } },
        spec: {
          replicas: spec.replicas ?? 3,
          mode: spec.mode || 'fast',
          ...(tags.length > 0 && tags.at(-1) !== 'checked' ? { tags: [...tags, 'checked'] } : {}),
          ...(none === undefined ? {} : { limits: Object.keys(limits).length > 0 ? { none: null } : null }),
        },
      }
    },
    { path: '/mutate' },
  )
  .validates(
    {
      create: ({ spec }, { warn }) => check(spec, undefined, warn),
      update: ({ spec }, old, { warn }) => check(spec, old.spec, warn),
      delete: ({ metadata }, { warn }) => {
        if (metadata.annotations?.['protected'] !== 'true') return []
        warn('remove the annotation first')
        throw new Error('the ticket is protected')
      },
    },
    { path: '/validate' },
  )

type Path = `spec.${string}`

function check(spec: Spec, old: Spec | undefined, warn: (message: string) => void): FieldError<any>[] {
  const problems: FieldError<Path>[] = []
  const { title = '', mode = '', tags = [], assignee } = spec
  if (title === 'panic') throw new TypeError('the title is panic')
  if (title === '') problems.push(required('spec.title', 'a ticket needs a title'))
  if (new TextEncoder().encode(title).length > 20) problems.push(tooLong('spec.title', 20))
  if ((spec.replicas ?? 0) > 10) problems.push(invalid('spec.replicas', 'must be at most 10'))
  if (!['', 'fast', 'slow'].includes(mode)) problems.push(notSupported('spec.mode', ['fast', 'slow']))
  for (const [index, tag] of tags.entries()) {
    if (tags.indexOf(tag) < index) problems.push(duplicate(`spec.tags[${index}]`))
  }
  if (tags.length > 4) problems.push(tooMany('spec.tags', 4))
  if (spec.limits?.['cpu'] !== undefined && !spec.limits['cpu'].endsWith('m'))
    problems.push(invalid('spec.limits[cpu]', 'must end with m'))
  if (assignee && (assignee.email ?? '') === '') problems.push(invalid('spec.assignee', 'needs an email'))
  if (assignee?.name === 'ghost') problems.push(notFound('spec.assignee.name'))
  if (old && (old.host ?? '') !== (spec.host ?? ''))
    problems.push(forbidden('spec.host', 'cannot be changed'))
  if (mode === 'slow') warn('spec.mode: slow is deprecated')
  return problems
}

const policy = rawAdmission('policy.corpus.example.com', {
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: ['*'],
  operations: ['*'],
}).validates(
  ({ userInfo, dryRun }, { warn }) => {
    if (userInfo.username.endsWith(':guest')) {
      warn('ask for an account')
      return denied('guests may not write')
    }
    if (dryRun) return allowed('a dry run')
    if (userInfo.username === 'panic') throw new TypeError('the user is panic')
    return allowed()
  },
  { path: '/policy' },
)

const versions = conversion(Ticket)
  .version(TicketV1)
  .converts({
    toStored: ({ spec: { address = '', ...spec } }) => ({ spec: { ...spec, ...splitAddress(address) } }),
    fromStored: ({ spec: { title, replicas, mode, tags, host = '', port } }) => {
      if (title === 'panic') throw new TypeError('the title is panic')
      const address = port === undefined ? host : `${host}:${port}`
      return { spec: { title, replicas, mode, tags, ...(address === '' ? {} : { address }) } }
    },
  })
  .version(TicketV3)
  .converts({
    toStored: ({ spec: { address, ...spec } }) => ({ spec: { ...spec, ...address } }),
    fromStored: ({ spec: { title, replicas, mode, tags, host, port } }) => ({
      spec: {
        title,
        replicas,
        mode,
        tags,
        ...(host === undefined && port === undefined ? {} : { address: { host, port } }),
      },
    }),
  })

function splitAddress(address: string): { host?: string; port?: number } {
  if (address === '') return {}
  const [host = '', ...rest] = address.split(':')
  if (rest.length === 0) return { host }
  const port = rest.join(':')
  if (!/^[+-]?\d+$/.test(port))
    throw new Error(`spec.address: ${JSON.stringify(address)} is no host with a port`)
  return { ...(host === '' ? {} : { host }), port: Number(port) }
}

const tokens = authentication(({ token, audiences }) => {
  if (!token.startsWith('token-of-')) return unauthenticated('the token is unknown')
  const username = token.slice('token-of-'.length)
  const user = { username, uid: `u-${username}`, groups: ['people'], extra: { team: ['a', 'b'] } }
  return authenticated(user, audiences)
})

/** The webhooks that both programs have. */
export const webhooks: readonly Webhook[] = [tickets, policy, versions, tokens]
