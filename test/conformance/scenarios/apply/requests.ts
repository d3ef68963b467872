import { configMap, configMaps } from '../../objects.ts'
import { scenario, type Scenario } from '../../scenario.ts'
import { apply, create, get, merge, patch } from '../../steps.ts'
import { by, OTHER_UID } from './applied-objects.ts'

/** The allowed content of a request, and its options. */
export const requests: readonly Scenario[] = [
  scenario(
    'B apply',
    'without a manager, without a kind, of another name',
    patch('application/apply-patch+yaml', `${configMaps}/a`, configMap('a')),
    patch('application/apply-patch+yaml', `${configMaps}/a?fieldManager=`, configMap('a')),
    apply(`${configMaps}/a`, { metadata: { name: 'a' } }),
    apply(`${configMaps}/a`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }),
    apply(`${configMaps}/a`, configMap('b')),
    apply(`${configMaps}/a`, configMap('a', {}, { namespace: 'other' })),
    apply(`${configMaps}/a`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }),
    apply(`${configMaps}/a`, { apiVersion: 'v1', kind: 'ConfigMap' }),
  ),
  scenario(
    'B apply',
    'with options that it does not have',
    apply(by(`${configMaps}/a`, 'x'.repeat(129)), configMap('a')),
    apply(by(`${configMaps}/a`, 'one', '&force=perhaps'), configMap('a')),
    apply(by(`${configMaps}/a`, 'one', '&dryRun=Some'), configMap('a')),
    create(configMaps, configMap('b')),
    merge(`${configMaps}/b?force=true`, {}),
    merge(`${configMaps}/b?force=false`, {}),
    merge(`${configMaps}/b?fieldManager=${'x'.repeat(129)}`, {}),
  ),
  scenario(
    'B apply',
    'of text that is no object',
    apply(`${configMaps}/a`, 'a: [', { ignore: ['message'] }),
    apply(`${configMaps}/a`, '[]', { ignore: ['message'] }),
    apply(`${configMaps}/a`, '"text"', { ignore: ['message'] }),
    apply(`${configMaps}/a`, '', { ignore: ['message'] }),
  ),
  scenario(
    'B apply',
    'as YAML',
    apply(
      `${configMaps}/a`,
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: "1"\n  long: |\n    two\n    lines\n',
    ),
    apply(`${configMaps}/a`, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: 1}\n', {
      ignore: ['message'],
    }),
  ),
  scenario(
    'B apply',
    'with managed fields, which only the server writes',
    apply(`${configMaps}/a`, configMap('a', {}, { managedFields: [] })),
    apply(`${configMaps}/a`, configMap('a', {}, { managedFields: [{ manager: 'me' }] })),
  ),
  scenario(
    'B apply',
    'with versions and identities',
    apply(`${configMaps}/a`, configMap('a', { x: '1' }, { resourceVersion: '1' })),
    apply(`${configMaps}/a`, configMap('a', { x: '1' }, { uid: OTHER_UID })),
    apply(`${configMaps}/a`, configMap('a', { x: '1' }), { as: 'a' }),
    apply(`${configMaps}/a`, configMap('a', { x: '2' }, { resourceVersion: '1' })),
    apply(`${configMaps}/a`, configMap('a', { x: '2' }, { resourceVersion: '{a.metadata.resourceVersion}' })),
    apply(`${configMaps}/a`, configMap('a', { x: '3' }, { uid: OTHER_UID })),
    apply(`${configMaps}/a`, configMap('a', { x: '3' }, { uid: '{a.metadata.uid}' })),
  ),
  scenario(
    'B apply',
    'that is only tried',
    apply(by(`${configMaps}/a`, 'one', '&dryRun=All'), configMap('a', { x: '1' })),
    get(`${configMaps}/a`),
    apply(`${configMaps}/a`, configMap('a', { x: '1' })),
    apply(by(`${configMaps}/a`, 'two', '&dryRun=All&force=true'), configMap('a', { x: '2' })),
    get(`${configMaps}/a`),
  ),
]
