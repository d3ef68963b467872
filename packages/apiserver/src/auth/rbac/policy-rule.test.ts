import { expect, test } from 'vitest'
import { ruleAllows, rulesIn, type PolicyRule } from './policy-rule.ts'

const NOTHING: PolicyRule = {
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
}
const rule = (parts: Partial<PolicyRule>): PolicyRule => ({ ...NOTHING, verbs: ['get'], ...parts })
const of = (
  plural: string,
  more: { group?: string; subresource?: string; name?: string; verb?: string } = {},
) => ({
  verb: more.verb ?? 'get',
  path: '',
  resource: { group: more.group ?? '', version: 'v1', plural },
  subresource: more.subresource,
  name: more.name,
})

test.each([
  ['its resource', rule({ apiGroups: [''], resources: ['pods'] }), of('pods'), true],
  ['another resource', rule({ apiGroups: [''], resources: ['pods'] }), of('secrets'), false],
  ['another group', rule({ apiGroups: ['apps'], resources: ['pods'] }), of('pods'), false],
  ['another verb', rule({ apiGroups: [''], resources: ['pods'] }), of('pods', { verb: 'list' }), false],
  [
    'every verb by a star',
    rule({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }),
    of('x', { group: 'y', verb: 'z' }),
    true,
  ],
  [
    'a subresource by the resource',
    rule({ apiGroups: [''], resources: ['pods'] }),
    of('pods', { subresource: 'log' }),
    false,
  ],
  [
    'a subresource by its name',
    rule({ apiGroups: [''], resources: ['pods/log'] }),
    of('pods', { subresource: 'log' }),
    true,
  ],
  [
    'a subresource of any resource',
    rule({ apiGroups: [''], resources: ['*/log'] }),
    of('pods', { subresource: 'log' }),
    true,
  ],
  ['the resource by its subresource', rule({ apiGroups: [''], resources: ['*/log'] }), of('pods'), false],
  [
    'its object',
    rule({ apiGroups: [''], resources: ['pods'], resourceNames: ['a'] }),
    of('pods', { name: 'a' }),
    true,
  ],
  [
    'another object',
    rule({ apiGroups: [''], resources: ['pods'], resourceNames: ['a'] }),
    of('pods', { name: 'b' }),
    false,
  ],
  [
    'all objects by one name',
    rule({ apiGroups: [''], resources: ['pods'], resourceNames: ['a'] }),
    of('pods'),
    false,
  ],
  ['its path', rule({ nonResourceURLs: ['/healthz'] }), { verb: 'get', path: '/healthz' }, true],
  [
    'what begins with its path',
    rule({ nonResourceURLs: ['/healthz'] }),
    { verb: 'get', path: '/healthz/ping' },
    false,
  ],
  [
    'what begins so, by a star',
    rule({ nonResourceURLs: ['/healthz/*'] }),
    { verb: 'get', path: '/healthz/ping' },
    true,
  ],
  [
    'a path by a rule on resources',
    rule({ apiGroups: ['*'], resources: ['*'] }),
    { verb: 'get', path: '/x' },
    false,
  ],
] as const)('%s', (_, allowing, wanted, expected) => {
  expect(ruleAllows(allowing, wanted)).toBe(expected)
})

test('the rules of a role are read, also where fields are missing', () => {
  expect(rulesIn({ rules: [{ verbs: ['get'] }] })).toEqual([{ ...NOTHING, verbs: ['get'] }])
  expect(rulesIn({ rules: null })).toEqual([])
  expect(rulesIn({})).toEqual([])
})
