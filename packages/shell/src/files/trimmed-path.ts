/** A path without the slashes at its end. All slashes are the root, except where `empty` asks for nothing instead. */
export function trimmedPath(path: string, empty = '/'): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return end === 0 && path !== '' ? empty : path.slice(0, end)
}
