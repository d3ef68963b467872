/** Reads JSON that was compressed with gzip and written in base64. */
export async function unpack<T>(packed: string): Promise<T> {
  const text = atob(packed)
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return (await new Response(stream).json()) as T
}
