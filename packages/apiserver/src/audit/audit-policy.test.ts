import { expect, test } from 'vitest'
import { AuditPolicy } from './audit-policy.ts'

const policy = (more: object) => ({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...more })

test.for([
  [{ kind: 'Policy', apiVersion: 'v1' }, 'it is not a Policy of audit.k8s.io/v1'],
  [policy({}), 'it has no rules'],
  [policy({ rules: [{}] }), 'rules[0].level: "" must be one of None, Metadata, Request, RequestResponse'],
  [policy({ rules: [{ level: 'All' }] }), 'rules[0].level: "All" must be one of'],
  [policy({ rules: [{ level: 'None' }], omitStages: ['Later'] }), 'omitStages[0]: "Later" must be one of'],
  [
    policy({ rules: [{ level: 'None' }, { level: 'None', nonResourceURLs: ['/a'], namespaces: ['b'] }] }),
    'rules[1].nonResourceURLs: rules cannot apply to both regular resources and non-resource URLs',
  ],
  [policy({ rules: [{ level: 'None', nonResourceURLs: ['/a/*/b'] }] }), 'rules[0].nonResourceURLs[0]'],
  [
    policy({ rules: [{ level: 'None', resources: [{ group: '', resourceNames: ['a'] }] }] }),
    'rules[0].resources[0].resourceNames: using resourceNames requires at least one resource',
  ],
] as const)('an invalid policy is refused with the name of the invalid field: %#', ([value, problem]) => {
  expect(() => AuditPolicy.read(value)).toThrow(
    expect.objectContaining({ code: 'AUDIT_POLICY_INVALID', message: expect.stringContaining(problem) }),
  )
})

test('the first matching rule decides, and the stages that the policy or the rule omits are left out', () => {
  const read = AuditPolicy.read(
    policy({
      omitStages: ['RequestReceived'],
      omitManagedFields: true,
      rules: [
        { level: 'Request', users: ['a'], omitStages: ['ResponseStarted'], omitManagedFields: false },
        { level: 'Metadata', resources: [{ group: 'apps', resources: ['*/scale'] }] },
      ],
    }),
  )
  const attributes = {
    verb: 'get',
    path: '/',
    resource: { group: 'apps', version: 'v1', plural: 'deployments' },
  }
  const user = (name: string) => ({ name, groups: [] })
  const first = read.configOf(user('a'), attributes)
  expect(first).toMatchObject({ level: 'Request', omitManagedFields: false })
  expect([...first.omitStages]).toEqual(['RequestReceived', 'ResponseStarted'])
  expect(read.configOf(user('b'), { ...attributes, subresource: 'scale' })).toMatchObject({
    level: 'Metadata',
    omitManagedFields: true,
  })
  expect(read.configOf(user('b'), attributes).level).toBe('None')
})
