import { labelProblems, subdomainProblems } from '../../schema/index.ts'

const PREFIX = 'system:serviceaccount:'

/** The user name of a ServiceAccount. */
export function serviceAccountUser(namespace: string, name: string): string {
  return `${PREFIX}${namespace}:${name}`
}

/** The ServiceAccount behind a user; undefined for all other users. */
export function serviceAccountOf(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(PREFIX)) return undefined
  const [namespace = '', name = '', ...more] = user.slice(PREFIX.length).split(':')
  if (more.length > 0 || labelProblems(namespace).length > 0 || subdomainProblems(name).length > 0) {
    return undefined
  }
  return { namespace, name }
}

/** The groups of all ServiceAccounts of a namespace. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}
