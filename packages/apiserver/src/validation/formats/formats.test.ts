import { describe, expect, it } from 'vitest'
import { formatCheck } from './formats.ts'

const CASES: Readonly<Record<string, { right: readonly string[]; wrong: readonly string[] }>> = {
  'date-time': {
    right: ['2024-02-29T00:00:00Z', '2024-01-01t00:00:00.5+02:00'],
    wrong: ['2024-02-30T00:00:00Z', '2024-01-01', '2024-01-01T24:00:00Z', ''],
  },
  date: { right: ['2024-02-29'], wrong: ['2023-02-29', '2024-13-01', '24-01-01'] },
  duration: { right: ['1h30m', '0', '22 ns', '-1.5s', '3 days'], wrong: ['soon', '', '5'] },
  ipv4: { right: ['1.2.3.4', '01.2.3.4', '::ffff:1.2.3.4'], wrong: ['1.2.3', '1.2.3.256', '::1', 'a.b.c.d'] },
  ipv6: {
    right: ['::', '::1', '1:2:3:4:5:6:7:8', '2001:db8::1'],
    wrong: ['1.2.3.4', ':::', '1::2::3', '1:2:3', 'g::'],
  },
  cidr: { right: ['10.0.0.0/8', '2001:db8::/32'], wrong: ['10.0.0.0', '10.0.0.0/33', '/8', '::/129'] },
  mac: {
    right: ['00:11:22:33:44:55', '00-11-22-33-44-55', '0011.2233.4455'],
    wrong: ['00:11', '00:11:22:33:44:5g'],
  },
  uuid: {
    right: ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'],
    wrong: ['x', ''],
  },
  uuid4: { right: ['123e4567-e89b-42d3-a456-426614174000'], wrong: ['123e4567-e89b-12d3-a456-426614174000'] },
  uri: {
    right: ['https://a.b/c?d#e', '/path', 'mailto:x', 'http://[::1]:80/', 'http://<a>/', 'pg://a:1,b:2/'],
    wrong: [
      'http://a#b',
      'http://u#@a/',
      'http://[x]/',
      'http://a:1:2/',
      '',
      'foo bar',
      'a/b',
      'http://a b/',
      'http://a:x/',
      '/%zz',
    ],
  },
  email: { right: ['a@b.c', 'A B <a.b@c>'], wrong: ['me', 'a@', '@b', 'a b@c', 'a@b@c'] },
  hostname: { right: ['a', 'a-b.com', 'é.com'], wrong: ['-a', 'a_b', `${'a'.repeat(64)}.com`, ''] },
  byte: { right: ['aGk=', 'aGkh'], wrong: ['%', 'aGk', ''] },
  hexcolor: { right: ['#fff', 'FFFFFF'], wrong: ['#ffff', 'red'] },
  rgbcolor: { right: ['rgb(1,2,255)'], wrong: ['rgb(1,2,256)', 'rgb(1,2)'] },
  isbn10: { right: ['0321751043', '0-321-75104-3'], wrong: ['0321751044'] },
  isbn13: { right: ['978-0321751041'], wrong: ['978-0321751042'] },
  creditcard: { right: ['4111 1111 1111 1111'], wrong: ['4111 1111 1111 1112'] },
  ssn: { right: ['111-22-3333'], wrong: ['111-22-333'] },
  bsonobjectid: { right: ['507f1f77bcf86cd799439011'], wrong: ['507f'] },
  'k8s-short-name': { right: ['a-b'], wrong: ['A', 'a.b', 'a'.repeat(64)] },
  'k8s-long-name': { right: ['a.b-c'], wrong: ['a..b', 'A.b'] },
  password: { right: ['', 'x'], wrong: [] },
}

describe('formats of texts', () => {
  describe.each(Object.entries(CASES))('%s', (format, { right, wrong }) => {
    const check = formatCheck(format)!
    it('accepts texts of the format', () => {
      expect(right.filter((text) => !check(text))).toEqual([])
    })
    it('refuses other texts', () => {
      expect(wrong.filter((text) => check(text))).toEqual([])
    })
  })

  it('that Kubernetes does not know are ignored', () => {
    expect(formatCheck('unheard-of')).toBeUndefined()
  })
})
