/** What an error says. Anything can be thrown, and nothing that was thrown makes this throw. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) return error.message || error.name
    return typeof error === 'object' && error !== null ? JSON.stringify(error) : String(error)
  } catch {
    return 'something that cannot be shown'
  }
}
