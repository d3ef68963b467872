import { describe, expect, it } from 'vitest'
import { AnswerParser, type AnswerHead } from './answer-parser.ts'

const CHUNKED = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'

/** Reads an answer that comes in these pieces, in memory that is used again for each. */
function read(...pieces: string[]) {
  const seen = { heads: [] as AnswerHead[], body: '', ends: 0 }
  const parser = new AnswerParser({
    head: (head) => seen.heads.push(head),
    body: (bytes) => (seen.body += Buffer.from(bytes).toString('latin1')),
    end: () => seen.ends++,
  })
  const memory = Buffer.alloc(200_000)
  for (const piece of pieces) {
    const length = memory.write(piece, 'latin1')
    parser.push(memory.subarray(0, length))
    memory.fill('#', 0, length)
  }
  return { parser, ...seen }
}

describe('an answer', () => {
  it('in chunks is read wherever the pieces end', () => {
    const text = `${CHUNKED}5\r\nhello\r\nA;name="value"\r\n, \r\nworld!\r\n0\r\nx-sum: 1\r\n\r\n`
    for (let first = 1; first < text.length; first++) {
      for (const second of [first + 1, first + 2, Math.ceil((first + text.length) / 2)]) {
        const { heads, body, ends } = read(
          text.slice(0, first),
          text.slice(first, second),
          text.slice(second),
        )
        expect(heads.map(({ status }) => status)).toEqual([200])
        expect(body).toBe('hello, \r\nworld!')
        expect(ends).toBe(1)
      }
    }
  })

  it('with a content-length ends after that many bytes', () => {
    const { body, ends, parser } = read(
      'HTTP/1.1 404 Not Found\r\ncontent-length: 5\r\n\r\nhel',
      'lo and more',
    )
    expect([body, ends, parser.complete]).toEqual(['hello', 1, true])
  })

  it('without a length goes on until the connection is closed', () => {
    const { body, ends, parser } = read('HTTP/1.0 200\r\n\r\nhello', ' world')
    expect([body, ends, parser.complete]).toEqual(['hello world', 0, false])
    parser.close()
    expect(parser.complete).toBe(true)
  })

  it.each([
    ['of length 0', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
    ['without content', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['in no chunks', `${CHUNKED}0\r\n\r\n`],
  ])('%s is over at once', (_, text) => {
    expect(read(text)).toMatchObject({ heads: [{}], body: '', ends: 1 })
  })

  it('has its headers by their names in lower case, those that come twice joined', () => {
    const { heads } = read('HTTP/1.1 200 OK\r\nWarning:  a \r\nWARNING: b\r\nEmpty:\r\n__proto__: c\r\n\r\n')
    expect({ ...heads[0]?.headers }).toEqual({ warning: 'a, b', empty: '' })
  })

  it('may follow an informational answer', () => {
    const { heads, body } = read(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
    )
    expect([heads.map(({ status }) => status), body]).toEqual([[200], 'ok'])
  })

  it('with line feeds alone is read too', () => {
    const { body, ends } = read('HTTP/1.1 200 OK\ntransfer-encoding: chunked\n\n2\nok\n0\n\n')
    expect([body, ends]).toEqual(['ok', 1])
  })
})

describe('refused is', () => {
  it.each([
    ['what is not HTTP, at its first bytes', 'SSH-2.0'],
    ['what is not HTTP, by one byte', 'X'],
    ['HTTP/2', 'HTTP/2 200\r\n\r\n'],
    ['a status that is not a number', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n'],
    ['a header that goes on in the next line', 'HTTP/1.1 200 OK\r\na: b\r\n c\r\n\r\n'],
    ['a head without an end', `HTTP/1.1 200 OK\r\na: ${'x'.repeat(70_000)}`],
    ['endless heads', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}`],
    ['a content-length that is not a number', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
    ['a chunk without a size', `${CHUNKED}\r\nhello`],
    ['a chunk of no number', `${CHUNKED}xyz\r\nhello`],
    ['a chunk of a negative number', `${CHUNKED}-5\r\nhello`],
    ['a chunk larger than any', `${CHUNKED}${'f'.repeat(20)}\r\nhello`],
    ['a chunk that is longer than its size line says', `${CHUNKED}2\r\nhello\r\n`],
    ['a size without an end', `${CHUNKED}${'0'.repeat(2_000)}`],
    ['a trailer without an end', `${CHUNKED}0\r\n${'x'.repeat(2_000)}`],
  ])('%s', (_, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'HPE_INVALID_CONSTANT' }))
  })

  it.each([
    ['in its head', 'HTTP/1.1 200 OK\r\na: b\r\n'],
    ['before its first byte', ''],
    ['in a chunk', `${CHUNKED}5\r\nhel`],
    ['between chunks', `${CHUNKED}5\r\nhello\r\n`],
    ['before its length', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhel'],
  ])('an answer that breaks off %s', (_, text) => {
    const { parser } = read(text)
    expect(() => parser.close()).toThrow(expect.objectContaining({ code: 'ECONNRESET' }))
  })
})
