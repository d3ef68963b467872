import { ANONYMOUS } from '../anonymous.ts'
import { scenario, topic } from '../scenario.ts'
import { get, remove, send } from '../steps.ts'

const anonymous = { headers: { authorization: ANONYMOUS } }
const jane = { headers: { 'impersonate-user': 'jane' } }
const roots = ['livez', 'readyz', 'healthz']

/** The health of the server, in all and by its checks. */
export const health = topic('health', [
  ...roots.map((root) =>
    scenario('D health', `names the checks of /${root}`, get(`/${root}`), get(`/${root}?verbose`)),
  ),
  ...roots.map((root) =>
    scenario(
      'D health',
      `leaves out checks of /${root}`,
      get(`/${root}?verbose&exclude=etcd`),
      get(`/${root}?verbose&exclude=etcd&exclude=ping&exclude=etcd`),
      get(`/${root}?exclude=etcd`),
      get(`/${root}?verbose=false&exclude=poststarthook/rbac/bootstrap-roles`),
    ),
  ),
  scenario(
    'D health',
    'names checks that cannot be left out',
    get('/livez?verbose&exclude=none'),
    get('/livez?verbose&exclude=none&exclude=b&exclude=etcd&exclude=none'),
    get('/livez?verbose&exclude=etcd,ping'),
    get('/readyz?verbose&exclude='),
    get('/healthz?verbose&exclude=%22%C3%A9%0A'),
    get('/livez?exclude=none'),
    get('/livez?verbose&exclude=shutdown'),
  ),
  scenario(
    'D health',
    'of a single check',
    get('/livez/ping'),
    get('/readyz/etcd'),
    get('/readyz/etcd-readiness'),
    get('/readyz/shutdown'),
    get('/healthz/poststarthook/rbac/bootstrap-roles'),
    get('/livez/autoregister-completion'),
    get('/livez/ping?verbose&exclude=ping'),
  ),
  scenario(
    'D health',
    'of a check that there is not',
    get('/livez/none'),
    get('/livez/shutdown'),
    get('/readyz/loopback-serving-certificate'),
    get('/livez/poststarthook'),
    get('/livez/'),
    get('/livez/ping/'),
    get('/livezz'),
    get('/readyz/ping/none'),
  ),
  scenario(
    'D health',
    'is told to every method',
    send('POST', '/livez', ''),
    send('PUT', '/readyz/ping', ''),
    remove('/healthz'),
    send('PATCH', '/livez?verbose', '{}', { headers: { 'content-type': 'application/merge-patch+json' } }),
  ),
  scenario(
    'D health',
    'is told to everyone, single checks only to who may',
    get('/livez', anonymous),
    get('/readyz?verbose', anonymous),
    get('/healthz', anonymous),
    get('/livez/ping', anonymous),
    send('POST', '/livez', '', anonymous),
    get('/livez/ping', jane),
    get('/readyz/etcd', jane),
    get('/readyz', jane),
  ),
  scenario(
    'D health',
    'has one form',
    get('/livez', { headers: { accept: 'application/vnd.kubernetes.protobuf' } }),
    get('/livez', { headers: { accept: 'application/yaml' } }),
    get('/readyz/none', { headers: { accept: 'application/yaml' } }),
    get('/livez?pretty=true'),
  ),
])
