import { daemonSet } from '../objects.ts'
import { topic } from '../scenario.ts'
import { create, patch, removeAll, setImage } from '../steps.ts'

const AGENT = 'daemonsets/agent'
const revision = (name: string, labels: Record<string, string>, number: number) => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name, labels },
  data: { spec: { template: { $patch: 'replace' } } },
  revision: number,
})

export const daemonSets = topic(
  'daemonset',
  {
    'keeps a revision of each template, and goes back to an earlier one': [
      create('daemonsets', daemonSet()),
      setImage(AGENT, 'app:2'),
      setImage(AGENT, 'app:1'),
    ],
    'makes a revision again that a client deleted': [
      create('daemonsets', daemonSet()),
      removeAll('controllerrevisions'),
      setImage(AGENT, 'app:2'),
    ],
    'adopts a revision that matches and has no controller': [
      create('daemonsets', daemonSet()),
      create(
        'controllerrevisions',
        revision('agent-old', { app: 'agent', 'controller-revision-hash': 'oldhash' }, 5),
      ),
      create('controllerrevisions', revision('agent-plain', { app: 'agent' }, 3)),
      create('controllerrevisions', revision('other', { app: 'other' }, 9)),
    ],
    'releases a revision whose labels no longer match': [
      create('daemonsets', daemonSet()),
      create('controllerrevisions', revision('agent-old', { app: 'agent' }, 5)),
      patch('controllerrevisions/agent-old', { metadata: { labels: { app: 'other' } } }),
      patch('controllerrevisions/agent-old', { metadata: { labels: { app: 'agent' } } }),
    ],
    'deletes the oldest revisions beyond its history': [
      create('daemonsets', daemonSet({ revisionHistoryLimit: 1 })),
      setImage(AGENT, 'app:2'),
      setImage(AGENT, 'app:3'),
      setImage(AGENT, 'app:4'),
      patch(AGENT, { spec: { revisionHistoryLimit: 0 } }),
    ],
  },
  { also: ['daemonsets'] },
)
