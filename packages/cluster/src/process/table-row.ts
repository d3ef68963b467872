import type { ApiHandler } from '@homeostat/api'

const ACCEPT = 'application/json;as=Table;v=v1;g=meta.k8s.io'

interface Table {
  readonly columnDefinitions: readonly { readonly name: string }[]
  readonly rows: readonly { readonly cells: readonly (string | number | boolean | null)[] }[]
}

/** The row that `kubectl get` prints for the object at a path, by the names of its columns; `undefined` where there is none. */
export async function tableRow(
  handler: ApiHandler,
  path: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const query = new URLSearchParams()
  const response = await handler({ method: 'GET', path, query, headers: { accept: ACCEPT } })
  if (response.status !== 200 || !(response.body instanceof Uint8Array)) return undefined
  const { columnDefinitions, rows } = JSON.parse(new TextDecoder().decode(response.body)) as Table
  const cells = rows[0]?.cells ?? []
  return Object.fromEntries(columnDefinitions.map(({ name }, index) => [name, String(cells[index] ?? '')]))
}
