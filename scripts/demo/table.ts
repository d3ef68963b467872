import type { ApiHandler } from '@homeostat/api'

interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[]
  readonly rows: readonly { readonly cells: readonly (string | number | boolean | null)[] }[]
}

const ACCEPT = 'application/json;as=Table;v=v1;g=meta.k8s.io'

/** The output of `kubectl get` for the objects at a path, from the server's table; names get the prefix. */
export async function printedTable(handler: ApiHandler, path: string, prefix = ''): Promise<string> {
  const response = await handler({
    method: 'GET',
    path,
    query: new URLSearchParams(),
    headers: { accept: ACCEPT },
  })
  const text = new TextDecoder().decode(response.body as Uint8Array)
  if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}: ${text}`)
  const table = JSON.parse(text) as Table
  const shown = table.columnDefinitions
    .map((column, index) => ({ ...column, index }))
    .filter((c) => c.priority === 0)
  const lines = [
    shown.map((column) => column.name.toUpperCase()),
    ...table.rows.map((row) =>
      shown.map(({ index }) => (index === 0 ? prefix : '') + String(row.cells[index] ?? '<none>')),
    ),
  ]
  const widths = shown.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('   ')
        .trimEnd(),
    )
    .join('\n')
}
