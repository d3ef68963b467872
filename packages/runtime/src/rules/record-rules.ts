import type { ApiRequest } from '@homeostat/api'
import type { PolicyRule } from '../controller/index.ts'
import { type Transport, wrapTransport } from '../transport/index.ts'
import { RuleSet } from './rule-set.ts'

/** A transport that records which rights its requests needed. */
export interface RecordingTransport extends Transport {
  /** The rules that allow everything that was sent so far. */
  rules(): PolicyRule[]
}

const METHODS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({ POST: 'create', PUT: 'update', PATCH: 'patch' }),
)
const PATH =
  /^\/(?:api|apis\/([^/]+))\/[^/]+(?:\/namespaces\/[^/]+(?=\/))?\/([^/]+)(?:\/([^/]+))?(?:\/(.+))?$/

/**
 * Records the rights that requests need, so that a test can compare them with the declared rights. With too few
 * declared rights the operator fails on a cluster; with too many it has rights that it does not use.
 */
export function recordRules(transport: Transport): RecordingTransport {
  const rules = new RuleSet()
  const wrapped = wrapTransport(transport, (request) => {
    const [, group = '', resource, name, part] = PATH.exec(request.path) ?? []
    if (resource !== undefined) {
      rules.add(group, part === undefined ? resource : `${resource}/${part}`, verbsOf(request, name, part))
    }
    return transport.send(request)
  })
  return { ...wrapped, rules: () => rules.list() }
}

function verbsOf(request: ApiRequest, name: string | undefined, part: string | undefined): string[] {
  if (request.method === 'GET' || request.method === 'HEAD') {
    if (name !== undefined) return ['get']
    return [request.query.get('watch') ? 'watch' : 'list']
  }
  if (request.method === 'DELETE') return [name === undefined ? 'deletecollection' : 'delete']
  const verb = METHODS.get(request.method) ?? 'get'
  const makesOne =
    part === undefined && request.headers['content-type']?.startsWith('application/apply-patch')
  return makesOne ? ['create', verb] : [verb]
}
