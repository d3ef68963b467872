import { defineKind, schema as s } from '@homeostat/api'
import { ConfigMap, Deployment, Namespace, Secret } from '@homeostat/api/kinds'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { generationChanged } from '../predicate/changed.ts'
import type { Request } from '../reconcile/request.ts'
import { Channel } from '../source/channel.ts'
import { controller } from './builder.ts'

const At = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'At',
  spec: s.object({ command: s.string() }),
})

describe('the builder', () => {
  test('makes a plain value with everything that was declared', () => {
    const reconcile = (): void => {}
    const value = controller('at')
      .for(At)
      .owns(Deployment, { predicate: generationChanged })
      .watches(Secret, () => undefined)
      .options({ maxConcurrentReconciles: 2, reconcileTimeout: '1m' })
      .reconcile(reconcile, { maxConcurrentReconciles: 4 })
    expect(value).toMatchObject({
      name: 'at',
      kind: At,
      watches: [
        { role: 'for', kind: At },
        { role: 'owns', kind: Deployment, predicate: generationChanged },
        { role: 'watches', kind: Secret },
      ],
      options: { maxConcurrentReconciles: 4, reconcileTimeout: '1m' },
      reconcile,
    })
  })

  test('is not changed by its calls, so that a common part can be used twice', () => {
    const beginning = controller('at').for(At)
    const [one, two] = [beginning.owns(Deployment).reconcile(() => {}), beginning.reconcile(() => {})]
    expect([one.watches.length, two.watches.length]).toEqual([2, 1])
  })

  test('accepts for once: a second call is a type error, and throws in JavaScript', () => {
    const builder = controller('at').for(At)
    expectTypeOf(builder).not.toHaveProperty('for')
    expect(() => (builder as any).for(ConfigMap)).toThrow(
      /is already for At: use \.owns\(\) or \.watches\(\) for ConfigMap/,
    )
  })

  test('knows the scope of its kind: the request has a namespace exactly where the kind has one', () => {
    controller('a')
      .for(At)
      .reconcile((request) => {
        expectTypeOf(request).toEqualTypeOf<Request<typeof At>>()
        expectTypeOf(request.namespace).toEqualTypeOf<string>()
      })
    controller('b')
      .for(Namespace)
      .reconcile((request) => void expectTypeOf(request.namespace).toEqualTypeOf<undefined>())
  })

  test('knows the arguments and the result of a mapping', () => {
    controller('at')
      .for(At)
      .watches(Secret, (secret) => {
        expectTypeOf(secret.metadata.namespace).toEqualTypeOf<string>()
        return { namespace: secret.metadata.namespace, name: 'x' }
      })
      .watches(new Channel<{ name: string }>('calls'), async ({ name }) => [{ namespace: 'default', name }])
      // @ts-expect-error -- a namespaced kind needs a namespace
      .watches(Secret, () => ({ name: 'x' }))
  })
})

describe('invalid declarations are refused, with a remedy', () => {
  test.each(['', 'Has Spaces', 'UPPER', '-dash', 'x'.repeat(64)])('the name %j', (name) => {
    expect(() => controller(name)).toThrow(/is not a valid name for a controller: use up to 63/)
  })

  test('a controller that would never be called', () => {
    expect(() => controller('idle').reconcile(() => {})).toThrow(
      /would never be called: declare what it reconciles with \.for\(\) or \.watches/,
    )
  })

  test.each(['', 'metadata.name', 'metadata.namespace'])('an index with the name %j', (name) => {
    expect(() => controller('x').indexes(At, { [name]: ({ spec }: any) => spec.command })).toThrow(
      /the controller x cannot index At by/,
    )
  })

  test('owns before for', () => {
    expect(() => (controller('x') as any).owns(Deployment)).toThrow('call .for() first')
  })

  test.each([
    [{ maxConcurrentReconciles: 0 }, 'maxConcurrentReconciles'],
    [{ maxConcurrentReconciles: 1.5 }, 'maxConcurrentReconciles'],
    [{ maxReconcilesPerSecond: 0 }, 'maxReconcilesPerSecond'],
    [{ reconcileTimeout: -1 }, 'reconcileTimeout'],
    [{ abortGracePeriod: 'soon' as '1s' }, 'abortGracePeriod'],
    [{ retries: { rate: -1 } }, 'retries'],
  ])('the options %o', (options, name) => {
    expect(() => controller('x').options(options)).toThrow(`the option ${name} of the controller x`)
    expect(() =>
      controller('x')
        .for(At)
        .reconcile(() => {}, options),
    ).toThrow(name)
  })
})
