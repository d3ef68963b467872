import { configMap, configMaps } from '../../objects.ts'
import { scenario, type Scenario } from '../../scenario.ts'
import { apply, create, merge } from '../../steps.ts'
import { by } from './applied-objects.ts'

/** Which manager owns a field, and what happens to the fields of others. */
export const ownership: readonly Scenario[] = [
  scenario(
    'B apply',
    'creates, and changes only what differs',
    apply(`${configMaps}/a`, configMap('a', { x: '1', y: '2' }, { labels: { l: '1' } })),
    apply(`${configMaps}/a`, configMap('a', { x: '1', y: '2' }, { labels: { l: '1' } })),
    apply(`${configMaps}/a`, configMap('a', { x: '1', y: '3' }, { labels: { l: '1' } })),
  ),
  scenario(
    'B apply',
    'by two managers, who own what both say',
    apply(by(`${configMaps}/a`, 'one'), configMap('a', { x: '1', y: '2' })),
    apply(by(`${configMaps}/a`, 'two'), configMap('a', { z: '3' })),
    apply(by(`${configMaps}/a`, 'two'), configMap('a', { x: '1', z: '3' })),
    apply(by(`${configMaps}/a`, 'one'), configMap('a', { y: '2' })),
    apply(by(`${configMaps}/a`, 'two'), configMap('a', { z: '3' })),
  ),
  scenario(
    'B apply',
    'of what another owns is a conflict, one cause for each field',
    apply(by(`${configMaps}/a`, 'one'), configMap('a', { x: '1', y: '2', z: '3' })),
    apply(by(`${configMaps}/a`, 'two'), configMap('a', { x: '9', y: '9' })),
    apply(by(`${configMaps}/a`, 'three'), configMap('a', { z: '3' })),
    apply(by(`${configMaps}/a`, 'two'), configMap('a', { z: '9' })),
  ),
  scenario(
    'B apply',
    'by force takes what others own',
    apply(by(`${configMaps}/a`, 'one'), configMap('a', { x: '1', y: '2' })),
    apply(by(`${configMaps}/a`, 'two', '&force=true'), configMap('a', { x: '9', z: '3' })),
    apply(by(`${configMaps}/a`, 'one'), configMap('a', { x: '1', y: '2' })),
    apply(by(`${configMaps}/a`, 'one'), configMap('a', { y: '2' })),
  ),
  scenario(
    'B apply',
    'removes what is no longer applied',
    apply(`${configMaps}/a`, configMap('a', { x: '1', y: '2' }, { annotations: { n: '1' } })),
    apply(`${configMaps}/a`, configMap('a', { x: '1' })),
    apply(`${configMaps}/a`, configMap('a')),
  ),
  scenario(
    'B apply',
    'and updates of others',
    create(configMaps, configMap('a', { x: '1', y: '2' })),
    apply(`${configMaps}/a`, configMap('a', { x: '1' })),
    apply(`${configMaps}/a`, configMap('a', { y: '5' })),
    merge(by(`${configMaps}/a`, 'editor'), { data: { x: '7' } }),
    apply(`${configMaps}/a`, configMap('a', { x: '1' })),
    merge(by(`${configMaps}/a`, 'editor'), { data: { x: null } }),
    apply(`${configMaps}/a`, configMap('a', { x: '1' })),
  ),
  scenario(
    'B apply',
    'by a manager that also updates',
    apply(by(`${configMaps}/a`, 'one'), configMap('a', { x: '1' })),
    merge(by(`${configMaps}/a`, 'one'), { data: { x: '2', y: '2' } }),
    apply(by(`${configMaps}/a`, 'one'), configMap('a', { x: '3' })),
    apply(by(`${configMaps}/a`, 'one', '&force=true'), configMap('a', { x: '3' })),
  ),
]
