import type { ControllerRevision, Pod, StatefulSet } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { newRevision, planHistory, planRevision, templateOf } from './controller-revisions.ts'

function set(image: string, rest: object = {}): StatefulSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', namespace: 'default', uid: 'set', annotations: { note: 'x' } },
    spec: {
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image }] },
      },
      ...rest,
    },
  } as unknown as StatefulSet
}
function stored(image: string, revision: number): ControllerRevision {
  const made = newRevision(set(image), revision, { label: 0, name: 0 })
  return made as unknown as ControllerRevision
}

describe('revisions of a template', () => {
  it('are made for a new one, kept for the newest, and renumbered for an earlier one', () => {
    const [first, second] = [stored('a', 1), stored('b', 2)]
    expect(planRevision(set('a'), [])).toEqual({ type: 'create', number: 1 })
    expect(planRevision(set('c'), [second, first])).toEqual({ type: 'create', number: 3 })
    expect(planRevision(set('b'), [second, first])).toEqual({ type: 'keep', revision: second })
    expect(planRevision(set('a'), [second, first])).toEqual({ type: 'renumber', revision: first, number: 3 })
  })

  it('hold a patch that brings the template back, with its labels and the annotations of the set', () => {
    const made = newRevision(set('a'), 1, { label: 0, name: 0 })
    expect(made.data).toEqual({ spec: { template: { ...set('a').spec.template, $patch: 'replace' } } })
    expect(made.metadata).toMatchObject({ labels: { app: 'web' }, annotations: { note: 'x' } })
    expect(templateOf(made as unknown as ControllerRevision)).toEqual(set('a').spec.template)
  })

  it('have equal names for equal templates, and another after a collision', () => {
    const name = (image: string, collisions: number): string =>
      newRevision(set(image), 1, { label: 0, name: collisions }).metadata.name
    expect(name('a', 0)).toBe(name('a', 0))
    expect(name('a', 0)).not.toBe(name('b', 0))
    expect(name('a', 0)).not.toBe(name('a', 1))
    const collided = newRevision(set('a'), 1, { label: 0, name: 1 })
    expect(collided.metadata.labels?.['controller.kubernetes.io/hash']).toBe(name('a', 0).slice(4))
  })

  it('have the names that Kubernetes gives them', () => {
    const template = {
      metadata: { labels: { app: 'db' }, annotations: { q: 'x<y>&z' } },
      spec: {
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: [
          {
            name: 'db',
            image: 'pause:1',
            env: [{ name: 'A', value: '1' }],
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            imagePullPolicy: 'IfNotPresent',
          },
        ],
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        securityContext: {},
        schedulerName: 'default-scheduler',
      },
    }
    const db = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db', uid: 'x' },
      spec: { template },
    } as unknown as StatefulSet
    const { metadata } = newRevision(db, 1, { label: 0, name: 0 })
    expect(metadata.name).toBe('db-7b77d88684')
    expect(metadata.labels).toEqual({ app: 'db', 'controller.kubernetes.io/hash': '7b77d88684' })
  })

  it('are removed beyond the limit, the oldest first, but not those in use', () => {
    const revisions = ['a', 'b', 'c', 'd'].map((image, index) => stored(image, index + 1))
    const names = (limit: number, pods: string[]): unknown[] =>
      planHistory(set('d', { revisionHistoryLimit: limit }), revisions, {
        names: [revisions[3]!.metadata.name],
        pods: pods.map(
          (revision) =>
            ({ metadata: { labels: { 'controller-revision-hash': revision } } }) as unknown as Pod,
        ),
      }).map(({ revision }) => revision)
    expect(names(1, [])).toEqual([1, 2])
    expect(names(0, [revisions[1]!.metadata.name])).toEqual([1, 3])
    expect(names(10, [])).toEqual([])
  })
})
