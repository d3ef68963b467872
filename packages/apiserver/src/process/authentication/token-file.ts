import { HomeostatError } from '@homeostat/api'
import type { User } from '../../auth/index.ts'

/**
 * The users of a file of tokens, by their tokens. Each line is `token,user,uid` and perhaps `"group,group"`, as
 * kube-apiserver reads it. Fails with `TOKEN_FILE_INVALID`, naming the line but never its content.
 */
export function readTokenFile(text: string): Map<string, User> {
  const users = new Map<string, User>()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const fields = fieldsOf(line)
    const [token = '', name = '', uid = '', groups = ''] = fields ?? []
    if (!fields || fields.length < 3 || token === '') {
      const message = `line ${index + 1} of the token file cannot be read: write each line as token,user,uid or token,user,uid,"group,group"`
      throw new HomeostatError('TOKEN_FILE_INVALID', message)
    }
    const all = groups.split(',').filter((group) => group !== '')
    users.set(token, { name, uid: uid || undefined, groups: all })
  }
  return users
}

/** The fields of one line; undefined where a quote is not closed. */
function fieldsOf(line: string): string[] | undefined {
  const fields: string[] = []
  const pattern = /\s*(?:"((?:[^"]|"")*)"|([^,"]*))\s*(,|$)/y
  while (true) {
    const match = pattern.exec(line)
    if (!match) return undefined
    fields.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim())
    if (match[3] === '') return fields
  }
}
