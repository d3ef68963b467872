import { configMap, configMaps, pod, pods, secret, secrets } from '../objects.ts'
import { scenario, topic } from '../scenario.ts'
import { create, get, send } from '../steps.ts'

const gzip = { headers: { 'accept-encoding': 'gzip' } }
const large = { x: 'a'.repeat(200_000) }
const brief = { show: ({ metadata }: any) => metadata.name }

/** What the transport itself does. */
export const transport = topic(
  'transport',
  [
    scenario(
      'C gzip',
      'packs what is large',
      create(configMaps, configMap('a', large), brief),
      get(`${configMaps}/a`, gzip),
      get(`${configMaps}/a`, brief),
      get(`${configMaps}/a`, { headers: { 'accept-encoding': 'identity' }, ...brief }),
    ),
    scenario(
      'C gzip',
      'leaves what is small',
      create(configMaps, configMap('a', { x: '1' })),
      get(`${configMaps}/a`, gzip),
      get(`${configMaps}/none`, gzip),
    ),
    scenario(
      'C gzip',
      'packs lists, and nothing for who does not ask',
      create(secrets, secret('a', { annotations: { large: 'a'.repeat(150_000) } }), brief),
      get(secrets, gzip),
      get(secrets, { headers: { 'accept-encoding': 'br, deflate' }, show: ({ kind }) => kind }),
      get(secrets, { headers: { 'accept-encoding': 'deflate, gzip;q=1.0, *;q=0.5' } }),
    ),
    scenario(
      'C gzip',
      'answers a HEAD without a body',
      create(configMaps, configMap('a')),
      send('HEAD', `${configMaps}/a`),
      send('OPTIONS', `${configMaps}/a`),
    ),
  ],
  { port: true },
)

/** The output of containers, where there is none. */
export const logs = topic('logs', [
  scenario(
    'C logs',
    'of a Pod that is not there, or not placed',
    get(`${pods}/none/log`),
    create(pods, pod('a')),
    get(`${pods}/a/log`),
    get(`${pods}/a/log?container=web`),
    get(`${pods}/a/log?container=none`),
  ),
  scenario(
    'C logs',
    'of a Pod with several containers',
    create(
      pods,
      pod('a', {
        containers: [
          { name: 'web', image: 'a' },
          { name: 'log', image: 'b' },
        ],
        initContainers: [{ name: 'first', image: 'c' }],
      }),
    ),
    get(`${pods}/a/log`),
    get(`${pods}/a/log?container=first`),
    get(`${pods}/a/log?container=none`),
  ),
  scenario(
    'C logs',
    'with options that make no sense',
    create(pods, pod('a')),
    get(`${pods}/a/log?tailLines=-1`),
    get(`${pods}/a/log?sinceSeconds=0`),
    get(`${pods}/a/log?sinceSeconds=5&sinceTime=2020-01-01T00:00:00Z`),
    get(`${pods}/a/log?tailLines=many`),
    get(`${pods}/a/log?limitBytes=0`),
    get(`${pods}/a/log?stream=Other`),
    create(`${pods}/a/log`, {}),
  ),
])
