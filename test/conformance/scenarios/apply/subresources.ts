import { deployment, deployments, gadget, gadgets, widget, widgets } from '../../objects.ts'
import { scenario, type Scenario } from '../../scenario.ts'
import { apply, create, get, merge, remove } from '../../steps.ts'
import { by, partial } from './applied-objects.ts'

/** Apply of a status and of a scale. */
export const subresources: readonly Scenario[] = [
  scenario(
    'B apply',
    'of a status',
    apply(`${widgets}/a/status`, { ...widget('a'), status: { phase: 'Done' } }),
    apply(`${widgets}/a`, { ...widget('a', { size: 2 }), status: { phase: 'Ignored' } }),
    apply(by(`${widgets}/a/status`, 'one'), {
      ...widget('a', { size: 9 }),
      status: { phase: 'Done' },
    }),
    apply(by(`${widgets}/a/status`, 'two'), { ...widget('a'), status: { phase: 'Other' } }),
    apply(by(`${widgets}/a/status`, 'two', '&force=true'), { ...widget('a'), status: { phase: 'Other' } }),
    apply(`${widgets}/a`, widget('a', { size: 2 })),
  ),
  scenario(
    'B apply',
    'of a native status',
    create(deployments, deployment('a')),
    apply(by(`${deployments}/a/status`, 'controller'), {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      status: { replicas: 2, conditions: [{ type: 'Available', status: 'True' }] },
    }),
    apply(by(`${deployments}/a/status`, 'other'), {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      status: { replicas: 3, conditions: [{ type: 'Progressing', status: 'True' }] },
    }),
  ),
  scenario(
    'B apply',
    'of a scale',
    create(deployments, deployment('a', { replicas: 1 })),
    apply(by(`${deployments}/a/scale`, 'scaler', '&force=true'), {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a', namespace: '{ns}' },
      spec: { replicas: 4 },
    }),
    get(`${deployments}/a`),
    apply(by(`${deployments}/a/scale`, 'other'), {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a', namespace: '{ns}' },
      spec: { replicas: 5 },
    }),
    apply(by(`${deployments}/a`, 'applier'), partial('a', { replicas: 2 })),
  ),
  scenario(
    'B apply',
    'of the scale of a custom kind',
    create(widgets, widget('a', { replicas: 1 })),
    apply(by(`${widgets}/a/scale`, 'scaler', '&force=true'), {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a', namespace: '{ns}' },
      spec: { replicas: 4 },
    }),
  ),
  scenario(
    'B apply',
    'after the scale of a custom kind was changed',
    create(widgets, widget('a', { replicas: 1 })),
    merge(by(`${widgets}/a/scale`, 'scaler'), { spec: { replicas: 6 } }),
    get(`${widgets}/a`),
    apply(`${widgets}/a`, widget('a', { replicas: 2 })),
  ),
  scenario(
    'B apply',
    'of a kind without a status endpoint',
    apply(`${gadgets}/{ns}`, gadget('{ns}', { spec: { size: 1 }, status: { phase: 'Done' } })),
    apply(by(`${gadgets}/{ns}`, 'two'), gadget('{ns}', { status: { phase: 'Other' } })),
    remove(`${gadgets}/{ns}`),
  ),
]
